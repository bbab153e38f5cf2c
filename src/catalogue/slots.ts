import type { EntityKind } from './records/index.ts';

/** The slots of each kind: those that its record lists under `assets` (interface document, Resources). */
export const slotsOf: Readonly<Record<EntityKind, readonly string[]>> = {
  show: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  season: ['poster', 'backdrop'],
  episode: ['titlecard'],
  movie: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  collection: ['poster', 'backdrop', 'logo', 'squareArt'],
  game: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  company: ['poster', 'thumb', 'logo'],
  network: ['poster', 'thumb', 'logo'],
  person: ['poster'],
  category: ['poster', 'thumb'],
};
