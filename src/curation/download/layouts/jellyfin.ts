import type { ReaderLayout } from './layout.ts';

/** Jellyfin: its provider of local images. */
export const jellyfin: ReaderLayout = {
  reader: 'jellyfin',
  words: 'Jellyfin',
  types: ['png', 'jpeg', 'webp', 'gif'],
  folders: { show: '*', movie: '*', collection: '* [boxset]', boxset: '* [boxset]' },
  seasons: { beside: 'show', name: 'season*', specials: 'season-specials' },
  cards: 'videos',
};
