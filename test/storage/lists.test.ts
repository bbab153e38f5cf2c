import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexOf, PageOfLists } from '../../src/storage/atomic-store.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { memoryStore } from '../support/memory-store.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A value is a text such as `red:1 blue:2`: the lists that it stands in, and where. */
const indexOf: IndexOf = (_, value) =>
  value.split(' ').flatMap((word) => {
    const [list = '', place = '', mark = ''] = word.split(':');
    return list === '' ? [] : [{ list, place, mark }];
  });

describe('the lists of a store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const opened: Storage[] = [];
  const open = async (index = indexOf) => {
    const storage = await openStorage({ home: folder.path, indexOf: index });
    opened.push(storage);
    return storage.atomic;
  };
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    for (const storage of opened.splice(0)) storage.close();
    await folder.remove();
  });

  it('hold what the entries say that they hold, and answer as an array would', async () => {
    const store = await open();
    const model = memoryStore(indexOf);
    const word = fc
      .tuple(fc.constantFrom('red', 'blue'), fc.nat(5), fc.nat(3))
      .map((parts) => parts.join(':'));
    const write = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      words: fc.array(word, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 6 }),
        fc.subarray(['red', 'blue', 'none']),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(3),
        async (writes, lists, limit, mark) => {
          for (const { key, words } of writes) {
            // One list has an entry once: the second place would be another one's.
            const distinct = new Map(words.map((each) => [each.split(':')[0], each]));
            await store.put(key, [...distinct.values()].join(' '));
            await model.put(key, [...distinct.values()].join(' '));
          }
          for (const list of lists) expect(await store.count(list)).toBe(await model.count(list));
          const page = { lists, before: null, mark: String(mark), limit };
          const places = async (from: typeof store) =>
            (await from.page(page)).map(({ value }) => value).toSorted();
          const known = { ...page, limit: 100 };
          expect((await store.page(known)).map(({ key }) => key).toSorted()).toEqual(
            (await model.page(known)).map(({ key }) => key).toSorted(),
          );
          expect((await places(store)).length).toBe((await places(model)).length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are read page by page, the last place first, each entry once', async () => {
    const store = await open();
    for (let i = 0; i < 30; i += 1) {
      const place = String(Math.floor(i / 4)).padStart(2, '0');
      await store.putIfAbsent(`k${i}`, i % 2 === 0 ? `red:${place} blue:${place}` : `red:${place}`);
    }
    const seen: string[] = [];
    let before: PageOfLists['before'] = null;
    for (;;) {
      const page = await store.page({ lists: ['red', 'blue'], before, mark: '', limit: 7 });
      seen.push(...page.map(({ key }) => key));
      const last = page.at(-1);
      if (page.length < 7 || last === undefined) break;
      before = { key: last.key, place: indexOf(last.key, last.value)[0]?.place ?? '' };
    }
    expect(seen).toHaveLength(30);
    expect(new Set(seen).size).toBe(30);
    expect(seen.slice(0, 2).toSorted()).toEqual(['k28', 'k29']);
    expect(await store.count('blue')).toBe(15);
  });
});
