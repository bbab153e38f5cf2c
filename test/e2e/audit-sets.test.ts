import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { slotsWords, slotWords } from '../../src/model/slots.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer, toldBy } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { withCatalogue } from '../support/feed-truth.ts';
import { episodesOf, plantSet } from '../support/plant-sets.ts';

const titleCards = slotsWords('titlecard');

const next = z.object({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  why: z.string(),
});
const audits = z.looseObject({
  data: z.array(
    z.looseObject({
      kind: z.string(),
      id: z.int(),
      title: z.string(),
      findings: z.array(z.object({ code: z.string(), words: z.string() })),
      next: next.optional(),
    }),
  ),
  counts: z.object({
    setsInAll: z.int(),
    auditedSoFar: z.int(),
    withFindingsSoFar: z.int(),
    failedSoFar: z.int(),
  }),
  withoutFindings: z.string().optional(),
  nextCursor: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
  next: next.optional(),
});

/** The ids of the line that Sets without findings stand in. */
const idsIn = (line = '') => [...line.matchAll(/(?<=[_a-z] |, )\d+/g)].map(([id]) => Number(id));

let household: Household;
let server: StartedServer;
let folder: string;

beforeAll(async () => {
  household = await startHousehold();
  folder = await mkdtemp(path.join(tmpdir(), 'artwork-audit-'));
  server = await startServer({ ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder });
  await signInThrough(server, household);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await rm(folder, { recursive: true, force: true });
});

const audit = async (args: Record<string, unknown>) => {
  const result = await server.call('audit_sets', args);
  const told = toldBy(result);
  return { ...audits.parse(told), characters: JSON.stringify(told).length };
};

