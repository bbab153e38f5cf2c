import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { withCatalogue } from '../support/feed-truth.ts';
import { plantSet } from '../support/plant-sets.ts';

// The interface document shows of an own Set its id and revision alone: what else a record has may be anything.

const audits = z.looseObject({
  data: z.array(
    z.looseObject({
      kind: z.string(),
      id: z.int(),
      own: z.boolean().optional(),
      findings: z.array(z.looseObject({ words: z.string() })).optional(),
      notChecked: z.array(z.string()).optional(),
      error: z.looseObject({ message: z.string() }).optional(),
    }),
  ),
  withoutFindings: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  counts: z.looseObject({ failedSoFar: z.int() }),
});

let household: FailingHousehold;
let server: StartedServer;
/** One lacks its poster, the other nothing. */
let gap: number;
let whole: number;

beforeAll(async () => {
  household = await startFailingHousehold();
  server = await startServer(await registered(household));
  await signInThrough(server, household);
  [gap, whole] = withCatalogue(household.home, (database) => {
    database.run('UPDATE sets SET owner_id = 3 WHERE owner_id = 1');
    const films = database.all(
      "SELECT parent_id AS id, min(id) AS film FROM entities WHERE kind = 'movie' AND parent_id IS NOT NULL GROUP BY parent_id HAVING count(*) > 1 LIMIT 1",
    );
    const [collection] = films;
    const film = collection?.integer('film') ?? 0;
    const id = collection?.integer('id') ?? 0;
    const poster = [{ kind: 'movie', id: film, slot: 'poster' }];
    return [
      plantSet(database, {
        ...{ kind: 'collection_set', title: 'Some of its films', pictures: poster },
        target: { kind: 'collection', id },
      }),
      plantSet(database, {
        ...{ kind: 'movie_set', title: 'A film', pictures: poster },
        target: { kind: 'movie', id: film },
      }),
    ];
  });
});

afterAll(async () => {
  await server.stop();
  await household.remove();
});

afterEach(() => household.control.heal());

/** From now on the account's own records are these. */
const answerWith = (records: Readonly<Record<number, object>>) =>
  household.control.fail(
    ...Object.entries(records).map(([id, data]) => ({
      ...{ method: 'GET' as const, path: `/me/sets/${id}`, do: 'answer', when: 'after', status: 200 },
      ...{ body: { data }, count: 50 },
    })),
  );

const audit = async (args: Record<string, unknown>) =>
  audits.parse(toldBy(await server.call('audit_sets', args)));

const shapes = (id: number): readonly (readonly [string, object])[] => [
  ['only what the document shows', { id, updatedAt: '2026-11-01T00:00:00.000Z' }],
  ['its Assets by their ids', { id, updatedAt: '7', assets: ['00000000-0000-4000-8000-000000000001'] }],
  ['its Assets as a record', { id, updatedAt: '7', setKind: 'media_set', assets: { posters: [] } }],
  [
    'one Asset that does not say what it is of',
    { id, updatedAt: '7', kind: 'media_set', assets: [{ slot: 'poster' }] },
  ],
  ['a revision of another type', { id, updatedAt: { at: 7 } }],
];

it.each([0, 1, 2, 3, 4])(
  'audits by its public record an own Set whose record shows it otherwise (%i)',
  async (at) => {
    const [name = '', record = {}] = shapes(gap)[at] ?? [];
    await answerWith({ [gap]: record });
    for (const kind of ['collection_set', 'media_set']) {
      const { data } = await audit({ kind, id: gap });
      expect([name, data]).toEqual([name, [expect.objectContaining({ kind: 'collection_set', own: true })]]);
      expect(data[0]?.findings?.map(({ words }) => words)).toContainEqual(
        expect.stringMatching(/^\d+ posters? missing/),
      );
      expect(data[0]?.notChecked).toContainEqual(expect.stringMatching(/^What is not published yet: /));
    }
  },
);

it('finds among all of one’s own which kind each is, and says once what could not be told', async () => {
  await answerWith(
    Object.fromEntries([gap, whole].map((id) => [id, { id, updatedAt: '2026-11-01T00:00:00.000Z' }])),
  );
  const { data, withoutFindings, warnings, counts } = await audit({ mine: true });
  expect(counts.failedSoFar).toBe(0);
  expect(data).toEqual([expect.objectContaining({ kind: 'collection_set', id: gap })]);
  expect(data[0]?.notChecked ?? []).not.toContainEqual(expect.stringContaining('not published'));
  expect(withoutFindings).toMatch(new RegExp(`^1 Set: movie_set ${whole}\\.`));
  expect(warnings).toContainEqual(
    expect.stringMatching(/^Not checked in 2 Sets: What is not published yet: /),
  );
});

it('says of one that neither read shows that it is one’s own, and no one else’s', async () => {
  await answerWith({ [whole]: { id: whole, updatedAt: '7' } });
  await household.control.fail(
    ...['show-set', 'movie-set', 'game-set', 'collection-set'].map((set) => ({
      ...{ method: 'GET' as const, path: `/${set}/${whole}`, do: 'answer', status: 404, count: 9 },
      body: { data: null, error: { code: 'not_found', message: 'Not there.' } },
    })),
  );
  const { error } = errorOf(await server.call('audit_sets', { kind: 'media_set', id: whole }));
  expect(error.message).toContain('is the connected account');
  expect(error.message).not.toContain('none of');
});
