import { z } from 'zod';

// What the interface document calls a type is what it was when its samples were taken: every field may be
// missing or null, every list of words may grow, and fields that it does not name are kept.

/** A number that may arrive as a string of digits. Other strings are kept: an id is only handed on. */
export const id = z
  .union([z.number(), z.string()])
  .transform((value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value))
  .nullish();

/** A count, a year, a number in a series. */
export const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .nullish();

export const text = z.string().nullish();
export const flag = z.boolean().nullish();
/** `YYYY-MM-DD`; not checked, since it is only shown and compared. */
export const date = text;
/** ISO 8601 UTC. */
export const timestamp = text;
/** A root-relative path, resolved against the asset origin. */
export const assetPath = text;

/** The schema of a list that a record may leave out. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).nullish();
}

/** The schema of named groups of Assets. Their elements' shape is not shown, so they stay unknown. */
export function assetGroups<Group extends string>(...groups: readonly Group[]) {
  return z.looseObject(members(groups, z.array(z.unknown()).nullish())).nullish();
}

/** The schema of a record's images: absolute URLs, or null. */
export function metadataImages<Member extends string>(...names: readonly Member[]) {
  return z.looseObject(members(names, text)).nullish();
}

/** The schema of a Set's root-relative Asset paths, one per slot, or null where the Set has none. */
export function assetPaths<Slot extends string>(...slots: readonly Slot[]) {
  return members(slots, assetPath);
}

function members<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** `{id, kind, title}`, as entities refer to each other. */
export const titledReference = z.looseObject({ id, kind: text, title: text });

/** `{id, title}` of the Boxset or Loadout that a Set is in. */
export const groupReference = z.looseObject({ id, title: text });

/** Fields that every Set and group has. */
export const setFields = {
  id,
  title: text,
  description: text,
  createdBy: text,
  dateCreated: timestamp,
  dateUpdated: timestamp,
};
