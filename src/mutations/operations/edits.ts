import { z } from 'zod';
import {
  assignedItem,
  groupEdit,
  groupingAssignment,
  previewSelection,
  relationshipChange,
} from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { isRecord, type JsonRecord } from '../../catalogue/records/members.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import {
  assetId,
  assetRevision,
  description,
  extra,
  givenFieldsOf,
  groupId,
  jsonRequest,
  languageChange,
  metadataChanges,
  relatedId,
  relatedKind,
  selectedSourceFrame,
  setId,
  setIds,
  sparseFields,
  title,
} from '../../catalogue/request.ts';
import { ArtworkError } from '../../errors.ts';
import { isKind } from '../../model/kinds.ts';
import { membersOf } from '../../model/own-set.ts';
import { defineArguments, requireServiceRevision, revisionToSend } from './arguments.ts';
import { keyOfAsset, keyOfPlaceIn, numbered, placed, placementsOf, requireDistinct } from './items.ts';
import { defineOperation } from './operation.ts';
import { readExpected, revisionOfOwned, shownAmong } from './revisions.ts';

// What exists is edited by one JSON request, and read back: the wire carries its revision and no identity.

const metadata = defineArguments({ assetId, ...metadataChanges }).refine(
  (edit) => Object.keys(givenFieldsOf(metadataChanges, edit)).length > 0,
  `they change nothing; give ${Object.keys(metadataChanges).join(' or ')}`,
);

/** Asset metadata edit (interface document): only what changes is sent. */
export const editAssetMetadata = defineOperation({
  name: 'edit_asset_metadata',
  sends: 'json',
  arguments: metadata,
  meant: metadata,
  revision: revisionOfOwned('asset', 'assetId'),
  comparedOnWire: true,
  saved: 'asset',
  needed: { allOf: ['assets:write'] },
  target: ({ assetId: id }) => ({ kind: 'asset', id }),
  request({ assetId, ...edit }) {
    const expectedUpdatedAt = requireServiceRevision(edit.expectedUpdatedAt);
    const body = { expectedUpdatedAt, ...givenFieldsOf(metadataChanges, edit) };
    return jsonRequest(path`/me/assets/${assetId}/metadata`, body);
  },
  effect: { fields: (edit) => givenFieldsOf(metadataChanges, edit) },
  undo: ({ assetId }, earlier) => ({ assetId, ...earlier }),
});

const preview = defineArguments({ extra, assetId, selectedSourceFrame });

/** Preview frame (interface document). The body is assumed. */
export const selectPreviewFrame = defineOperation({
  name: 'select_preview_frame',
  sends: 'json',
  arguments: preview,
  meant: preview,
  revision: revisionOfOwned('asset', 'assetId'),
  saved: 'asset',
  needed: { allOf: ['assets:replace'] },
  target: ({ assetId: id, selectedSourceFrame: frame }) => ({ kind: 'asset', id, frame }),
  request(args) {
    const body = previewSelection({ ...args, expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt) });
    return jsonRequest(path`/me/assets/${args.assetId}/preview`, body);
  },
  effect: { fields: ({ selectedSourceFrame }) => ({ selectedSourceFrame }) },
  undo: ({ assetId }, earlier) => ({ assetId, ...earlier }),
});

const group = defineArguments({
  extra,
  groupId,
  title: title.optional(),
  description: description.optional(),
  languageCode: languageChange,
  addSetIds: setIds.optional(),
  removeSetIds: setIds.optional(),
}).superRefine((args, context) => {
  const { clientMutationId: _, expectedUpdatedAt: __, groupId: ___, ...changes } = args;
  if (Object.keys(sparseFields(changes)).length === 0) {
    const message = 'they change nothing; give title, description, languageCode, addSetIds or removeSetIds';
    context.addIssue({ code: 'custom', message });
  }
  const both = args.removeSetIds?.find((id) => args.addSetIds?.includes(id));
  if (both === undefined) return;
  const message = `has ${both}, which addSetIds adds`;
  context.addIssue({ code: 'custom', message, path: ['removeSetIds'] });
});

