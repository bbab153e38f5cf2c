import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { replaceOne, withCatalogue } from '../support/feed-truth.ts';

const page = z.looseObject({
  data: z.array(
    z.object({
      by: z.string().nullable(),
      changes: z.array(z.looseObject({ kind: z.string(), id: z.int(), what: z.string() })),
    }),
  ),
  nextCursor: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
});

let household: Household;
let server: StartedServer;
/** The Set of each account in which something was just replaced. */
let replaced: ReadonlyMap<number, number>;
const since = new Date(Date.now() - 60_000).toISOString();

beforeAll(async () => {
  household = await startHousehold();
  server = await startServer(await registered(household));
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
});

async function idsOf(args: Record<string, unknown>) {
  const ids: number[] = [];
  const warnings: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = { since, ...args, ...(cursor === undefined ? {} : { cursor }) };
    const answer = page.parse(toldBy(await server.call('list_changes', asked)));
    for (const { changes } of answer.data) ids.push(...changes.map(({ id }) => id));
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
