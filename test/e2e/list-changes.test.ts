import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { type StartedServer, startServer, toldBy } from '../support/client.ts';
import { replacedSince, replaceOne, withCatalogue } from '../support/feed-truth.ts';

const changes = z.looseObject({
  data: z.array(
    z.object({
      by: z.string().nullable(),
      changes: z.array(
        z.object({
          kind: z.string(),
          id: z.int(),
          title: z.string().nullable(),
          of: z.string().optional(),
          what: z.string(),
          at: z.string().nullable(),
        }),
      ),
    }),
  ),
  nextCursor: z.string().nullable(),
  since: z.string(),
  until: z.string().nullable(),
  coverage: z.object({ oldest: z.string().nullable(), newest: z.string().nullable(), complete: z.boolean() }),
  warnings: z.array(z.string()).optional(),
});
type Changes = z.output<typeof changes>;

let household: Household;
let server: StartedServer;

beforeAll(async () => {
  household = await startHousehold();
  server = await startServer({ ARTWORK_HOME: household.home });
});

afterAll(async () => {
  await server.stop();
  await household.remove();
});

interface Told {
  readonly lines: (Changes['data'][number]['changes'][number] & { readonly by: string | null })[];
  readonly last: Changes;
  readonly calls: number;
  readonly characters: number;
}

async function listAll(args: Record<string, unknown>, through: StartedServer = server): Promise<Told> {
  let [calls, characters] = [0, 0];
  const lines: Told['lines'] = [];
  for (let cursor: string | null | undefined; ; ) {
    const result = await through.call('list_changes', cursor === undefined ? args : { ...args, cursor });
    const page = changes.parse(toldBy(result));
    calls += 1;
    characters += JSON.stringify(page).length;
    for (const { by, changes: own } of page.data) lines.push(...own.map((one) => ({ ...one, by })));
    if (page.nextCursor === null) return { lines, last: page, calls, characters };
    cursor = page.nextCursor;
  }
}

describe('list_changes', () => {
  it('tells in two calls and 8,000 characters what was replaced in a week, and by whom', async () => {
    const since = new Date(Date.now() - 7 * 24 * 60 * 60_000).toISOString();
    const truth = withCatalogue(household.home, (database) => replacedSince(database, since));
    const told = await listAll({ since, changeType: 'replaced' });
    expect(truth.length).toBeGreaterThan(60);
    for (const { title, by, slot } of truth) {
      // A long title is cut, and an episode has its show before it.
      const line = told.lines.find(
        (one) => one.by === by && one.title?.includes(title.slice(0, 40)) === true && one.what.includes(slot),
      );
      expect([title, by, slot, line !== undefined]).toEqual([title, by, slot, true]);
    }
    const places = told.lines.map(({ kind, id, by }) => `${kind} ${id} ${by}`);
    expect(new Set(places).size).toBe(places.length);
    expect(told.last).toMatchObject({ coverage: { complete: true }, until: expect.any(String) });
    expect(told.calls).toBeLessThanOrEqual(2);
    expect(told.characters).toBeLessThanOrEqual(8_000);
  });

  it('begins where the last look ended that was acknowledged, for another process too', async () => {
    const first = await listAll({ since: new Date(Date.now() - 86_400_000).toISOString() });
    const { until } = first.last;
    const nothing = await listAll({ seenUntil: until });
    expect(nothing.lines).toEqual([]);
    expect(nothing.last.since).toBe(until);

    const setId = withCatalogue(household.home, (database) => {
      const set = database.only(
        "SELECT id FROM sets WHERE kind = 'movie_set' AND title LIKE 'Arrival%' LIMIT 1",
      );
      replaceOne(database, set.integer('id'), 3);
      return set.integer('id');
    });
    const other = await startServer({ ARTWORK_HOME: household.home });
    try {
      const { lines, last } = await listAll({}, other);
      expect(lines).toEqual([
        expect.objectContaining({
          kind: 'movie_set',
          id: setId,
          what: expect.stringMatching(/^replaced: .*\(3 times: first .*, last .*, 1 between\)$/),
        }),
      ]);
      // Not acknowledged, it comes again; acknowledged, it does not.
      expect((await listAll({}, other)).lines).toEqual(lines);
      expect((await listAll({ seenUntil: last.until })).lines).toEqual([]);
      // A narrower question was answered with the wider one.
      expect((await listAll({ changeType: 'replaced' })).lines).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('tells of a new Set what in it was replaced since, in words and on the page', async () => {
    const since = new Date(Date.now() - 14 * 86_400_000).toISOString();
    const setId = withCatalogue(household.home, (database) => {
      const set = database.only(
        `SELECT s.id FROM sets s JOIN assets a ON a.set_id = s.id
         WHERE s.kind = 'movie_set' AND s.created_at >= ? GROUP BY s.id HAVING count(*) > 1 LIMIT 1`,
        since,
      );
      replaceOne(database, set.integer('id'), 1);
      return set.integer('id');
    });
    await server.call('watch', { add: [{ kind: 'movie_set', id: setId }] });
    const { lines } = await listAll({ since, scope: 'watched' });
    const [told] = lines;
    const [, slot] =
      /^new Set; added: .*; 1 picture replaced since then: (\w+)$/.exec(told?.what ?? '') ?? [];
    expect([told?.what, slot]).toEqual([told?.what, expect.any(String)]);
    const answer = toldBy(await server.call('list_changes', { since, scope: 'watched', slot, page: true }));
    const { page } = z.looseObject({ page: z.string() }).parse(answer);
    expect(await readFile(fileURLToPath(page), 'utf8')).toContain('added, then replaced');
  });

  it('counts the changes by its limit, however many one creator made', async () => {
    const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const most = 3;
    for (let cursor: string | null = null, calls = 0; calls < 6; calls += 1) {
      const asked = { since, limit: most, ...(cursor === null ? {} : { cursor }) };
      const page = changes.parse(toldBy(await server.call('list_changes', asked)));
      expect(page.data.flatMap((own) => own.changes).length).toBeLessThanOrEqual(most);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
  });

  it('names the known types where another one is asked for', async () => {
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const { lines, last } = await listAll({ since, changeType: 'deleted' });
    expect(lines).toEqual([]);
    expect(last.warnings).toContainEqual(expect.stringMatching(/"deleted".*added, updated, replaced/));
    const known = await listAll({ since, changeType: 'added', slot: 'logo' });
    expect(known.last.warnings ?? []).not.toContainEqual(expect.stringContaining('types are'));
  });
});
