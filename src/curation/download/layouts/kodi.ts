import type { ReaderLayout } from './layout.ts';

/** Kodi: artwork types; collections for its movie set information folder. */
export const kodi: ReaderLayout = {
  reader: 'kodi',
  words: 'Kodi',
  types: ['png', 'jpeg', 'webp', 'gif'],
  folders: { show: '*', movie: '*', collection: '*', boxset: '*' },
  seasons: { beside: 'show', name: 'season*', specials: 'season-specials' },
  cards: 'videos',
};
