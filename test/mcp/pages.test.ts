import { expect, it } from 'vitest';
import { collectPages, cursorPosition, readCursor, writeCursor } from '../../src/mcp/pages.ts';

const first = { page: null, offset: 0 };

it('pages that lead in a circle end with an error, also where each call reads one of them', async () => {
  for (const limit of [1, 100]) {
    let at: Parameters<typeof collectPages>[0]['start'] | null = first;
    const calls = async () => {
      for (let call = 0; call < 50 && at !== null; call += 1) {
        const collected = await collectPages({
          start: at,
          limit,
          read: async (page) => ({
            items: [page],
            nextPage: `/${(Number(page?.slice(1) ?? 0) + 1) % 7}`,
          }),
        });
        at = collected.next;
      }
    };
    await expect(calls()).rejects.toMatchObject({ failure: 'bad_response' });
  }
});

it('a page is as long as the limit, and the next begins behind it', async () => {
  const pages = [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ];
  let at: { page: string | null; offset: number } | null = first;
  const seen: string[][] = [];
  while (at !== null) {
    const collected: Awaited<ReturnType<typeof collectPages<string>>> = await collectPages({
      start: at,
      limit: 2,
      read: async (page) => ({
        items: pages[page === null ? 0 : 1] ?? [],
        nextPage: page === null ? '/2' : null,
      }),
    });
    seen.push(collected.items);
    at = collected.next;
  }
  expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('a cursor belongs to its tool and its arguments, but for the limit', () => {
  const cursor = writeCursor('a', { kind: 'show', limit: 5 }, first);
  expect(readCursor('a', { kind: 'show', limit: 9, cursor }, cursorPosition)).toEqual(first);
  expect(readCursor('a', { kind: 'show' }, cursorPosition)).toBeNull();
  for (const [tool, args] of [
    ['b', { kind: 'show', cursor }],
    ['a', { kind: 'movie', cursor }],
    ['a', { kind: 'show', cursor: `${cursor}x` }],
    ['a', { kind: 'show', cursor: '2' }],
  ] as const) {
    expect(() => readCursor(tool, args, cursorPosition)).toThrow(/cursor/);
  }
});
