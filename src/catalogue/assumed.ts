import { ArtworkError } from '../errors.ts';
import type { GroupingAssetsToAssign } from './requests/assign-grouping-assets.ts';
import type { RelationshipToChange } from './requests/change-relationship.ts';
import type { GroupToCreate } from './requests/create-group.ts';
import type { GroupingSetToCreate } from './requests/create-grouping-set.ts';
import type { GroupToEdit } from './requests/edit-group.ts';
import type { JsonObject } from './requests/fields.ts';
import type { PreviewFrameToSelect } from './requests/select-preview-frame.ts';
import { sparse } from './requests/sparse.ts';

// What the interface document does not show, in one place: bodies that are made in the likeness of those it
// does show. All of them carry our identity, which the service may not know; so none is ever repeated, and what
// it did is read back. A revision that only we know is left out.

/**
 * Groups: create. Assumed: the public Boxset's and Loadout's names for the fields, with `languageCode` as
 * everywhere under `/me`, and the Sets of the group as `setIds`, in their order.
 */
export function groupCreation(group: GroupToCreate): JsonObject {
  const { clientMutationId, kind, title, description, languageCode, setIds } = group;
  const body = { clientMutationId, kind, title, description, ...sparse({ languageCode }), setIds };
  return withExtra(body, ['languageCode'], group.extra);
}

/**
 * Groups: edit. Assumed: as created, and sparse. `setIds` is the whole resulting membership, which for
 * additions is right whether the service replaces or adds.
 */
export function groupEdit(edit: GroupToEdit): JsonObject {
  const { clientMutationId, expectedUpdatedAt, title, description, languageCode, setIds } = edit;
  const body = {
    clientMutationId,
    ...revision({ expectedUpdatedAt }),
    ...sparse({ title, description, languageCode, setIds }),
  };
  const named = ['expectedUpdatedAt', 'title', 'description', 'languageCode', 'setIds'];
  return withExtra(body, named, edit.extra);
}

/**
 * Grouping Sets: create. Assumed: the fields of a media Set's admission that a Set without files has. A Brand
 * Set shows no one target, but networks and companies; these by their ids. It shows neither language nor edition in
 * public, so that they are only sent where they are given.
 */
export function groupingSetCreation(set: GroupingSetToCreate): JsonObject {
  const { clientMutationId, setKind, entryTargetKind, entryTargetId, titleBase, description } = set;
  const head = {
    clientMutationId,
    setKind,
    ...sparse({ entryTargetKind, entryTargetId }),
    titleBase,
    description,
  };
  const named = ['entryTargetKind', 'entryTargetId'];
  if (set.setKind === 'brand_set') {
    const { networkIds, companyIds, languageCode, editionId } = set;
    const body = { ...head, networkIds, companyIds, ...sparse({ languageCode, editionId }) };
    return withExtra(body, [...named, 'languageCode', 'editionId'], set.extra);
  }
  const { languageCode, editionId } = set;
  return withExtra(
    { ...head, ...sparse({ languageCode }), editionId },
    [...named, 'languageCode'],
    set.extra,
  );
}

/**
 * Grouping Sets: assign. Assumed: the items of a grouped edit's `assign`, without the fields that its other
 * operations use.
 */
export function groupingAssignment(assignment: GroupingAssetsToAssign): JsonObject {
  const { clientMutationId, expectedUpdatedAt } = assignment;
  const items = assignment.items.map(
    ({ itemId, position, targetKind, targetId, slot, existingAssetId, expectedAssetUpdatedAt }) => ({
      itemId,
      position,
      targetKind,
      targetId,
      slot,
      existingAssetId,
      ...revision({ expectedAssetUpdatedAt }),
    }),
  );
  const body = { clientMutationId, ...revision({ expectedUpdatedAt }), items };
  return withExtra(body, ['expectedUpdatedAt'], assignment.extra);
}

/** Relationships. Assumed: the state that is wanted, null to clear it. */
export function relationshipChange(change: RelationshipToChange): JsonObject {
  const { clientMutationId, targetKind, targetId } = change;
  const relationship = change.relationship === 'clear' ? null : change.relationship;
  return withExtra({ clientMutationId, targetKind, targetId, relationship }, [], change.extra);
}

/** Preview frame. Assumed: named as in a declared file. */
export function previewSelection(selection: PreviewFrameToSelect): JsonObject {
  const { clientMutationId, expectedUpdatedAt, selectedSourceFrame } = selection;
  const body = { clientMutationId, ...revision({ expectedUpdatedAt }), selectedSourceFrame };
  return withExtra(body, ['expectedUpdatedAt'], selection.extra);
}

/**
 * Grouped Set edit: where the "sparse metadata changes" of its admission stand. Assumed: beside the other
 * members, as in the admission of a Set's creation and in an Asset's metadata edit.
 */
export function setMetadataChanges(changes: JsonObject): JsonObject {
  return changes;
}

function revision<Name extends string>(field: Record<Name, string | null>): JsonObject {
  return Object.fromEntries(Object.entries<string | null>(field).filter(([, value]) => value !== null));
}

/**
 * Adds what the caller knows better. `alsoNamed`: fields of the body that this one leaves out.
 * @throws ArtworkError `invalid_arguments` for an `extra` that holds a field which has an argument of its own
 */
function withExtra(
  body: JsonObject,
  alsoNamed: readonly string[],
  extra: JsonObject | undefined = {},
): JsonObject {
  const taken = Object.keys(extra).filter((name) => Object.hasOwn(body, name) || alsoNamed.includes(name));
  if (taken.length > 0) {
    throw new ArtworkError(
      'invalid_arguments',
      `extra can't hold ${taken.join(', ')}: ${taken.length === 1 ? 'that field is' : 'those fields are'} set by other arguments of this call.`,
      {
        issues: taken.map((name) => ({
          code: 'extra',
          message: 'is set by another argument',
          path: ['extra', name],
        })),
      },
    );
  }
  return { ...body, ...extra };
}
