import type { z } from 'zod';
import type { entityRecords } from './entities.ts';
import type { JsonRecord } from './members.ts';
import type { setRecords } from './sets.ts';

// Records of entities and Sets are read in one place, the model. Everything else holds them closed, and hands them on:
// the types here have no members, so that a slot or a season's number can't be read past the model by mistake.

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

/** The fields of an entity's record (interface document, Resources). */
export function openEntity<Kind extends EntityKind>(record: EntityOf<Kind>): EntityFields<Kind> {
  return record as unknown as EntityFields<Kind>;
}

/** A record as an answer shows it, whole: nothing is read out of it. */
export function jsonOfRecord(record: Entity | AnySet): JsonRecord {
  return record as unknown as JsonRecord;
}
