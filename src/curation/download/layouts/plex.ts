import type { ReaderLayout } from './layout.ts';

/** Plex: local media assets. It takes no files for collections. */
export const plex: ReaderLayout = {
  reader: 'plex',
  words: 'Plex',
  types: ['png', 'jpeg'],
  folders: { show: '*', movie: '*' },
  seasons: { beside: 'videos', name: 'Season*', specials: 'season-specials-poster' },
  cards: 'videos',
};
