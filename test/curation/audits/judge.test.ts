import { describe, expect, it } from 'vitest';
import { findingsOfSet } from '../../../src/curation/audits/findings.ts';
import { type HeldPicture, type HeldSet, heldByOwner } from '../../../src/curation/audits/held.ts';
import { type Member, readReference } from '../../../src/curation/audits/set-facts.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';

const today = '2026-11-22';

/** A show of seasons with so many episodes, as public reads show it. */
function catalogueOf(seasons: Readonly<Record<number, readonly (string | null)[]>>) {
  return {
    async readEntity(kind: string, id: number | string): Promise<never> {
      const found =
        kind === 'show'
          ? {
              id: 1,
              title: 'A Show',
              year: 2001,
              seasons: Object.keys(seasons).map((number) => ({
                id: 10 + Number(number),
                seasonNumber: Number(number),
              })),
            }
          : {
              id,
              title: '',
              seasonNumber: Number(id) - 10,
              episodes: (seasons[Number(id) - 10] ?? []).map((airDate, at) => ({
                id: Number(id) * 100 + at + 1,
                title: `Episode ${at + 1}`,
                episodeNumber: at + 1,
                airDate,
              })),
            };
      // What the client hands over has the type of its kind.
      return found as never;
    },
  };
}

async function membersOf(seasons: Parameters<typeof catalogueOf>[0]): Promise<readonly Member[]> {
  return (await readReference(catalogueOf(seasons), { kind: 'show', id: 1 }, today, deadlineIn(1_000))) ?? [];
}

function card(season: number, episode: number, more: Partial<HeldPicture> = {}): HeldPicture {
  return {
    target: { kind: 'episode', id: (10 + season) * 100 + episode },
    slot: 'titlecard',
    assetId: `${season}-${episode}`,
    path: `/artwork/${season}-${episode}.png`,
    language: 'en',
    size: { width: 1920, height: 1080 },
    changedAt: '2026-11-01T00:00:00Z',
    ...more,
  };
}

function setOf(pictures: readonly HeldPicture[]): HeldSet {
  return {
    set: { kind: 'show_set', id: 5, title: 'A Set', by: 'ann', own: true, changedAt: '2026-11-01T00:00:00Z' },
    work: { kind: 'show', id: 1, title: 'A Show (2001)' },
    language: 'en',
    pictures,
  };
}

const aired = (count: number): string[] => Array.from({ length: count }, () => '2001-02-03');

async function wordsFor(seasons: Parameters<typeof catalogueOf>[0], pictures: readonly HeldPicture[]) {
  const members = await membersOf(seasons);
  const { findings } = findingsOfSet({ held: setOf(pictures), members, gone: new Map(), bytes: new Map() });
  return findings.map(({ words }) => words);
}

describe('what is missing', () => {
  it('is told season by season, and seasons that lack all together, the specials apart', async () => {
    const seasons = { 0: aired(3), 1: aired(4), 2: aired(5), 3: aired(6) };
    expect(await wordsFor(seasons, [card(1, 1), card(1, 3)])).toEqual([
      'Season 1: 2 of 4 title cards missing: S01E02, S01E04.',
      'Seasons S02–S03: all 11 title cards missing.',
      'Specials: all 3 title cards missing.',
    ]);
  });

  it('is nothing of a slot that the Set has nothing in', async () => {
    const members = await membersOf({ 1: aired(2) });
    const judged = findingsOfSet({
      held: setOf([card(1, 1), card(1, 2)]),
      members,
      gone: new Map(),
      bytes: new Map(),
    });
    expect(judged.findings).toEqual([]);
    expect(judged.without).toContain('poster of season');
    expect(judged.slots).toEqual([{ of: 'episode', slot: 'titlecard', has: 2, total: 2 }]);
  });

  it('is everything of a Set without any picture', async () => {
    expect(await wordsFor({ 1: aired(2) }, [])).toEqual(['The Set has no picture at all.']);
  });

  it('is not what is still to come, which a missing date may mean', async () => {
    const seasons = { 1: ['2026-11-01', null, '2026-11-22', '2026-11-23', null], 2: [null, null] };
    const words = await wordsFor(seasons, [card(1, 1)]);
    expect(words).toEqual([
      'Season 1: 2 of 3 title cards missing: S01E02–E03.',
      expect.stringContaining('1 episode without a title card was aired since then: S01E03'),
      'Season 1: 2 still to come (the first on 2026-11-23): S01E04–E05.',
      'Season 2: 2 still to come (no date yet): S02E01–E02.',
    ]);
    // Where nothing has a date, nothing can be told from it.
    expect(await wordsFor({ 1: [null, null] }, [card(1, 1)])).toEqual([
      'Season 1: 1 of 2 title cards missing: S01E02.',
    ]);
  });
});

describe('an audit', () => {
  it('judges nothing that is not known', async () => {
    const unknown = { language: undefined, size: null, changedAt: null } as const;
    const members = await membersOf({ 1: aired(1) });
    const judged = findingsOfSet({
      held: setOf([card(1, 1, unknown)]),
      members,
      gone: new Map(),
      bytes: new Map(),
    });
    expect(judged.findings).toEqual([]);
    expect(judged.unchecked).toEqual([
      'The ratio of 1 picture: the service does not tell the size.',
      'The language of 1 picture: the service does not tell it.',
    ]);
  });

  it('finds one picture in two places, by its bytes where they are known', async () => {
    const members = await membersOf({ 1: aired(2) });
    const bytes = new Map([
      ['1-1', 'same'],
      ['1-2', 'same'],
    ]);
    const { findings } = findingsOfSet({
      held: setOf([card(1, 1), card(1, 2)]),
      members,
      gone: new Map(),
      bytes,
    });
    expect(findings.map(({ words }) => words)).toEqual([
      'One and the same picture stands in 2 places: S01E01–E02.',
    ]);
  });

  it('is null where the work has gone, and an error where it can’t be read', async () => {
    const failing = (error: Error) => ({ readEntity: () => Promise.reject(error) });
    const gone = failing(new ArtworkError('not_found', 'No.'));
    expect(await readReference(gone, { kind: 'show', id: 1 }, today, deadlineIn(1_000))).toBeNull();
    const down = failing(new ArtworkError('service_unavailable', 'Down.'));
    await expect(
      readReference(down, { kind: 'movie', id: 1 }, today, deadlineIn(1_000)),
    ).rejects.toMatchObject({
      category: 'service_unavailable',
    });
  });

  it('takes no owned record whose pictures can’t all be read', () => {
    const asset = {
      id: '00000000-0000-4000-8000-000000000001',
      slot: 'poster',
      target: { kind: 'movie', id: 1 },
    };
    const record = { id: 5, kind: 'movie_set', title: 'A Set', target: { kind: 'movie', id: 1 } };
    expect(heldByOwner(5, { ...record, assets: [asset] })?.pictures).toHaveLength(1);
    for (const odd of [7, {}, { ...asset, target: null }, { ...asset, target: { kind: 'shelf', id: 1 } }]) {
      expect(heldByOwner(5, { ...record, assets: [asset, odd] })).toBeNull();
    }
    expect(heldByOwner(5, record)).toBeNull();
  });
});
