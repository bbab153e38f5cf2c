import { describe, expect, it } from 'vitest';
import { createAuditor } from '../../../src/curation/audit/audit-set.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';

type Json = Readonly<Record<string, unknown>>;
type Records = Readonly<Record<string, Json | Error>>;

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** What a catalogue in memory shows, by `kind id`; an error instead of a record is thrown. */
function auditorOf(records: Records, owned: Json | null = null) {
  const read = async (kind: string, number: number | string): Promise<never> => {
    const found = records[`${kind} ${number}`] ?? new ArtworkError('not_found', 'Not there.');
    if (found instanceof Error) throw found;
    // What the client hands over has the type of its kind.
    return found as never;
  };
  const ownSets = owned === null ? null : { readSet: async () => owned as never };
  return createAuditor({
    catalogue: { readEntity: read, readSet: read },
    ...{ owned: ownSets, deadline: deadlineIn(1_000) },
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

  it('goes by the seasons that can be read, and says which can’t', async () => {
    const failing = new ArtworkError('service_unavailable', 'Not now.');
    const records = {
      'show 1': { ...show, seasons: [...show.seasons, { id: 12, seasonNumber: 2 }] },
      'season 11': failing,
      'season 12': { ...season, id: 12, episodes: [{ id: 201, episodeNumber: 1 }] },
      'show_set 5': publicSet,
    };
    const { findings, unchecked } = await auditorOf(records)({ kinds: ['show_set'], id: 5 });
    expect(findings).toEqual([]);
    expect(unchecked.join()).toContain('Season 1');
  });

  it('fails where the work can’t be read, as its error says', async () => {
    const audited = (found: Records) =>
      auditorOf({ ...found, 'show_set 5': publicSet })({ kinds: ['show_set'], id: 5 });
    await expect(audited({})).rejects.toMatchObject({ failure: 'not_found' });
    await expect(audited({ 'show 1': show })).rejects.toMatchObject({ failure: 'not_found' });
    const down = new ArtworkError('service_unavailable', 'Down.');
    await expect(audited({ 'show 1': down })).rejects.toMatchObject({ failure: 'service_unavailable' });
  });
});
