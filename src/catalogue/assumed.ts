import type { JsonObject } from './request.ts';

// What the interface document does not show, in one place: bodies that are made in the likeness of those it
// does show, each a list of its fields in their order. All of them carry our identity, which the service may not
// know; so none is ever repeated, and what it did is read back. A field without a value is left out.

const groupFields = ['title', 'description', 'languageCode', 'setIds'] as const;
const ofGroupingSet = [
  'clientMutationId',
  'setKind',
  'entryTargetKind',
  'entryTargetId',
  'titleBase',
  'description',
] as const;

/**
 * Groups: create. Assumed: the public Boxset's and Loadout's names for the fields, with `languageCode` as
 * everywhere under `/me`, and the Sets of the group as `setIds`, in their order.
 */
export const groupCreation = bodyOf('clientMutationId', 'kind', ...groupFields);

/**
 * Groups: edit. Assumed: as created, and sparse. `setIds` is the whole resulting membership, which for
 * additions is right whether the service replaces or adds.
 */
export const groupEdit = bodyOf('clientMutationId', 'expectedUpdatedAt', ...groupFields);

/** Grouping Sets: create a Talent or Category Set. Assumed: the fields of a media Set's admission but its files. */
export const groupingSetCreation = bodyOf(...ofGroupingSet, 'languageCode', 'editionId');

/**
 * Grouping Sets: create a Brand Set. Assumed: as the others; it shows no one target, but networks and companies,
 * these by their ids. It shows neither language nor edition in public, so that they are only sent where they are given.
 */
export const brandSetCreation = bodyOf(
  ...ofGroupingSet,
  'networkIds',
  'companyIds',
  'languageCode',
  'editionId',
);

/** Grouping Sets: assign. Assumed: a list of items, in an object that names the mutation and the Set's revision. */
export const groupingAssignment = bodyOf('clientMutationId', 'expectedUpdatedAt', 'items');

/** One of its items. Assumed: those of a grouped edit's `assign`, without the fields of its other operations. */
export const assignedItem = bodyOf(
  'itemId',
  'position',
  'targetKind',
  'targetId',
  'slot',
  'existingAssetId',
  'expectedAssetUpdatedAt',
);

/** Relationships. Assumed: the state that is wanted, null to clear it. */
export const relationshipChange = bodyOf('clientMutationId', 'targetKind', 'targetId', 'relationship');

/** Preview frame. Assumed: named as in a declared file. */
export const previewSelection = bodyOf('clientMutationId', 'expectedUpdatedAt', 'selectedSourceFrame');

type Values<Name extends string> = {
  readonly [Field in Name]?: JsonObject[string] | undefined;
} & { readonly extra?: JsonObject | undefined };

/** Makes the body of these fields, in this order, and adds the `extra` of a caller who knows the service better. */
function bodyOf<const Names extends readonly string[]>(...fields: Names) {
  return (values: Values<Names[number]>): JsonObject => {
    const given = new Map(Object.entries(values));
    const members = fields.flatMap((name) => {
      const value = given.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const named = Object.fromEntries(members);
    return { ...named, ...values.extra, ...named };
  };
}
