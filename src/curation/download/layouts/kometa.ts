import type { ReaderLayout } from './layout.ts';

/**
 * Kometa: its image asset directory (`plex.py`, `find_item_assets`), with `asset_folders` on or off. It makes
 * collections of networks and companies too, and takes the signs out of their names that a file's can't have. What it
 * calls an asset is the name of the folder that the media lies in.
 */
export const kometa: ReaderLayout = {
  reader: 'kometa',
  words: 'Kometa',
  types: ['png', 'jpeg', 'webp'],
  works: ['show', 'movie'],
  collections: { kinds: ['collection', 'network', 'company'], within: null, folder: '*', sign: '' },
  seasons: { name: 'Season*', specials: 'Season00' },
  cards: 'show',
  loose: {},
  before: {},
  byAlphabet: false,
  flat: { gap: '_', bare: 'poster' },
};
