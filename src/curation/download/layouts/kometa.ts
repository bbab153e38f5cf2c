import type { ReaderLayout } from './layout.ts';

/** Kometa: image asset directory with `asset_folders: true`. It makes collections of networks and companies too. */
export const kometa: ReaderLayout = {
  reader: 'kometa',
  words: 'Kometa',
  types: ['png', 'jpeg', 'webp'],
  folders: { show: '*', movie: '*', collection: '*', boxset: '*', network: '*', company: '*' },
  seasons: { beside: 'show', name: 'Season*', specials: 'Season00' },
  cards: 'show',
};
