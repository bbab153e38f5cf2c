import type { ReaderLayout } from './layout.ts';

/** Jellyfin: `LocalImageProvider.cs`, `EpisodeLocalImageProvider.cs`; collections as its own `data/collections` has them. */
export const jellyfin: ReaderLayout = {
  reader: 'jellyfin',
  words: 'Jellyfin',
  types: ['png', 'jpeg', 'webp', 'gif'],
  works: ['show', 'movie'],
  collections: { kinds: ['collection'], within: 'collections', folder: '* [boxset]', sign: ' ' },
  seasons: { name: 'season*', specials: 'season-specials' },
  cards: 'videos',
  loose: { '*': '{video}-{file}' },
  before: {
    'movie poster': '{video}, {video}-poster, {video}-folder, {video}-cover, {video}-default, {video}-movie',
    'movie backdrop':
      '{video}-fanart, fanart, {video}-background, background, {video}-art, art, {video}-backdrop',
    'movie logo': '{video}-logo',
    'movie thumb': '{video}-landscape',
    'show poster': '{folder}, {folder}-poster',
    'show backdrop': '{folder}-fanart, fanart, background, art',
    'season poster': '{season}-poster',
    'season backdrop': '{season}-fanart',
  },
  byAlphabet: false,
  flat: null,
};
