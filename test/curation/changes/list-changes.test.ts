import { describe, expect, it } from 'vitest';
import { type ChangesQuestion, listChanges } from '../../../src/curation/changes/list-changes.ts';
import { keepLastAsked, type Watched } from '../../../src/curation/changes/watches.ts';
import { changesAskedFor, type Scope } from '../../../src/curation/changes/whose.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { added, assetId, type Item, now, replaced, scriptedPages, timeOf } from './scripted-pages.ts';

type Listed = Awaited<ReturnType<typeof listChanges>>;

/** A service of films, each with one poster: film n has the Asset n, which one of seven creators made. */
function service(items: readonly Item[]) {
  const feed = scriptedPages([items]);
  let last: unknown;
  const film = async (_: string, id: number | string): Promise<never> => {
    const posters = [{ id: assetId(Number(id)), createdBy: `maker ${Number(id) % 7}`, setId: null }];
    // What the client hands over has the type of its kind.
    return { id, title: `Film ${id}`, assets: { posters } } as never;
  };
  const noSet = async (): Promise<never> => {
    throw new ArtworkError('not_found', 'Not there.');
  };
  const state = {
    read: async () => last,
    update: async <Value extends object>(change: (value: unknown) => Value) => {
      const value = change(last);
      last = value;
      return value;
    },
  };
  const nobody = { items: [], nextPage: null, totalPages: null, page: null, snapshot: null };
  return {
    feed,
    async ask(asked: Partial<Asked> = {}): Promise<Listed> {
      const { scope = 'all', watched = [], own = [], hasTime = true, ...question } = asked;
      const deadline = deadlineIn(10_000);
      const whose = await changesAskedFor(scope, {
        watched: async () => watched,
        owned: { readRelationships: async () => nobody },
        ownSets: async () => ({ account: null, sets: [], assets: new Set(own), warnings: [] }),
        deadline,
      });
      return listChanges(
        {
          catalogue: { readEntity: film, readSet: noSet, nameOf: () => null },
          ...{ pages: feed, lastAsked: keepLastAsked(state), whose, deadline },
          hasTime: () => hasTime,
        },
        {
          since: null,
          start: null,
          changeType: null,
          slot: null,
          createdBy: null,
          limit: 1_000,
          ...question,
        },
      );
    },
  };
}

interface Asked extends ChangesQuestion {
  readonly scope: Scope;
  readonly watched: readonly Watched[];
  readonly own: readonly string[];
  readonly hasTime: boolean;
}

const films = (...numbers: readonly number[]) => numbers.map((number) => added(number));
const upTo = (count: number) => Array.from({ length: count }, (_, at) => count - at);
const numbersOf = ({ data }: Pick<Listed, 'data'>) =>
  data.flatMap(({ targets }) => targets.map(({ id }) => Number(id))).sort((one, other) => other - one);

describe('the changes of a feed', () => {
  it('are told once each over many pages, with their creators, also where new ones come meanwhile', async () => {
    const { ask, feed } = service(films(...upTo(230)));
    const since = timeOf(1);
    const numbers: number[] = [];
    let pages = 0;
    let until: string | null = null;
    for (let start: Listed['next'] = null; until === null; pages += 1) {
      const page: Listed = await ask({ since, start, limit: 30 });
      expect(numbersOf(page).length).toBeLessThanOrEqual(30);
      for (const { by, targets } of page.data)
        for (const { id } of targets) expect(by).toBe(`maker ${Number(id) % 7}`);
      numbers.push(...numbersOf(page));
      ({ until, next: start } = page);
      feed.pages = [films(...upTo(231 + pages))];
    }
    expect(numbers.sort((one, other) => other - one)).toEqual(upTo(230));
    expect(pages).toBeGreaterThan(7);
    // What came meanwhile is what the next call tells.
    expect(numbersOf(await ask()).at(-1)).toBe(231);
  });

  it('are told from when this account last asked, and of a week where it has not', async () => {
    const { ask, feed } = service(films(7, 6, 5));
    const first = await ask({ since: timeOf(6) });
    expect([numbersOf(first), first.coverage]).toEqual([
      [7, 6],
      expect.objectContaining({ oldest: timeOf(5), newest: timeOf(7) }),
    ]);
    feed.pages = [films(9, 8, 7, 6, 5)];
    const second = await ask();
    expect([second.since, numbersOf(second)]).toEqual([first.until, [9, 8]]);
    expect(numbersOf(await ask())).toEqual([]);
    const fresh = await service(films(5)).ask();
    expect(fresh.since).toBe(new Date(now - 7 * 86_400_000).toISOString());
    expect(fresh.warnings.length).toBeGreaterThan(0);
  });

  it('that are not found before the time is over are found by the next calls', async () => {
    const { ask } = service(films(...upTo(90)));
    const asked = {
      since: timeOf(1),
      scope: 'watched',
      watched: [{ kind: 'movie', id: 3 }],
      hasTime: false,
    } as const;
    const first = await ask(asked);
    expect(first.data).toEqual([]);
    let [page, calls] = [first, 1];
    for (; page.next !== null; calls += 1) page = await ask({ ...asked, start: page.next });
    expect([numbersOf(page), calls]).toEqual([[3], 5]);
  });

  it('that show no time come first, and none is lost at the border of a page', async () => {
    const untimed = [1, 2, 3, 4, 5].map((number) => added(number, { changedAt: null }));
    const alike = [6, 7, 8, 9].map((number) => added(number, { changedAt: timeOf(6) }));
    const { ask } = service([...untimed, ...alike]);
    const numbers: number[] = [];
    for (let start: Listed['next'] | undefined; start !== null; ) {
      const page: Listed = await ask({ since: timeOf(1), start: start ?? null, limit: 2 });
      numbers.push(...numbersOf(page));
      start = page.next;
    }
    expect(numbers[0]).toBeLessThan(6);
    expect([...numbers].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('what is asked for', () => {
  const items = [replaced(3, 4), added(9, { slot: 'logo' }), added(8)];
  const told = async (asked: Partial<Asked>) =>
    numbersOf(await service(items).ask({ since: timeOf(1), ...asked }));

  it.each([
    ['all', {}, [9, 8, 1]],
    ['one slot', { slot: 'logo' }, [9]],
    ['what was added', { changeType: 'added' }, [9, 8]],
    ['what was replaced', { changeType: 'replaced' }, [1]],
    ['what was updated, which is what the feeds call a replacement', { changeType: 'updated' }, [1]],
    ['one creator, as people write the name', { createdBy: 'Maker-1' }, [8]],
    ['what is watched', { scope: 'watched', watched: [{ kind: 'movie', id: 9 }] }, [9]],
    ['what is one’s own, and what replaced it', { scope: 'mine', own: [assetId(3)] }, [1]],
    ['nobody who is followed', { scope: 'followed' }, []],
  ] as const)('%s', async (_, asked, expected) => {
    expect(await told(asked)).toEqual(expected);
  });
});
