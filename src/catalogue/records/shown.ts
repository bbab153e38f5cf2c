import type { z } from 'zod';
import type { assetFeed, entityRecords, episodesIndex, setFeed } from './entities.ts';
import type { JsonRecord } from './members.ts';
import type { setRecords } from './sets.ts';

// Records of entities and Sets, and items of lists, are read in one place, the model. Everything else holds them closed,
// and hands them on: the types here have no members, so that no slot or season's number is read past the model.

declare const kindOfRecord: unique symbol;

export type EntityKind = keyof typeof entityRecords;
export type SetKind = keyof typeof setRecords;

/** An entity's record as the service showed it, closed. */
export interface EntityOf<Kind extends EntityKind> {
  readonly [kindOfRecord]: Kind;
}
export type Entity = EntityOf<EntityKind>;

/** The record of a Set or group as the service showed it, closed. */
export interface SetOf<Kind extends SetKind> {
  readonly [kindOfRecord]: Kind;
}
/** Of any Set or group. */
export type AnySet = SetOf<SetKind>;

export interface FeedFields {
  readonly assets: z.infer<typeof assetFeed.schema>;
  readonly sets: z.infer<typeof setFeed.schema>;
}
/** The two activity feeds (Events), by the last word of their path. */
export type FeedName = keyof FeedFields;

/** An item of a feed as the service showed it, closed. */
export interface FeedItem<Feed extends FeedName = FeedName> {
  readonly [kindOfRecord]: `item of ${Feed}`;
}

/** An item of the episodes index as the service showed it, closed. */
export interface IndexedEpisode {
  readonly [kindOfRecord]: 'item of episodes';
}

export type EntityFields<Kind extends EntityKind> = z.infer<(typeof entityRecords)[Kind]['schema']>;
export type SetFields<Kind extends SetKind> = z.infer<(typeof setRecords)[Kind]['schema']>;

// A closed record is the parsed record itself: opening and closing change its type and nothing else.

/** Closes a record that its schema has parsed. */
export function closeEntity<Kind extends EntityKind>(fields: EntityFields<Kind>): EntityOf<Kind> {
  return fields as unknown as EntityOf<Kind>;
}

/** Closes a record that its schema has parsed. */
export function closeSet<Kind extends SetKind>(fields: SetFields<Kind>): SetOf<Kind> {
  return fields as unknown as SetOf<Kind>;
}

/** Closes an item of a feed that its schema has parsed. */
export function closeFeedItem<Feed extends FeedName>(fields: FeedFields[Feed]): FeedItem<Feed> {
  return fields as unknown as FeedItem<Feed>;
}

/** Closes an item of the episodes index that its schema has parsed. */
export function closeIndexedEpisode(fields: z.infer<typeof episodesIndex.schema>): IndexedEpisode {
  return fields as unknown as IndexedEpisode;
}

/** The fields of an entity's record (interface document, Resources). */
export function openEntity<Kind extends EntityKind>(record: EntityOf<Kind>): EntityFields<Kind> {
  return record as unknown as EntityFields<Kind>;
}

/** A record as an answer shows it, whole: nothing is read out of it. */
export function jsonOfRecord(record: Entity | AnySet | FeedItem | IndexedEpisode): JsonRecord {
  return record as unknown as JsonRecord;
}
