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

/** Every slot that some kind has. */
export const allSlots: readonly string[] = [...new Set(Object.values(slotsOf).flat())];

/**
 * The slot that a word means: its own name or that of its list in a record (`posters`, `assets.posters`), whatever
 * the case and the separators. Null for what is no slot of the interface document.
 */
export function slotMeant(word: string): string | null {
  const meant = plain(word.replace(/^assets\./, ''));
  return allSlots.find((slot) => [slot, listNameOf(slot)].some((name) => plain(name) === meant)) ?? null;
}

/** The slots that a target of this kind has; null for a kind that the interface document does not name. */
export function slotsOfKind(kind: string): readonly string[] | null {
  return isEntityKind(kind) ? slotsOf[kind] : null;
}

function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(slotsOf, kind);
}

function listNameOf(slot: string): string {
  return slot === 'hero' ? 'heroes' : `${slot}s`;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}
