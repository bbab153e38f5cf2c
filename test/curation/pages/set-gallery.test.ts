import { describe, expect, it } from 'vitest';
import { setGallery } from '../../../src/curation/pages/set-gallery.ts';

const path = (name: string) => `/artwork/${name}.png`;
const episode = (id: number, episodeNumber: number, titlecard: string | null) => ({
  id,
  episodeNumber,
  titlecard,
});

const set = {
  id: 1,
  title: 'Wexmoor · Quiet',
  createdBy: 'quiet.reel',
  language: 'pt-BR',
  dateUpdated: '2026-11-01T21:43:30Z',
  show: {
    id: 2,
    title: 'Wexmoor',
    poster: path('show'),
    logo: null,
    seasons: [
      {
        id: 10,
        seasonNumber: 1,
        poster: null,
        episodes: [episode(101, 1, path('s1e1')), episode(102, 2, null)],
      },
      { id: 11, seasonNumber: 2, poster: null, episodes: [episode(201, 1, null), episode(202, 2, null)] },
      { id: 12, seasonNumber: 0, poster: null, episodes: [episode(301, 1, path('s0e1'))] },
    ],
  },
};

const episodes = new Map([
  [102, { title: 'The Second Door', airDate: '2020-01-02' }],
  [202, { title: 'The Last Door', airDate: '2026-12-24' }],
]);

describe('setGallery', () => {
  const view = setGallery('show_set', set, { episodes, today: '2026-11-22' });

  it('shows as gaps what was begun, and says in words what was not', () => {
    const cells = view.sections.map(({ heading, rows }) => [
      heading,
      rows.map((row) =>
        row.map((cell) => (cell.cell === 'gap' ? `${cell.label} ${cell.state}` : cell.label)),
      ),
    ]);
    expect(cells).toEqual([
      ['The show', [['Poster']]],
      ['Season 1', [['S01E01', 'S01E02 missing']]],
      ['Season 2', [['S02E01 missing', 'S02E02 not aired yet']]],
      ['Specials', [['S00E01']]],
    ]);
    expect(view.notes).toEqual(['It has no logo of the show and no season posters.']);
  });

  it('says whose it is, in which language, and how much there is', () => {
    expect(view).toMatchObject({ kind: 'Show Set', title: 'Wexmoor · Quiet' });
    expect(view.facts).toEqual(['by quiet.reel', 'Brazilian Portuguese', 'updated 1 November 2026']);
    expect(view.tallies).toEqual([
      { name: 'Show artwork', has: 1, of: 1 },
      { name: 'Title cards', has: 2, of: 4 },
    ]);
  });

  it('shows one slot alone where it is asked for', () => {
    const posters = setGallery('show_set', set, { slot: 'poster', episodes, today: '2026-11-22' });
    expect(posters.sections.map(({ heading }) => heading)).toEqual(['The show']);
    expect(posters.notes).toEqual(['It has no season posters.']);
  });

  it('bears a Set that says nothing', () => {
    expect(setGallery('movie_set', {}, { episodes: new Map(), today: '2026-11-22' })).toEqual({
      kind: 'Movie Set',
      title: 'Movie Set',
      facts: [],
      description: undefined,
      tallies: [],
      notes: [],
      sections: [],
    });
  });
});