/**
 * Groups: edit (interface document). The body is assumed; it carries the complete membership, worked out from the record
 * whose revision was compared.
 */
export const editGroup = defineOperation({
  name: 'edit_group',
  sends: 'json',
  arguments: group,
  meant: group,
  revision: revisionOfOwned('group', 'groupId'),
  saved: 'group',
  needed: { allOf: ['groups:write'] },
  target: ({ groupId: id, title: newTitle }) => sparseFields({ kind: 'group', id, newTitle }),
  async notice({ groupId: id, expectedUpdatedAt: expected, ...args }, reads) {
    if (args.addSetIds === undefined && args.removeSetIds === undefined) return null;
    const record = await readExpected({ of: 'group', about: { kind: 'group', id }, expected }, reads);
    const members = membersOf(record ?? {});
    if (members !== null) return { setIds: members };
    const message = `The record of the group ${id} does not show its Sets, so its membership is not known.`;
    throw new ArtworkError('bad_response', message);
  },
  request(args, noticed) {
    const expectedUpdatedAt = revisionToSend(args.expectedUpdatedAt);
    const body = groupEdit({ ...args, expectedUpdatedAt, setIds: membersAfter(args, noticed) });
    return jsonRequest(path`/me/groups/${args.groupId}`, body);
  },
  effect: {
    fields: ({ title, description, languageCode, ...args }, noticed) => ({
      ...{ title, description, languageCode },
      setIds: membersAfter(args, noticed)?.sort(byNumber),
    }),
    shown: (record) => ({ ...record, setIds: membersOf(record ?? {})?.toSorted(byNumber) }),
  },
  earlier(args, record) {
    const { title, description, languageCode } = args;
    const changed = Object.keys(sparseFields({ title, description, languageCode }));
    const members = membersOf(record ?? {});
    const added = args.addSetIds?.filter((id) => members?.includes(id) === false) ?? [];
    const removed = args.removeSetIds?.filter((id) => members?.includes(id)) ?? [];
    return {
      ...shownAmong(record ?? {}, changed),
      ...(removed.length === 0 ? {} : { addSetIds: removed }),
      ...(added.length === 0 ? {} : { removeSetIds: added }),
    };
  },
  undo: ({ groupId }, earlier) => ({ groupId, ...earlier }),
});

/** The Sets of the group before the edit. */
const noticedMembers = z.object({ setIds: z.array(z.int()) });

/** The membership that is meant, from the one that was noticed; undefined: it is not changed. */
function membersAfter(
  { addSetIds = [], removeSetIds = [] }: Pick<z.output<typeof group>, 'addSetIds' | 'removeSetIds'>,
  noticed: unknown,
): number[] | undefined {
  const before = noticedMembers.safeParse(noticed).data?.setIds;
  if (before === undefined) return undefined;
  const removed = new Set<number>(removeSetIds);
  return [...new Set([...before, ...addSetIds])].filter((id) => !removed.has(id));
}

function byNumber(one: number, other: number): number {
  return one - other;
}

const assignment = defineArguments({
  extra,
  setId,
  items: z
    .array(z.strictObject({ existingAssetId: assetId, expectedAssetUpdatedAt: assetRevision, ...placed }))
    .min(1)
    .max(300),
});
const meantAssignment = assignment
  .transform((args) => ({ ...args, items: numbered(args.clientMutationId, args.items) }))
  .superRefine(({ items }, context) => requireDistinct('items', items, context));

/**
 * Grouping Sets: assign owned standalone artwork (interface document). The body is assumed. A
 * grouped edit's `assign` does the same, and its body is shown.
 */
