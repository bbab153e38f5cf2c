import { describe, expect, it } from 'vitest';
import { createAuditor } from '../../../src/curation/audit/audit-set.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';

type Json = Readonly<Record<string, unknown>>;
type Records = Readonly<Record<string, Json | Error>>;

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** What a catalogue in memory shows, by `kind id`; an error instead of a record is thrown. */
function auditorOf(
  records: Records,
  owned: Json | null = null,
  bytes: ReadonlyMap<string, string> = new Map(),
) {
  const read = async (kind: string, number: number | string): Promise<never> => {
    const found = records[`${kind} ${number}`] ?? new ArtworkError('not_found', 'Not there.');
    if (found instanceof Error) throw found;
    // What the client hands over has the type of its kind.
    return found as never;
  };
  const ownSets = owned === null ? null : { readSet: async () => owned as never };
  return createAuditor({
    catalogue: { readEntity: read, readSet: read },
    ...{ owned: ownSets, bytes, deadline: deadlineIn(1_000) },
    now: () => Date.UTC(2026, 10, 22),
  });
}

const show = { id: 1, title: 'A Show', year: 2001, seasons: [{ id: 11, seasonNumber: 1 }] };
const episodes = [1, 2].map((number) => ({
  ...{ id: 100 + number, episodeNumber: number, airDate: '2001-02-03', title: `Part ${number}` },
}));
const season = { id: 11, seasonNumber: 1, title: '', episodes };
const catalogue = { 'show 1': show, 'season 11': season };
const publicSet = {
  ...{ id: 5, title: 'A Set', createdBy: 'ann', dateUpdated: '2026-11-01T00:00:00Z', language: 'en' },
  show: {
    ...{ ...show, poster: null },
    seasons: [
      {
        ...{ id: 11, seasonNumber: 1, poster: null },
        episodes: episodes.map((episode) => ({ ...episode, titlecard: `/artwork/${id(episode.id)}.png` })),
      },
    ],
  },
};

describe('an audit', () => {
  it('judges nothing that is not known, and says so', async () => {
    const { findings, unchecked } = await auditorOf({
      ...catalogue,
      'show_set 5': publicSet,
      ...Object.fromEntries(
        episodes.map((episode) => [
          `episode ${episode.id}`,
          { ...episode, assets: { titlecards: [{ path: `/artwork/${id(episode.id)}.png` }] } },
        ]),
      ),
    })({ kinds: ['show_set'], id: 5 });
    expect(findings).toEqual([]);
    expect(unchecked).toHaveLength(2);
  });

  it('finds one picture in two places, by its bytes where they are known', async () => {
    const asset = (number: number) => ({
      ...{ id: id(number), slot: 'titlecard', target: { kind: 'episode', id: number } },
      ...{ width: 1920, height: 1080, languageCode: 'en' },
    });
    const own = { id: 5, kind: 'show_set', title: 'A Set', target: { kind: 'show', id: 1 } };
    const record = { ...own, updatedAt: '2026-11-01T00:00:00Z', assets: [asset(101), asset(102)] };
    const bytes = new Map([101, 102].map((number) => [id(number), 'same']));
    const { findings } = await auditorOf(catalogue, record, bytes)({ kinds: [], id: 5 });
    expect(findings.map(({ code }) => code)).toEqual(['doubled']);
    const apart = await auditorOf(catalogue, record)({ kinds: [], id: 5 });
    expect(apart.findings).toEqual([]);
  });

  it('finds what is missing and not still to come, late, of another shape and in another language', async () => {
    const dates = ['2001-02-03', '2001-02-10', '2026-11-15', '2027-01-01', '2001-02-17'];
    const listed = dates.map((airDate, at) => ({ id: 101 + at, episodeNumber: at + 1, airDate, title: '' }));
    const records = { 'show 1': show, 'season 11': { ...season, episodes: listed } };
    const card = (number: number, width: number, languageCode: string) => ({
      ...{ id: id(number), slot: 'titlecard', target: { kind: 'episode', id: number } },
      ...{ width, height: 1080, languageCode },
    });
    const own = { id: 5, kind: 'show_set', title: 'A Set', target: { kind: 'show', id: 1 } };
    const assets = [card(101, 1920, 'en'), card(102, 1080, 'de')];
    const record = { ...own, languageCode: 'en', updatedAt: '2026-11-01T00:00:00Z', assets };
    const { findings, slots } = await auditorOf(records, record)({ kinds: [], id: 5 });
    expect(findings.map(({ code, slot }) => [code, slot])).toEqual([
      ['missing', 'titlecard'],
      ['older_than_episodes', 'titlecard'],
      ['wrong_ratio', 'titlecard'],
      ['mixed_language', null],
    ]);
    expect(slots).toEqual([{ of: 'episode', slot: 'titlecard', has: 2, total: 4 }]);
    expect(findings[0]?.words).toContain('S01E03');
    expect(findings[0]?.words).not.toContain('S01E04');
  });

  it('takes no picture for one of what has gone while a season can’t be read, and says so', async () => {
    const failing = new ArtworkError('service_unavailable', 'Not now.');
    const seasons = [...show.seasons, { id: 12, seasonNumber: 2 }];
    const records = {
      'show 1': { ...show, seasons },
      'season 11': failing,
      'season 12': { ...season, id: 12 },
    };
    const audited = (found: Records) =>
      auditorOf({ ...found, 'show_set 5': publicSet })({ kinds: ['show_set'], id: 5 });
    const others = { ...season, id: 12, episodes: [{ id: 201, episodeNumber: 1 }] };
    const codes = async (found: Records) => (await audited(found)).findings.map(({ code }) => code);
    expect(await codes({ ...records, 'season 12': others })).not.toContain('ghost');
    expect((await audited(records)).unchecked.join()).toContain('Season 1');
    const gone = { ...records, 'season 11': { ...season, episodes: [] }, 'season 12': others };
    expect(await codes(gone)).toContain('ghost');
  });

  it('says that the work has gone only where the work itself has', async () => {
    const records = { 'show_set 5': publicSet };
    const { findings } = await auditorOf(records)({ kinds: ['show_set'], id: 5 });
    expect(findings.map(({ code }) => code)).toEqual(['ghost']);
    const seasonless = auditorOf({ ...records, 'show 1': show })({ kinds: ['show_set'], id: 5 });
    await expect(seasonless).rejects.toMatchObject({ failure: 'not_found' });
    const down = new ArtworkError('service_unavailable', 'Down.');
    const unread = auditorOf({ ...records, 'show 1': down })({ kinds: ['show_set'], id: 5 });
    await expect(unread).rejects.toMatchObject({ failure: 'service_unavailable' });
  });
});
