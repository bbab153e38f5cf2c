import type { ReaderLayout } from './layout.ts';

/**
 * Plex: local media assets, as its agent LocalMedia.bundle looks for them (`localmedia.py`). It takes no files for
 * collections. It reads the posters of seasons in the show's folder wherever the videos lie.
 */
export const plex: ReaderLayout = {
  reader: 'plex',
  words: 'Plex',
  types: ['png', 'jpeg'],
  works: ['show', 'movie'],
  collections: { kinds: [], within: null, folder: '*', sign: '' },
  seasons: { name: 'Season*', specials: 'season-specials-poster' },
  cards: 'videos',
  loose: { poster: '{video}', background: '{video}-fanart' },
  before: {
    'movie poster': 'cover, default, folder, movie, {video}',
    'movie backdrop': 'art, backdrop, fanart, {video}-fanart',
    'show poster': 'folder, show',
    'show backdrop': 'art, backdrop, fanart',
    'season poster': 'season-{n}, season-{nn}, season-{n}-poster, season-{nn}-poster',
  },
  byAlphabet: true,
  flat: null,
};
