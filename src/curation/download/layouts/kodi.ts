import type { ReaderLayout } from './layout.ts';

/**
 * Kodi: local artwork (`VideoInfoScanner.cpp`). Collections are for its movie set information folder, a setting of its
 * own, where it looks for names as `CUtil::MakeLegalFileName` makes them.
 */
export const kodi: ReaderLayout = {
  reader: 'kodi',
  words: 'Kodi',
  types: ['png', 'jpeg', 'webp', 'gif'],
  works: ['show', 'movie'],
  collections: { kinds: ['collection'], within: 'Movie Sets', folder: '*', sign: '_' },
  seasons: { name: 'season*', specials: 'season-specials' },
  cards: 'videos',
  loose: { '*': '{video}-{file}' },
  before: {
    'movie poster': '{video}-poster',
    'movie backdrop': '{video}-fanart',
    'movie logo': '{video}-clearlogo',
    'movie thumb': '{video}-landscape',
  },
  byAlphabet: false,
  flat: null,
};
