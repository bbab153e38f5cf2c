import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { addAsset } from '../../src/sandbox/artwork/assets.ts';
import { editSet } from '../../src/sandbox/artwork/sets.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { replaceOne, withCatalogue } from '../support/feed-truth.ts';
import { episodesOf, plantSet } from '../support/plant-sets.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

const page = z.looseObject({
  data: z.array(
    z.object({
      by: z.string().nullable(),
      targets: z.array(
        z.looseObject({
          kind: z.string(),
          id: z.int(),
          changes: z.array(z.looseObject({ slot: z.string().optional(), assetId: z.string().optional() })),
        }),
      ),
    }),
  ),
  nextCursor: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
});

let household: FailingHousehold;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
/** The Set of each account in which something was just replaced. */
let replaced: ReadonlyMap<number, number>;
const since = new Date(Date.now() - 60_000).toISOString();

beforeAll(async () => {
  household = await startFailingHousehold();
  folder = await temporaryFolder();
  server = await startServer({ ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path });
  await signInThrough(server, household);
  replaced = withCatalogue(
    household.home,
    (database) =>
      new Map(
        [1, 2, 3].map((owner) => {
          const id = database
            .only("SELECT min(id) AS id FROM sets WHERE owner_id = ? AND kind = 'movie_set'", owner)
            .integer('id');
          replaceOne(database, id, owner);
          return [owner, id];
        }),
      ),
  );
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

async function idsOf(args: Record<string, unknown>) {
  const ids: number[] = [];
  const warnings: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = { since, ...args, ...(cursor === undefined ? {} : { cursor }) };
    const answer = page.parse(toldBy(await server.call('list_changes', asked)));
    for (const { targets } of answer.data) ids.push(...targets.map(({ id }) => id));
    warnings.push(...(answer.warnings ?? []));
    cursor = answer.nextCursor;
  }
  return { ids, warnings };
}

it('tells of the account’s own alone, with scope mine', async () => {
  const { ids } = await idsOf({ scope: 'mine' });
  expect(ids).toEqual([replaced.get(1)]);
});

it('finds as many Sets of one’s own as audit_sets', async () => {
  const { counts } = z
    .looseObject({ counts: z.looseObject({ setsInAll: z.int() }) })
    .parse(toldBy(await server.call('audit_sets', { mine: true, limit: 1 })));
  const { warnings = [] } = page.parse(toldBy(await server.call('list_changes', { scope: 'mine' })));
  expect(warnings.join()).toContain(`${counts.setsInAll} Sets of the account were found`);
});

it('tells of the creators who are followed, with scope followed', async () => {
  const nobody = await idsOf({ scope: 'followed', changeType: 'replaced' });
  const before = await server.call('list_relationships');
  const listed = z
    .object({
      data: z.array(z.looseObject({ targetId: z.int(), relationship: z.string(), updatedAt: z.string() })),
    })
    .parse(toldBy(before));
  const known = listed.data.find(({ targetId }) => targetId === 3);
  const others = listed.data.filter(
    ({ relationship, targetId }) => relationship === 'follow' && targetId !== 3,
  );
  expect(nobody.ids.includes(replaced.get(2) ?? 0)).toBe(others.some(({ targetId }) => targetId === 2));
  const follow = await server.call('change_relationship', {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: known?.updatedAt ?? 'none',
    targetKind: 'user',
    targetId: 3,
    relationship: 'follow',
  });
  expect(follow.isError).toBeUndefined();
  const { ids } = await idsOf({ scope: 'followed', changeType: 'replaced' });
  expect(ids).toContain(replaced.get(3));
  expect(ids).not.toContain(replaced.get(1));
});

it('narrows by slot and by kind of change', async () => {
  const all = await idsOf({});
  expect(new Set(all.ids)).toEqual(new Set(replaced.values()));
  expect((await idsOf({ changeType: 'added' })).ids).toEqual([]);
  expect((await idsOf({ slot: 'titlecard' })).ids).toEqual([]);
  expect(new Set((await idsOf({ changeType: 'updated' })).ids)).toEqual(new Set(replaced.values()));
});

it('shows on its page what was replaced by a file of another type, of one’s own and of others', async () => {
  const answer = await server.call('list_changes', { since, changeType: 'replaced', page: true });
  const { page: uri } = z.looseObject({ page: z.string() }).parse(toldBy(answer));
  const text = await readFile(fileURLToPath(uri), 'utf8');
  const before = text.match(/<div class="side[^"]*">(?:(?!<\/div>).)*Before<\/p>/gs) ?? [];
  expect(before).toHaveLength(replaced.size);
  for (const side of before) expect(side).toContain('<img src="data:');
});

it('needs an account for what is the account’s, and none for the rest', async () => {
  const stranger = await startServer({ ARTWORK_HOME: household.home, ARTWORK_USER: 'stranger' });
  try {
    for (const scope of ['mine', 'followed']) {
      const { error } = errorOf(await stranger.call('list_changes', { scope }));
      expect(error).toMatchObject({ category: 'not_connected' });
    }
    const all = await stranger.call('list_changes', { since });
    expect(all.isError).toBeUndefined();
  } finally {
    await stranger.stop();
  }
});

/** Adds a picture as another creator does. */
function addAnother(
  target: { readonly kind: string; readonly id: number },
  slot: string,
  setId: number | null,
) {
  const id = randomUUID();
  const at = new Date().toISOString();
  withCatalogue(household.home, (database) => {
    addAsset(database, {
      ...{ id, slot, targetKind: target.kind, targetId: target.id, setId, ownerId: 2 },
      ...{ languageCode: 'en', editionId: null, format: 'png', uploadedFile: null },
      ...{ width: 1000, height: 1500, createdAt: at, publicFrom: at },
    });
    if (setId !== null) editSet(database, setId, {}, at);
  });
  return id;
}

const changesOf = async (
  args: Record<string, unknown>,
  target: { readonly kind: string; readonly id: number },
) => {
  const asked = { since: new Date(Date.now() - 300_000).toISOString(), slot: 'poster', limit: 200, ...args };
  const { data } = page.parse(toldBy(await server.call('list_changes', asked)));
  return data.flatMap(({ by, targets }) =>
    targets
      .filter(({ kind, id }) => kind === target.kind && id === target.id)
      .flatMap(({ changes }) => changes.map(({ assetId }) => ({ by, assetId }))),
  );
};

it('tells with scope mine of no change that others made on a film of one’s own, whatever its lists show', async () => {
  const film = withCatalogue(household.home, (database) => ({
    kind: 'movie',
    id: database.only("SELECT id FROM movies WHERE title = 'Arrival'").integer('id'),
  }));
  const upload = await server.call('upload_asset', {
    ...{ clientMutationId: randomUUID(), expectedUpdatedAt: 'none', operation: 'add', slot: 'poster' },
    ...{ file: await writePoster(folder.path), targetKind: film.kind, targetId: film.id, languageCode: 'en' },
  });
  const { id } = z.looseObject({ id: z.looseObject({ id: z.string() }) }).parse(toldBy(upload));
  const own = id.id;
  const other = addAnother(film, 'poster', null);
  // The interface document does not show that the elements of lists name their creators.
  const record = await (await fetch(`${household.baseUrl}/movies/${film.id}`)).json();
  const body = JSON.parse(
    JSON.stringify(record, (name, value) => (name === 'createdBy' ? undefined : value)),
  );
  const path = `/movies/${film.id}`;
  await household.control.fail({ method: 'GET', path, do: 'answer', status: 200, body, count: 100 });
  try {
    const ids = async () => (await changesOf({}, film)).map(({ assetId }) => assetId);
    // It takes a moment to be published.
    await expect.poll(ids, { timeout: 20_000 }).toEqual(expect.arrayContaining([own, other]));
    expect(await changesOf({ scope: 'mine' }, film)).toEqual([{ by: expect.any(String), assetId: own }]);
    const named = await server.call('list_changes', { since, createdBy: 'quiet.reel' });
    expect(page.parse(toldBy(named)).warnings).toContainEqual(
      expect.stringContaining('the service does not show who made'),
    );
  } finally {
    await household.control.heal();
  }
});

it('tells of a watched season no change of another season of its Set', async () => {
  const { season, cards, set } = withCatalogue(household.home, (database) => {
    const show = database.only("SELECT id FROM shows WHERE title = 'Breaking Bad'").integer('id');
    const first = 'SELECT id FROM seasons WHERE show_id = ? AND season_number = 1';
    const all = episodesOf(database, show);
    const target = { kind: 'show', id: show };
    return {
      season: database.only(first, show).integer('id'),
      cards: [1, 2].map((number) => all.find((one) => one.season === number)?.id ?? 0),
      set: plantSet(database, { kind: 'show_set', target, title: 'Two cards', ownerId: 2, pictures: [] }),
    };
  });
  const [inside] = cards.map((id) => addAnother({ kind: 'episode', id }, 'titlecard', set));
  await server.call('watch', { add: [{ kind: 'season', id: season }] });
  const target = { kind: 'show_set', id: set };
  expect(await changesOf({ slot: 'titlecard' }, target)).toHaveLength(2);
  expect(await changesOf({ slot: 'titlecard', scope: 'watched' }, target)).toEqual([
    { by: expect.any(String), assetId: inside },
  ]);
});
