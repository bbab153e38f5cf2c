import type { z } from 'zod';
import { cleanText, withoutOwnNotation } from '../../text.ts';
import type { ServicePath } from '../call.ts';
import { type AssetFeedItem, assetFeed, entityRecords, type SetFeedItem, setFeed } from './entities.ts';
import { setRecords } from './sets.ts';

/** One resource of the interface document: where it is read, and what it looks like. */
export interface ResourceRecord<Value> {
  path(id: number | string): ServicePath;
  readonly schema: z.ZodType<Value>;
}

export type EntityKind = keyof typeof entityRecords;
export type EntityOf<Kind extends EntityKind> = z.infer<(typeof entityRecords)[Kind]['schema']>;
export type Entity = EntityOf<EntityKind>;

export type SetKind = keyof typeof setRecords;
export type SetOf<Kind extends SetKind> = z.infer<(typeof setRecords)[Kind]['schema']>;
/** Any Set or group. */
export type AnySet = SetOf<SetKind>;

export type FeedName = keyof FeedItemTypes;
export type FeedItem<Feed extends FeedName> = FeedItemTypes[Feed];

interface FeedItemTypes {
  assets: AssetFeedItem;
  sets: SetFeedItem;
}

/** The entities of the interface document (Public reads), by kind. */
export const entities: { readonly [Kind in EntityKind]: ResourceRecord<EntityOf<Kind>> } = entityRecords;

/** The Sets and groups of the interface document (Public reads), by kind. */
export const sets: { readonly [Kind in SetKind]: ResourceRecord<SetOf<Kind>> } = setRecords;

/** The two activity feeds (Events), by the last word of their path. */
export const feeds: {
  readonly [Feed in FeedName]: { readonly path: ServicePath; readonly schema: z.ZodType<FeedItem<Feed>> };
} = { assets: assetFeed, sets: setFeed };

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

/** Whether a word is the kind of an entity that public reads have. */
export function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(slotsOf, kind);
}

/** Whether a word is the kind of a Set or group that public reads have. */
export function isSetKind(kind: string): kind is SetKind {
  return Object.hasOwn(sets, kind);
}

function listNameOf(slot: string): string {
  return slot === 'hero' ? 'heroes' : `${slot}s`;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

const longest = 80;

/** Other people's writing as a name within an answer: cleaned, on one line, at most 80 characters. */
export function shortName(text: unknown): string {
  if (typeof text !== 'string') return '';
  const letters = [...withoutOwnNotation(cleanText(text.slice(0, 1_000)).replace(/\s+/gu, ' ').trim())];
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}
