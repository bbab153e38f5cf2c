import { z } from 'zod';
import { canonicalAnswer, canonicalDigest } from '../../canonical-json.ts';
import type { NeededScopes } from '../authorization.ts';
import { path, type ServicePath, writeQuery } from '../call.ts';
import { errorIn } from '../failures.ts';
import {
  boundRecord,
  dataOf,
  id,
  idAt,
  identityAt,
  isRecord,
  isSameId,
  type JsonRecord,
  processingState,
  publicationIn,
  recordAt,
  revisionAt,
  text,
  textAt,
  wordAt,
} from './members.ts';

// The interface document shows few fields of protected records (Protected-side records). The others are kept.

/** Text, says the interface document. A number would still tell one revision from another, so it is kept. */
const updatedAt = z.union([z.string(), z.number()]).nullish().catch(null);
const editionId = z.union([z.string(), z.number()]).nullish().catch(null);

export const ownedAsset = {
  path: (assetId: number | string) => path`/me/assets/${assetId}`,
  needed: { anyOf: ['assets:write', 'assets:replace'] },
  schema: z.looseObject({ id, updatedAt, languageCode: text, editionId }),
} as const;
export type OwnedAsset = z.infer<typeof ownedAsset.schema>;

export const ownedSet = {
  path: (setId: number | string) => path`/me/sets/${setId}`,
  needed: { allOf: ['sets:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;
export type OwnedSet = z.infer<typeof ownedSet.schema>;

/** A Boxset or Loadout of the caller's. */
export const ownedGroup = {
  path: (groupId: number | string) => path`/me/groups/${groupId}`,
  needed: { allOf: ['groups:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;
export type OwnedGroup = z.infer<typeof ownedGroup.schema>;

/** Interface document, Endpoints: query of `/me/upload-destinations`. */
export interface DestinationQuery {
  readonly kind: 'talent_set' | 'media_set' | 'boxset';
  /** Left out: media destinations. */
  readonly family?: 'game' | undefined;
  /** What to search for. */
  readonly q?: string | undefined;
}

/** An owned destination. A Set's creation takes the record as it came (Media Set creation, `destination`). */
export const uploadDestination = {
  path({ kind, family, q }: DestinationQuery): ServicePath {
    const query = writeQuery({ kind, ...(family && { family }), ...(q && { q }) });
    return `${path`/me/upload-destinations`}${query}` as ServicePath;
  },
  needed: ({ kind }: DestinationQuery): NeededScopes => ({
    allOf: [kind === 'boxset' ? 'groups:write' : 'sets:write'],
  }),
  schema: z.looseObject({}),
} as const;

/** A follow or a hide. */
export const relationship = {
  path: path`/me/relationships`,
  needed: { allOf: ['relationships:write'] },
  schema: z.looseObject({}),
} as const;
export type Relationship = z.infer<typeof relationship.schema>;

export interface RelationshipTarget {
  readonly targetKind: string;
  readonly targetId: string | number;
}

/**
 * The relationship to a target, in whichever of the likely ways a record names it: `targetKind` and `targetId`, or
 * `target` with `kind` and `id`; a person perhaps by name. Null when none names it, which is what clearing leaves.
 */
export function findRelationship(
  relationships: readonly Relationship[],
  wanted: RelationshipTarget,
): Relationship | null {
  const wantedId = String(wanted.targetId);
  const ofKind = relationships
    .map((one) => ({ one, target: recordAt(one, 'target') }))
    .filter(({ one, target }) => (textAt(one, 'targetKind') ?? textAt(target, 'kind')) === wanted.targetKind);
  const byId = ofKind.find(({ one, target }) => (idAt(one, 'targetId') ?? idAt(target, 'id')) === wantedId);
  // An id wins over another one's name that reads like it.
  const byName = ofKind.find(({ one, target }) =>
    [textAt(one, 'username'), textAt(target, 'name', 'username')].includes(wantedId),
  );
  return (byId ?? byName)?.one ?? null;
}

/** `follow`, `hide`, or the service's own word for it; null where the record does not say. */
export function stateOfRelationship(record: JsonRecord): string | null {
  return textAt(record, 'relationship', 'state', 'type', 'kind', 'listedUnder');
}

/** What a record is compared by, byte for byte and never as a date. */
export type Revision = string & { readonly __brand: 'Revision' };

/** A revision that the service gave, and that may be sent back to it as `expectedUpdatedAt`. */
export type ServiceRevision = Revision & { readonly __origin: 'service' };

const ownDigest = /^sha256:[0-9a-f]{64}$/;

/**
 * A protected record's `updatedAt`, verbatim (interface document, Protected-side records). A record that shows none, or
 * one that is too long to be one, is given one by us: `sha256:` and the digest of the record, which changes with
 * anything in it.
 */
export function revisionOf(record: JsonRecord): Revision {
  return (revisionAt(record) ?? `sha256:${canonicalDigest(canonicalAnswer(record))}`) as Revision;
}

/** The revision as it may be sent; null for one that only we know. */
export function serviceRevision(revision: string): ServiceRevision | null {
  return revision === '' || ownDigest.test(revision) ? null : (revision as ServiceRevision);
}

/** Interface document, Asset upload status. */
export const uploadStatus = {
  path: (clientMutationId: string) => path`/me/asset-uploads/${clientMutationId}`,
  needed: { anyOf: ['assets:write', 'assets:replace'] },
} as const;

/** What the service says of an upload. Only `state` says how it stands; the words are for showing. */
export type AssetUpload = Readonly<ReturnType<typeof readUploadStatus>>;

/** Reads the service's own record of an upload. */
export function readUploadStatus(body: unknown) {
  const record = dataOf(body);
  const asset = recordAt(record, 'asset');
  const processingStatus = wordAt(record, 'processingStatus');
  const error = errorIn(record);
  return {
    state: processingState(processingStatus, error !== null),
    processingStatus,
    publicationStatus: publicationIn(record, asset),
    mutationId: identityAt(record, 'clientMutationId') ?? idAt(record, 'mutationId'),
    assetId: idAt(record, 'assetId') ?? idAt(asset, 'id', 'assetId'),
    updatedAt: revisionAt(record) ?? revisionAt(asset),
    error,
    record: boundRecord(record),
  };
}

/** What a mutation saves, and so what its receipt identifies. Submissions have their own reading. */
export type Saved = 'asset' | 'set' | 'group' | 'relationship';

interface Changed {
  readonly kind: string;
  /** A number, or a text: of an account perhaps its name, which no receipt has to repeat. */
  readonly id: number | string;
}

/**
 * Reads the body of the answer to an applied request; null is the empty one. Its `state` is `succeeded` only where the
 * receipt identifies what was saved, says nothing to the contrary and is this mutation's own, about what was to be
 * changed. `unknown`: look it up, or read it back.
 * @param changed what was there before and was to be changed; null: something new was made
 */
export function readReceipt(
  body: unknown,
  saved: Saved,
  clientMutationId: string,
  changed: Changed | null = null,
) {
  const record = dataOf(body);
  const inner = recordAt(record, saved);
  const processingStatus = wordAt(record, 'processingStatus') ?? wordAt(inner, 'processingStatus');
  const savedId = idAt(record, `${saved}Id`) ?? idAt(inner, 'id', `${saved}Id`) ?? idAt(record, 'id');
  const ownId = identityAt(record, 'clientMutationId') ?? identityAt(inner, 'clientMutationId');
  const error = errorIn(record, inner, isRecord(body) ? body : {});
  const isIdentified = savedId !== null || (saved === 'relationship' && idAt(record, 'targetId') !== null);
  const isForeign =
    (ownId !== null && !isSameId(ownId, clientMutationId)) ||
    (changed !== null && namesAnother([record, inner], saved, savedId, changed));
  const said = processingState(processingStatus ?? 'succeeded', error !== null);
  return {
    state: isForeign || (said === 'succeeded' && !isIdentified) ? ('unknown' as const) : said,
    processingStatus,
    publicationStatus: publicationIn(record, inner),
    mutationId: ownId ?? idAt(record, 'mutationId'),
    /** Of the Asset, Set, group or relationship. */
    savedId,
    updatedAt: revisionAt(record) ?? revisionAt(inner),
    error,
    record: boundRecord(record),
  };
}

/** Another's receipt, from a cache between, must not pass for the one of this change. */
function namesAnother(
  records: readonly JsonRecord[],
  saved: Saved,
  savedId: string | null,
  { kind, id }: Changed,
): boolean {
  if (saved !== 'relationship') return savedId !== null && !isSameId(savedId, id);
  return records.some((record) => {
    const target = recordAt(record, 'target');
    const namedKind = textAt(record, 'targetKind') ?? textAt(target, 'kind');
    const namedId = identityAt(record, 'targetId') ?? identityAt(target, 'id');
    const isOtherId = typeof id === 'number' && namedId !== null && namedId !== String(id);
    return (namedKind !== null && namedKind !== kind) || isOtherId;
  });
}
