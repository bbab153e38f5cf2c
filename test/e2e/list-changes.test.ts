import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addAsset } from '../../src/sandbox/artwork/assets.ts';
import { editSet } from '../../src/sandbox/artwork/sets.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { replacedSince, replaceOne, withCatalogue } from '../support/feed-truth.ts';
import { episodesOf, plantSet } from '../support/plant-sets.ts';

const change = z.strictObject({
  slot: z.string().optional(),
  label: z.string().optional(),
  what: z.string(),
  times: z.int().min(1),
  firstAt: z.iso.date().optional(),
  at: z.iso.date(),
  assetId: z.uuid().optional(),
});
const changes = z.looseObject({
  data: z.array(
    z.strictObject({
      by: z.string().nullable(),
      targets: z.array(
        z.strictObject({
          kind: z.string(),
          id: z.int(),
          title: z.string().nullable(),
          of: z.string().optional(),
          changes: z.array(change).min(1),
        }),
      ),
    }),
  ),
  nextCursor: z.string().nullable(),
  since: z.string(),
  today: z.iso.date(),
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
  readonly lines: (Changes['data'][number]['targets'][number] & { readonly by: string | null })[];
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
    for (const { by, targets: own } of page.data) lines.push(...own.map((one) => ({ ...one, by })));
    if (page.nextCursor === null) return { lines, last: page, calls, characters };
    cursor = page.nextCursor;
  }
}

describe('list_changes', () => {
  it('tells in two calls what was replaced in a week, by whom, and each change with its Asset', async () => {
    const since = new Date(Date.now() - 7 * 24 * 60 * 60_000).toISOString();
    const truth = withCatalogue(household.home, (database) => replacedSince(database, since));
    const told = await listAll({ since, changeType: 'replaced' });
    expect(truth.length).toBeGreaterThan(60);
    for (const { assetId, title, by, slot } of truth) {
      // A long title is cut, and an episode has its show before it.
      const line = told.lines.find(
        (one) =>
          one.by === by &&
          one.title?.includes(title.slice(0, 40)) === true &&
          one.changes.some((own) => own.assetId === assetId),
      );
      expect([title, by, line?.changes.find((own) => own.assetId === assetId)]).toEqual([
        ...[title, by],
        expect.objectContaining({ slot, what: 'replaced' }),
      ]);
    }
    const places = told.lines.map(({ kind, id, by }) => `${kind} ${id} ${by}`);
    expect(new Set(places).size).toBe(places.length);
    expect(told.last).toMatchObject({ coverage: { complete: true }, until: expect.any(String) });
    expect(told.calls).toBeLessThanOrEqual(2);
    expect(told.characters / truth.length).toBeLessThanOrEqual(220);
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
          changes: [
            {
              ...{ slot: expect.any(String), what: 'replaced', times: 3, assetId: expect.any(String) },
              ...{ firstAt: last.today, at: last.today },
            },
          ],
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
    expect(told?.changes[0]).toEqual({ what: 'added', times: 1, at: expect.any(String) });
    const slot = told?.changes.find(({ what }) => what === 'replaced')?.slot;
    expect(told?.changes.filter((own) => own.slot === slot)).toEqual([
      { slot, what: 'added', times: 1, at: expect.any(String) },
      { slot, what: 'replaced', times: 1, at: expect.any(String), assetId: expect.any(String) },
    ]);
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
      expect(
        page.data.flatMap((own) => own.targets.flatMap((one) => one.changes)).length,
      ).toBeLessThanOrEqual(most);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
  });

  it('tells a large Set in parts, each change once and with its Asset', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const { setId, cards } = withCatalogue(household.home, (database) => {
      const show = database.only("SELECT id FROM shows WHERE title = 'Breaking Bad'").integer('id');
      const target = { kind: 'show', id: show };
      const title = 'Breaking Bad · all cards';
      const id = plantSet(database, { kind: 'show_set', target, title, ownerId: 4, pictures: [] });
      const at = new Date().toISOString();
      const ids = episodesOf(database, show).map((episode) => {
        const assetId = randomUUID();
        addAsset(database, {
          ...{ id: assetId, slot: 'titlecard', targetKind: 'episode', targetId: episode.id, setId: id },
          ...{ ownerId: 4, languageCode: 'en', editionId: null, format: 'png', uploadedFile: null },
          ...{ width: 1920, height: 1080, createdAt: at, publicFrom: at },
        });
        return assetId;
      });
      editSet(database, id, {}, at);
      return { setId: id, cards: ids };
    });
    const told = await listAll({ since, slot: 'titlecard', limit: 20 });
    const parts = told.lines.filter(({ id }) => id === setId);
    expect(parts.length).toBeGreaterThan(1);
    const changes = parts.flatMap((part) => part.changes);
    expect(changes.map(({ assetId }) => assetId).sort()).toEqual([...cards].sort());
    expect(changes[0]).toMatchObject({ slot: 'titlecard', label: 'S01E01', what: 'added', times: 1 });
    // By its creator alone, as people write the name.
    const [{ by = null } = {}] = parts;
    expect(by).toMatch(/[^a-z]/);
    const own = await listAll({
      since,
      slot: 'titlecard',
      createdBy: by?.toUpperCase().replace(/[^A-Z]/g, ' '),
    });
    expect(own.lines.flatMap((line) => line.changes)).toHaveLength(cards.length);
    expect(new Set(own.lines.map((line) => line.by))).toEqual(new Set([by]));
    expect((await listAll({ since, createdBy: 'no such creator' })).lines).toEqual([]);
  });

  it('tells what day it is, with the answer and where a time is refused', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { last } = await listAll({ since: new Date(Date.now() - 60_000).toISOString() });
    expect(last.today).toBe(today);
    for (const args of [{ since: 'yesterday' }, { since: '2999-01-01' }, { seenUntil: '2999-01-01' }]) {
      const { error } = errorOf(await server.call('list_changes', args));
      expect(String(error.message).toLowerCase()).toContain(`today is ${today}`);
    }
  });

  it.each([
    ['read_feed', { feed: 'assets' }],
    ['list_changes', {}],
    ['list_mutations', {}],
  ])('%s refuses a since that lies in the future, and tells what day it is', async (tool, args) => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const since of ['2999-01-01', tomorrow]) {
      const { error } = errorOf(await server.call(tool, { ...args, since }));
      const told = 'it lies in the future): give one that is past, or leave it out; today is 20';
      expect(error).toMatchObject({ category: 'invalid_arguments', message: expect.stringContaining(told) });
    }
    const today = new Date().toISOString().slice(0, 10);
    expect(JSON.stringify(await server.call(tool, { ...args, since: today }))).not.toContain(
      'wrong arguments',
    );
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
