import { describe, expect, it } from 'vitest';
import { entityRecord } from '../../src/catalogue/records/kinds.ts';
import { readWork, unreadWords } from '../../src/curation/read-work.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { ArtworkError, type Failure } from '../../src/errors.ts';
import { aheadIn } from '../../src/model/work.ts';

type Records = Readonly<Record<string, object | Failure>>;

const season = (number: number, ...dates: readonly (string | null)[]) => ({
  ...{ id: 10 + number, title: '', seasonNumber: number },
  show: { id: 1 },
  episodes: dates.map((airDate, at) => ({ id: 100 * number + at + 1, episodeNumber: at + 1, airDate })),
});
const show = {
  ...{ id: 1, title: 'A Show', firstAirDate: '2001-02-03' },
  seasons: [0, 1, 2].map((number) => ({ id: 10 + number, seasonNumber: number, title: `Season ${number}` })),
};
const whole: Records = {
  ...{ 'show 1': show, 'season 10': season(0, null), 'season 11': season(1, '2001-02-03', '2001-02-10') },
  'season 12': season(2, '2002-01-01'),
};

/** What a catalogue of these records shows of something, by the keys of targets. */
async function read(records: Records, kind: Parameters<typeof readWork>[1]['kind'], id: number) {
  const readEntity = async (of: string, number: number | string) => {
    const found = records[`${of} ${number}`] ?? 'not_found';
    if (typeof found === 'string') throw new ArtworkError(found, 'Not now.');
    return entityRecord.parse(found);
  };
  const found = await readWork({ readEntity }, { kind, id }, deadlineIn(1_000));
  const keys = (targets: typeof found.targets) => targets.map((one) => `${one.kind} ${one.id}`).join(', ');
  return { ...found, targets: keys(found.targets), unread: keys(found.unread), words: unreadWords(found) };
}

describe('a work', () => {
  it('is read with all that can have pictures', async () => {
    expect(await read(whole, 'show', 1)).toMatchObject({
      targets: 'show 1, season 10, episode 1, season 11, episode 101, episode 102, season 12, episode 201',
      unread: '',
      words: null,
    });
    const collection = { id: 7, title: 'All', movies: [{ id: 8, title: 'One', releaseDate: '2001-01-01' }] };
    expect(await read({ 'collection 7': collection }, 'collection', 7)).toMatchObject({
      targets: 'collection 7, movie 8',
    });
    expect(await read({ 'person 3': { name: 'Ann' } }, 'person', 3)).toMatchObject({ targets: 'person 3' });
  });

  it('of a season or an episode is its show', async () => {
    const episode = { id: 101, seasonNumber: 1, episodeNumber: 1, show: { id: 1 }, season: { id: 11 } };
    const records = { ...whole, 'episode 101': episode };
    const ofSeason = await read(records, 'season', 11);
    expect(ofSeason.targets).toBe('season 11, episode 101, episode 102');
    const ofEpisode = await read(records, 'episode', 101);
    expect(ofEpisode.targets).toBe('episode 101');
    expect(ofEpisode.work).toMatchObject({ target: { id: 1, year: 2001 }, seasons: [{ id: 11, season: 1 }] });
    const alone = read({ 'episode 101': { ...episode, show: null } }, 'episode', 101);
    await expect(alone).rejects.toMatchObject({ failure: 'bad_response' });
  });

  it.each(['not_found', 'bad_response', 'service_unavailable', 'forbidden'] as const)(
    'is read without the episodes of a season that is %s',
    async (failure) => {
      const found = await read({ ...whole, 'season 11': failure }, 'show', 1);
      expect(found).toMatchObject({
        targets: 'show 1, season 10, episode 1, season 11, season 12, episode 201',
        unread: 'season 11',
        words: expect.stringContaining('Season 1'),
      });
    },
  );

  it('is read without a season whose record says no id, and without the specials', async () => {
    expect((await read({ ...whole, 'season 12': {} }, 'show', 1)).unread).toBe('season 12');
    expect((await read({ ...whole, 'season 10': 'not_found' }, 'show', 1)).words).toContain('Specials');
  });

  it.each([
    ['network', { 'season 12': 'network' }],
    ['rate_limited', { 'season 10': 'rate_limited' }],
    ['cancelled', { 'season 11': 'cancelled' }],
    [
      'bad_response',
      { 'season 10': 'bad_response', 'season 11': 'bad_response', 'season 12': 'bad_response' },
    ],
    ['service_unavailable', { 'show 1': 'service_unavailable' }],
  ] as const)('is not read where %s is what all of it has', async (failure, failing) => {
    await expect(read({ ...whole, ...failing }, 'show', 1)).rejects.toMatchObject({ failure });
  });
});

describe('what is still to come', () => {
  it.each([
    ['an episode later than today', [season(1, '2001-01-01', '2031-01-01')], 'episode 102'],
    ['one without a date after the last that was aired', [season(1, '2001-01-01', null)], 'episode 102'],
    ['none without a date before one that was aired', [season(1, null, '2001-01-01')], ''],
    ['none where no episode has a date', [season(1, null, null)], ''],
    [
      'a season of which all is',
      [season(1, '2001-01-01'), season(2, '2031-01-01')],
      'episode 201, season 12',
    ],
    [
      'no special because of the others',
      [season(0, null, '2001-01-01'), season(1, '2031-01-01')],
      'episode 101, season 11',
    ],
  ] as const)('is %s', async (_, seasons, ahead) => {
    const listed = seasons.map(({ id, seasonNumber }) => ({ id, seasonNumber }));
    const records = Object.fromEntries(seasons.map((one) => [`season ${one.id}`, one]));
    const { work } = await read({ ...records, 'show 1': { ...show, seasons: listed } }, 'show', 1);
    expect([...aheadIn(work, '2026-11-28')].join(', ')).toBe(ahead);
  });
});
