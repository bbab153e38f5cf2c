import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { withCatalogue } from '../support/feed-truth.ts';
import { episodesOf, plantSet } from '../support/plant-sets.ts';

const audits = z.looseObject({
  data: z.array(
    z.looseObject({
      kind: z.string(),
      id: z.int(),
      findings: z.array(z.object({ code: z.string(), words: z.string() })).optional(),
      notChecked: z.array(z.string()).optional(),
    }),
  ),
  withoutFindings: z.string().optional(),
  nextCursor: z.string().nullable(),
  counts: z.looseObject({ setsInAll: z.int() }),
  warnings: z.array(z.string()).optional(),
});

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

const audit = async (args: Record<string, unknown>, by = server) =>
  audits.parse(toldBy(await by.call('audit_sets', args)));

/** Those with something to tell of, and those of the line that needs nothing. */
function idsOn({ data, withoutFindings = '' }: z.output<typeof audits>): number[] {
  const inOrder = [...withoutFindings.matchAll(/(?<=[_a-z] |, )\d+/g)].map(([id]) => Number(id));
  return [...new Set([...data.map(({ id }) => id), ...inOrder])];
}

/** Ids of all pages, in turns of two processes. */
async function idsOf(args: Record<string, unknown>): Promise<number[]> {
  const other = await startServer({ ARTWORK_HOME: household.home });
  try {
    const ids: number[] = [];
    let turn = 0;
    for (let cursor: string | null | undefined; cursor !== null; turn += 1) {
      const page = await audit(
        cursor === undefined ? args : { ...args, cursor },
        turn % 2 === 0 ? server : other,
      );
      ids.push(...idsOn(page));
      cursor = page.nextCursor;
    }
    return ids;
  } finally {
    await other.stop();
  }
}

const sorted = (ids: readonly number[]) => [...ids].sort((one, other) => one - other);

it('audits all Sets of a show, and of its season, in pages that another process goes on with', async () => {
  const { show, season, sets } = withCatalogue(household.home, (database) => {
    const id = database
      .only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Breaking Bad'")
      .integer('id');
    return {
      show: id,
      season: database
        .only("SELECT id FROM entities WHERE kind = 'season' AND parent_id = ? LIMIT 1", id)
        .integer('id'),
      sets: database
        .all("SELECT id FROM sets WHERE kind = 'show_set' AND target_id = ? ORDER BY id", id)
        .map((row) => row.integer('id')),
    };
  });
  expect(sets.length).toBeGreaterThan(1);
  expect(sorted(await idsOf({ targetKind: 'show', targetId: show, limit: 1 }))).toEqual(sets);
  expect(sorted(await idsOf({ targetKind: 'season', targetId: season }))).toEqual(sets);
});

it('says of each of several Sets what could not be checked', async () => {
  const show = withCatalogue(household.home, (database) => {
    const id = database
      .only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Firefly'")
      .integer('id');
    for (const [at, title] of ['Firefly · one', 'Firefly · two', 'Firefly · but one'].entries()) {
      plantSet(database, {
        kind: 'show_set',
        target: { kind: 'show', id },
        title,
        pictures: episodesOf(database, id)
          .slice(at === 2 ? 1 : 0)
          .map((one) => ({ kind: 'episode', id: one.id, slot: 'titlecard' })),
        ownerId: 4,
      });
    }
    return id;
  });
  const several = await audit({ targetKind: 'show', targetId: show });
  expect(several.data.map(({ notChecked }) => notChecked)).toContainEqual([
    expect.stringMatching(/^The ratio and language of \d+ pictures: .* not read here/),
  ]);
  // Those without findings stand in one line, which says of which not all could be checked.
  expect(several.withoutFindings).toMatch(
    /^\d Sets: show_set \d+, [\d, ]+\. Not all could be checked in .*: audit_sets with kind and id says what\.$/,
  );
  // What was not asked for is there to be asked.
  const ids = idsOn(several);
  expect(ids.length).toBeGreaterThan(2);
  for (const id of ids) expect((await audit({ kind: 'show_set', id })).data[0]?.notChecked).toBeUndefined();
});

