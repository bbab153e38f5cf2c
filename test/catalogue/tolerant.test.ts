import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readTolerantly } from '../../src/catalogue/answer-body.ts';
import { id, listOf, number, text } from '../../src/catalogue/records/members.ts';

const episode = z.looseObject({ id, title: text, number });
const season = z.looseObject({ id, episodes: listOf(episode) });
const show = z.looseObject({ id, title: text, season: season.nullish(), genres: listOf(z.string()) });
const shows = z.array(show);

const million = <Element>(element: Element): Element[] => new Array<Element>(1_000_000).fill(element);

describe('a list', () => {
  test('that is empty is empty', () => {
    expect(readTolerantly(shows, [])).toEqual({ read: true, value: [], surprises: [] });
  });

  test('is read without the few of its elements that are wrong, which are told', () => {
    const read = readTolerantly(shows, [{ id: '1' }, 5, { id: 2, title: ['x'], genres: ['a', 1] }, null]);
    expect(read).toEqual({
      read: true,
      value: [{ id: 1 }, { id: 2, title: null, genres: ['a'] }],
      surprises: ['[1]', '[2].title', '[2].genres[1]', '[3]'].map(
        (place) => `${place} is not what the interface document says`,
      ),
    });
  });

  test.each<[string, unknown, string | null]>([
    ['of wrong elements', million(0), 'more than 100'],
    ['of wrong elements among right ones', [{ id: 1 }, ...million('x'), { id: 2 }], 'more than 100'],
    ['of elements with a wrong field', million(null).map(() => ({ title: 5 })), 'more than 100'],
    ['of elements with a list of wrong elements', million({ genres: [1] }), 'more than 100'],
    ['of few wrong elements', [1, 2], 'the list holds nothing but elements of a wrong type'],
    ['that is none', { 0: { id: 1 } }, null],
  ])('%s can not be read', (_what, input, why) => {
    const read = readTolerantly(shows, input);
    expect(read).toEqual({ read: false, why: why === null ? null : expect.stringContaining(why) });
  });

  test('of wrong elements alone is never empty: what holds it is wrong', () => {
    const inner = { id: 1, season: { id: 2, episodes: [1, 2] } };
    expect(readTolerantly(show, inner)).toEqual({
      read: false,
      why: 'season.episodes holds nothing but elements of a wrong type',
    });
    expect(readTolerantly(shows, [inner, { id: 3 }])).toMatchObject({ read: true, value: [{ id: 3 }] });
  });
});

test('a hundred thousand right elements, and as many fields that nobody knows, are read', () => {
  const many = million(null).slice(0, 100_000);
  const list = readTolerantly(
    shows,
    many.map(() => ({ id: 1, more: true })),
  );
  expect(list.read && list.value.length).toBe(many.length);
  const record = readTolerantly(show, Object.fromEntries(many.map((_, at) => [`field ${at}`, at])));
  expect(record.read && Object.keys(record.value).length).toBe(many.length);
});

test('whatever comes is either read in the shape of its schema, or not at all', () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom<unknown>('5', 5, [], ['a'], {}));
  const field = fc.option(value, { nil: undefined });
  const some = fc.record({ id: field, title: field, season: field, genres: field });
  fc.assert(
    fc.property(fc.array(fc.oneof(some, value), { maxLength: 8 }), (input) => {
      const known = input.length;
      const read = readTolerantly(shows, structuredClone(input));
      if (!read.read) return;
      expect(shows.safeParse(read.value).success).toBe(true);
      expect(read.value.length === 0).toBe(known === 0);
    }),
  );
});