export const assignGroupingAssets = defineOperation({
  name: 'assign_grouping_assets',
  sends: 'json',
  arguments: assignment,
  called: meantAssignment,
  meant: meantAssignment,
  revision: revisionOfOwned('set', 'setId'),
  saved: 'set',
  needed: { allOf: ['sets:write'] },
  target: ({ setId: id }) => ({ kind: 'set', id }),
  keys: ({ setId, items }) =>
    items.flatMap((item) => [keyOfPlaceIn(setId, item), keyOfAsset(item.existingAssetId)]),
  // The body carries them too, but that body is only assumed.
  guards: ({ items }) =>
    items.map(({ existingAssetId: id, expectedAssetUpdatedAt: expected }) => ({
      ...{ of: 'asset', about: { kind: 'asset', id }, expected, onWire: false },
    })),
  places: ({ items }) => placementsOf(items),
  request({ items, ...args }) {
    const body = groupingAssignment({
      ...args,
      expectedUpdatedAt: revisionToSend(args.expectedUpdatedAt),
      items: items.map(({ expectedAssetUpdatedAt, ...item }) =>
        assignedItem({ ...item, expectedAssetUpdatedAt: revisionToSend(expectedAssetUpdatedAt) }),
      ),
    });
    return jsonRequest(path`/me/grouping-sets/${args.setId}/assets`, body);
  },
  effect: {
    fields: ({ items }) => presenceOf(items.map(({ existingAssetId }) => existingAssetId)),
    shown: assetsShown,
  },
});

function presenceOf(ids: readonly unknown[]): Record<string, true> {
  return Object.fromEntries(ids.map((id) => [keyOfAsset(String(id)), true]));
}

/** The Assets that a Set's record lists. */
function assetsShown(record: JsonRecord | null): JsonRecord {
  const list: unknown = record?.assets;
  if (!Array.isArray(list)) return {};
  return presenceOf(list.flatMap((one: unknown) => (isRecord(one) ? [one.id, one.assetId] : [one])));
}

const states = ['follow', 'hide', 'clear'] as const;
const relation = defineArguments({
  extra,
  targetKind: relatedKind,
  targetId: relatedId,
  relationship: z.enum(states),
});

/** Entities have integers for ids. A creator can have a name of digits. */
const meantRelation = relation.transform((args) =>
  isKind(args.targetKind) && /^\d{1,15}$/.test(String(args.targetId))
    ? { ...args, targetId: Number(args.targetId) }
    : args,
);

/** The id of the account as its record shows it, where that is a number. */
const noticedRelation = z.object({ targetId: z.number() });

/** Relationships (interface document). The body is assumed; it says what shall be. */
export const changeRelationship = defineOperation({
  name: 'change_relationship',
  sends: 'json',
  arguments: relation,
  meant: meantRelation,
  revision: ({ targetKind, targetId }) => ({ of: 'relationship', targetKind, targetId }),
  saved: 'relationship',
  needed: { allOf: ['relationships:write'] },
  target: ({ targetKind: kind, targetId: id, relationship }) => ({ kind, id, relationship }),
  // An id of digits is a text in calls. It goes as its record shows it: to the service 55 and "55" may be two.
  async notice({ targetKind: kind, targetId: id, expectedUpdatedAt: expected }, reads) {
    if (expected === null) return null;
    const record = await readExpected({ of: 'relationship', about: { kind, id }, expected }, reads);
    const shown = record?.targetId ?? (isRecord(record?.target) ? record.target.id : undefined);
    return typeof shown === 'number' && String(shown) === String(id) ? { targetId: shown } : null;
  },
  request(args, noticed) {
    const relationship = args.relationship === 'clear' ? null : args.relationship;
    const { targetId = args.targetId } = noticedRelation.safeParse(noticed).data ?? {};
    const body = relationshipChange({ ...args, targetId, relationship });
    return jsonRequest(path`/me/relationships`, body);
  },
  effect: {
    fields: ({ relationship }) => ({ relationship }),
    shown: (record) => ({ relationship: stateIn(record) }),
  },
  undo: ({ targetKind, targetId }, earlier) => ({ targetKind, targetId, ...earlier }),
});

/** The service may use the plural, as for its lists. Undefined: a word that we don't know. */
function stateIn(record: JsonRecord | null): (typeof states)[number] | undefined {
  if (record === null) return 'clear';
  const word = stateOfRelationship(record);
  return states.find((state) => word === state || word === `${state}s`);
}