it('audits the Sets of a film that its pictures name, and says that there may be others', async () => {
  const { film, sets } = withCatalogue(household.home, (database) => {
    const id = database
      .only("SELECT id FROM entities WHERE kind = 'movie' AND title = 'Arrival'")
      .integer('id');
    const own = database.all(
      "SELECT DISTINCT set_id FROM assets WHERE target_kind = 'movie' AND target_id = ? AND set_id IS NOT NULL",
      id,
    );
    return { film: id, sets: own.map((row) => row.integer('set_id')) };
  });
  const found = await audit({ targetKind: 'movie', targetId: film });
  const { warnings } = found;
  expect(sorted(idsOn(found))).toEqual(sorted(sets));
  expect(warnings).toEqual([expect.stringContaining('There may be others')]);
});

it('audits the Sets of a Boxset, a Brand Set and a collection Set', async () => {
  const { boxset, members, brand, collection } = withCatalogue(household.home, (database) => {
    const group = database.only("SELECT id FROM groups WHERE kind = 'boxset' LIMIT 1").integer('id');
    const first = (kind: string) =>
      database.only('SELECT id FROM sets WHERE kind = ? ORDER BY id LIMIT 1', kind).integer('id');
    return {
      boxset: group,
      members: database.all('SELECT id FROM sets WHERE group_id = ?', group).map((row) => row.integer('id')),
      brand: first('brand_set'),
      collection: first('collection_set'),
    };
  });
  expect(sorted(await idsOf({ kind: 'boxset', id: boxset }))).toEqual(sorted(members));
  for (const [kind, id] of [
    ['brand_set', brand],
    ['collection_set', collection],
  ] as const) {
    const { data } = await audit({ kind, id });
    expect(data).toEqual([expect.objectContaining({ kind, id })]);
    expect(data[0]?.notChecked).toBeUndefined();
  }
});

it('of another’s Set checks ratios and languages by what the lists of its episodes show', async () => {
  const id = withCatalogue(household.home, (database) => {
    const show = database
      .only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Firefly'")
      .integer('id');
    const pictures = episodesOf(database, show).map((one, at) => ({
      kind: 'episode',
      id: one.id,
      slot: 'titlecard',
      ...(at === 0 ? { width: 1000, height: 1000 } : {}),
      ...(at === 1 ? { languageCode: 'fr' } : {}),
      ...(at === 2 ? { languageCode: null } : {}),
    }));
    return plantSet(database, {
      kind: 'show_set',
      target: { kind: 'show', id: show },
      title: 'Firefly · odd',
      pictures,
      ownerId: 4,
    });
  });
  const { data } = await audit({ kind: 'show_set', id });
  expect(data[0]?.findings?.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['wrong_ratio', 'mixed_language']),
  );
  expect(data[0]?.notChecked).toBeUndefined();
});

it('leads from an id of another kind to what it is, and refuses a cursor of other arguments', async () => {
  const show = withCatalogue(household.home, (database) =>
    database.only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Breaking Bad'").integer('id'),
  );
  const wrong = errorOf(await server.call('audit_sets', { kind: 'show_set', id: show }));
  expect(wrong).toMatchObject({ error: { category: 'not_found' }, next: { tool: 'get_entity' } });
  const { nextCursor } = await audit({ targetKind: 'show', targetId: show, limit: 1 });
  const foreign = errorOf(
    await server.call('audit_sets', { targetKind: 'show', targetId: show + 1, cursor: nextCursor }),
  );
  expect(foreign.error).toMatchObject({ category: 'invalid_arguments' });
  const named = errorOf(await server.call('audit_sets', { kind: 'show_set', id: 'Breaking Bad' }));
  expect(named.error).toMatchObject({ category: 'invalid_arguments' });
});