describe('audit_sets', () => {
  it("audits 60 Sets of one's own in three calls", async () => {
    const planted = withCatalogue(household.home, (database) => {
      // Before anything of them was read: a Set that changes hands is none of a catalogue's.
      database.run('UPDATE sets SET owner_id = 3 WHERE owner_id = 1');
      const shows = database.all("SELECT id, title FROM entities WHERE kind = 'show' ORDER BY id LIMIT 20");
      const films = database.all("SELECT id, title FROM entities WHERE kind = 'movie' ORDER BY id LIMIT 40");
      return [
        ...shows.map((show) => {
          const episodes = episodesOf(database, show.integer('id'));
          const pictures = episodes.slice(1).map(({ id }) => ({ kind: 'episode', id, slot: 'titlecard' }));
          const target = { kind: 'show', id: show.integer('id') };
          return plantSet(database, {
            kind: 'show_set',
            target,
            title: `${show.text('title')} · mine`,
            pictures,
          });
        }),
        ...films.map((film) => {
          const target = { kind: 'movie', id: film.integer('id') };
          const pictures = [{ ...target, slot: 'poster' }];
          const kind = 'movie_set' as const;
          return plantSet(database, { kind, target, title: `${film.text('title')} · mine`, pictures });
        }),
      ];
    });
    expect(planted).toHaveLength(60);
    // More than the service shows as destinations: the rest is in the index, under the account's name.
    const ofKind = (at: number) => (at < 20 ? 'show_set' : 'movie_set');
    for (const [at, id] of planted.entries()) {
      toldBy(await server.call('get_set', { kind: ofKind(at), id, limit: 1 }));
    }
    const found = new Map<number, readonly string[]>();
    let calls = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await audit(cursor === undefined ? { mine: true } : { mine: true, cursor });
      calls += 1;
      for (const { id, findings } of page.data)
        found.set(
          id,
          findings.map(({ code }) => code),
        );
      for (const id of idsIn(page.withoutFindings)) found.set(id, []);
      expect(page.data.every(({ findings }) => findings.length > 0)).toBe(true);
      expect(page.counts).toEqual({
        setsInAll: 60,
        auditedSoFar: found.size,
        withFindingsSoFar: [...found.values()].filter((codes) => codes.length > 0).length,
        failedSoFar: 0,
      });
      if (calls === 1) expect(page.warnings?.join()).toContain('60 Sets of the account were found');
      cursor = page.nextCursor;
    }
    expect(calls).toBeLessThanOrEqual(3);
    expect([...found.keys()].sort((one, other) => one - other)).toEqual(planted);
    for (const id of planted.slice(0, 20)) expect(found.get(id)).toContain('missing');
    for (const id of planted.slice(20)) expect(found.get(id)).toEqual([]);
  });

  it('says in one small answer which title cards the Breaking Bad set lacks', async () => {
    const { id, lacks } = withCatalogue(household.home, (database) => {
      const showId = database
        .only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Breaking Bad'")
        .integer('id');
      const all = episodesOf(database, showId);
      const lacking = all.filter(({ season, number }) => season === 3 || (season === 2 && number > 10));
      const has = all.filter((one) => !lacking.includes(one));
      const set = plantSet(database, {
        kind: 'show_set',
        target: { kind: 'show', id: showId },
        title: 'Breaking Bad · Cards of another',
        ownerId: 2,
        pictures: has.map(({ id: episode }) => ({ kind: 'episode', id: episode, slot: 'titlecard' })),
      });
      return { id: set, lacks: lacking.length };
    });
    const { data, characters } = await audit({ kind: 'show_set', id });
    expect(data[0]?.findings).toEqual([
      { code: 'missing', words: `Season 2: 3 of 13 ${titleCards} missing: S02E11–E13.` },
      { code: 'missing', words: `Season 3: all 13 ${titleCards} missing.` },
    ]);
    expect(lacks).toBe(16);
    // A Set of title cards was never meant to have posters.
    expect(data[0]?.without).toContain('poster of season');
    expect(data[0]?.pictures).toEqual([{ of: 'episode', slot: 'titlecard', has: 46, total: 62 }]);
    // Another's Set is not this account's to mend.
    expect(data[0]?.next).toBeUndefined();
    expect(characters).toBeLessThanOrEqual(3_000);
  });

  it('tells apart whole seasons, the specials, what is still to come, and a Set without any picture', async () => {
    const { cards, empty } = withCatalogue(household.home, (database) => {
      const show = database
        .only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Breaking Bad'")
        .integer('id');
      database.run('UPDATE seasons SET season_number = 0 WHERE show_id = ? AND season_number = 5', show);
      database.run('UPDATE episodes SET season_number = 0 WHERE show_id = ? AND season_number = 5', show);
      const all = episodesOf(database, show);
      const of = (season: number) => all.filter((one) => one.season === season);
      // One without a date came before one that was aired; the last one is still to come.
      database.run('UPDATE episodes SET air_date = NULL WHERE id = ?', of(4)[2]?.id ?? 0);
      database.run("UPDATE episodes SET air_date = '2999-01-01' WHERE id = ?", of(4).at(-1)?.id ?? 0);
      const target = { kind: 'show', id: show };
      const plant = (title: string, pictures: Parameters<typeof plantSet>[1]['pictures']) =>
        plantSet(database, { kind: 'show_set', target, title, pictures });
      const first = of(1)[0]?.id ?? 0;
      return {
        cards: plant('Breaking Bad · one card', [{ kind: 'episode', id: first, slot: 'titlecard' }]),
        empty: plant('Breaking Bad · nothing', []),
      };
    });
    const told = await audit({ kind: 'show_set', id: cards });
    expect(told.data[0]?.findings.map(({ words }) => words)).toEqual([
      `Season 1: 6 of 7 ${titleCards} missing: S01E02–E07.`,
      `Seasons S02–S04: all 38 ${titleCards} missing.`,
      `Specials: all 16 ${titleCards} missing.`,
      'Season 4: 1 still to come (the first on 2999-01-01): S04E13.',
    ]);
    const nothing = await audit({ kind: 'show_set', id: empty });
    expect(nothing.data[0]?.findings).toEqual([{ code: 'missing', words: 'The Set has no picture at all.' }]);
  });

  it("finds what is wrong with one's own, each in words, and leads to the plan that mends it", async () => {
    const { id, showId } = withCatalogue(household.home, (database) => {
      const show = database
        .only("SELECT id FROM entities WHERE kind = 'show' AND title = 'Firefly'")
        .integer('id');
      const [first, second, third, fourth, fifth, ahead] = episodesOf(database, show);
      const all = episodesOf(database, show);
      database.run("UPDATE episodes SET air_date = '2999-01-01' WHERE id = ?", ahead?.id ?? 0);
      database.run("UPDATE episodes SET air_date = '2026-02-03' WHERE id = ?", fifth?.id ?? 0);
      const left = new Set([fourth?.id, fifth?.id, ahead?.id]);
      const cards = all.filter((one) => !left.has(one.id)).map((one) => one.id);
      return {
        showId: show,
        id: plantSet(database, {
          kind: 'show_set',
          target: { kind: 'show', id: show },
          title: 'Firefly · all that can be wrong',
          pictures: [
            ...cards.map((episode) => ({
              kind: 'episode',
              id: episode,
              slot: 'titlecard',
              ...(episode === second?.id ? { width: 1000, height: 1500 } : {}),
              ...(episode === third?.id ? { languageCode: 'de' } : {}),
            })),
            { kind: 'episode', id: first?.id ?? 0, slot: 'titlecard' },
            { kind: 'episode', id: 999_999_999, slot: 'titlecard' },
          ],
        }),
      };
    });
    const answer = await audit({ kind: 'show_set', id });
    const [found] = answer.data;
    expect(found?.findings.map(({ code, words }) => [code, words])).toEqual([
      ['missing', `Season 1: 2 of 10 ${titleCards} missing: S01E04–E05.`],
      ['older_than_episodes', expect.stringContaining('last changed on 2026-01-02, and 1 episode')],
      ['ghost', expect.stringContaining('episode 999999999')],
      ['doubled', `2 ${titleCards} in one place: S01E01.`],
      ['wrong_ratio', `1 ${slotWords('titlecard')} not 16:9: S01E02 (1000×1500).`],
      ['mixed_language', 'Languages are mixed: the Set is in en, but 1 in de (S01E03).'],
      ['not_yet_aired', expect.stringContaining('1 still to come (the first on 2999-01-01): S01E06')],
    ]);
    expect(answer.characters).toBeLessThanOrEqual(3_000);
    expect(answer.next).toEqual({
      tool: 'plan_set',
      arguments: { folder, entryTargetKind: 'show', entryTargetId: showId, setId: id },
      why: expect.any(String),
    });
    const plan = await server.call(String(answer.next?.tool), answer.next?.arguments ?? {});
    expect(plan.isError).toBeUndefined();
  });

  it('leads from the kind of a work to all its Sets, and from that of a Set to the Set', async () => {
    for (const kind of ['show', 'season', 'episode', 'movie', 'collection', 'game', 'company', 'network']) {
      const { next: meant } = errorOf(await server.call('audit_sets', { kind, id: 17 }));
      expect(meant).toMatchObject({ tool: 'audit_sets', arguments: { targetKind: kind, targetId: 17 } });
    }
    const { next: meant } = errorOf(
      await server.call('audit_sets', { targetKind: 'show_set', targetId: 17 }),
    );
    expect(meant).toMatchObject({ tool: 'audit_sets', arguments: { kind: 'show_set', id: 17 } });
  });

  it('says what would do where arguments name no Sets, or several kinds of them', async () => {
    for (const args of [{}, { kind: 'show_set' }, { mine: true, kind: 'show_set', id: 1 }, { targetId: 5 }]) {
      const { error } = errorOf(await server.call('audit_sets', args));
      expect(error).toMatchObject({
        category: 'invalid_arguments',
        message: expect.stringContaining('one of kind with id, targetKind with targetId, or mine: true'),
      });
    }
    const missing = errorOf(await server.call('audit_sets', { kind: 'show_set', id: 1 }));
    expect(missing.error).toMatchObject({ category: 'not_found' });
  });
});
