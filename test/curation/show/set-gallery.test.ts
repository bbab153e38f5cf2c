import { describe, expect, it } from 'vitest';
import { setGallery } from '../../../src/curation/show/gallery.ts';
import { setIn } from '../../../src/model/set.ts';

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

const aired = (id: number, season: number, number: number, date: string | null, title = '') => ({
  ...({ kind: 'episode', id, title, date, season, episode: number } as const),
});
const seasonWith = (id: number, season: number, episodes: ReturnType<typeof aired>[]) => ({
  ...({ kind: 'season', id, title: '', date: null, season } as const),
  episodes,
});
const parts = {
  seasons: [
    seasonWith(10, 1, [aired(102, 1, 2, '2020-01-02', 'The Second Door')]),
    seasonWith(11, 2, [aired(202, 2, 2, '2026-12-24', 'The Last Door')]),
  ],
  films: [],
};
const today = '2026-11-22';

describe('setGallery', () => {
  const view = setGallery(setIn('show_set', 1, set), { slot: null, parts, today });

  it('shows as gaps what was begun, and says in words what was not', () => {
    const cells = view.blocks.flatMap((block) =>
      block.block !== 'pictures'
        ? []
        : [
            [
              block.heading,
              block.rows.map((row) =>
                row.map((cell) => (cell.cell === 'gap' ? `${cell.label} ${cell.state}` : cell.label)),
              ),
            ],
          ],
    );
    expect(cells).toEqual([
      ['The show', [['Poster']]],
      ['Season 1', [['S01E01', 'S01E02 missing']]],
      ['Season 2', [['S02E01 missing', 'S02E02 not aired yet']]],
      ['Specials', [['S00E01']]],
    ]);
    expect(view.notes).toEqual(['It has no logo of the show and no season posters.']);
  });
});
