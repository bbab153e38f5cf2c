import { z } from 'zod';
import { canonicalAnswer, canonicalDigest } from '../../canonical-json.ts';
import type { NeededScopes } from '../authorization.ts';
import { path, type ServicePath, writeQuery } from '../call.ts';
import { type ServiceError, serviceError } from '../failures.ts';
import type { AnySet, Entity, EntityKind, FeedItem, IndexedEpisode, SetKind } from './kinds.ts';
import {
  boundedId,
  boundedRecordOf,
  dataOf,
  id,
  idAt,
  identityAt,
  isRecord,
  isSameId,
  type JsonRecord,
  type ProcessingState,
  type Publication,
  processingState,
  readPublication,
  recordAt,
  revisionAt,
  text,
  textAt,
  wordAt,
} from './members.ts';

/** Text, says the interface document. A number would still tell one revision from another, so it is kept. */
export const updatedAt = z.union([z.string(), z.number()]).nullish();

/** Interface document, Protected-side records: owned Asset. Its other fields are not shown, and are kept. */
export const ownedAsset = {
  path: (assetId: number | string) => path`/me/assets/${assetId}`,
  needed: { anyOf: ['assets:write', 'assets:replace'] },
  schema: z.looseObject({
    id,
    updatedAt,
    languageCode: text,
    editionId: z.union([z.string(), z.number()]).nullish(),
  }),
} as const;

export type OwnedAsset = z.infer<typeof ownedAsset.schema>;

/** Interface document, Protected-side records: owned Set. Its other fields are not shown, and are kept. */
export const ownedSet = {
  path: (setId: number | string) => path`/me/sets/${setId}`,
  needed: { allOf: ['sets:write'] },
  schema: z.looseObject({ id, updatedAt }),
} as const;

export type OwnedSet = z.infer<typeof ownedSet.schema>;

/** A Boxset or Loadout of the caller's. Its fields are not shown (interface document, Protected-side records). */
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

/**
 * An owned destination. Its fields are not shown and none is touched: a Set's creation takes the record as it
 * came (Media Set creation, `destination`).
 */
export const uploadDestination = {
  path: ({ kind, family, q }: DestinationQuery): ServicePath =>
    (path`/me/upload-destinations` +
      writeQuery({
        kind,
        ...(family === undefined ? {} : { family }),
        ...(q === undefined || q === '' ? {} : { q }),
      })) as ServicePath,
  needed: ({ kind }: DestinationQuery): NeededScopes => ({
    allOf: [kind === 'boxset' ? 'groups:write' : 'sets:write'],
  }),
  schema: z.looseObject({}),
} as const;

export type UploadDestination = z.infer<typeof uploadDestination.schema>;

/** A follow or a hide. Its fields are not shown (interface document, Protected-side records). */
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
 * The relationship to a target, in whichever of the likely ways a record names it: `targetKind` and
 * `targetId`, or `target` with `kind` and `id`; a person perhaps by name. Null when none names it, which is
 * what clearing leaves.
 */
export function findRelationship(
  relationships: readonly Relationship[],
  wanted: RelationshipTarget,
): Relationship | null {
  const ofKind = relationships.filter((one) => {
    const kind = textAt(one, 'targetKind') ?? textAt(recordAt(one, 'target'), 'kind');
    return kind === wanted.targetKind;
  });
  const id = String(wanted.targetId);
  const byId = ofKind.find((one) => (idAt(one, 'targetId') ?? idAt(recordAt(one, 'target'), 'id')) === id);
  // An id wins over another one's name that reads like it.
  const byName = () =>
    ofKind.find((one) =>
      [textAt(one, 'username'), textAt(recordAt(one, 'target'), 'name', 'username')].includes(id),
    );
  return byId ?? byName() ?? null;
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
 * A protected record's `updatedAt`, verbatim (interface document, Protected-side records). A record that shows
 * none, or one that is too long to be one, is given one by us: `sha256:` and the digest of the record, which
 * changes with anything in it.
 */
export function revisionOf(record: Readonly<Record<string, unknown>>): Revision {
  const { updatedAt } = record;
  const shown = typeof updatedAt === 'string' ? boundedId(updatedAt) : null;
  const revision = shown ?? `sha256:${canonicalDigest(canonicalAnswer(record))}`;
  return revision as Revision;
}

/** The revision as it may be sent; null for one that only we know. */
export function serviceRevision(revision: string): ServiceRevision | null {
  return revision === '' || ownDigest.test(revision) ? null : (revision as ServiceRevision);
}

/** Interface document, Asset upload status. */
export const uploadStatus = {
  path: (clientMutationId: string) => path`/me/asset-uploads/${clientMutationId}`,
  needed: { anyOf: ['assets:write', 'assets:replace'] },
  /** What the record is known by where it comes without `data`. */
  marks: ['processingStatus', 'publicationStatus', 'clientMutationId', 'mutationId'],
  schema: z.looseObject({}),
} as const;

/** What the service says of a single upload. Only `state` says how it stands; the words are for showing. */
export interface AssetUpload extends Publication {
  readonly state: ProcessingState;
  readonly processingStatus: string | null;
  readonly mutationId: string | null;
  readonly assetId: string | null;
  readonly updatedAt: string | null;
  /** Always false, says the interface document: no status asks for a second upload. */
  readonly retryable: boolean | null;
  readonly error: ServiceError | null;
  readonly record: JsonRecord;
}

/** Reads the service's own record of an upload (interface document, Asset upload status). */
export function readUploadStatus(body: unknown): AssetUpload {
  const record = dataOf(body);
  const asset = recordAt(record, 'asset');
  const processingStatus = wordAt(record, 'processingStatus');
  const error = errorOfRecord(record);
  return {
    state: processingState(processingStatus, error !== null),
    processingStatus,
    ...readPublication(record, asset),
    mutationId: identityAt(record, 'clientMutationId') ?? idAt(record, 'mutationId'),
    assetId: idAt(record, 'assetId') ?? idAt(asset, 'id', 'assetId'),
    updatedAt: revisionAt(record) ?? revisionAt(asset),
    retryable: typeof record.retryable === 'boolean' ? record.retryable : null,
    error,
    record: boundedRecordOf(record),
  };
}

/** A record's own `error`, as object or word; null without one. */
export function errorOfRecord(record: JsonRecord): ServiceError | null {
  const { error } = record;
  if (error === undefined || error === null) return null;
  // An error of another shape is still one.
  return (
    serviceError({ error }) ?? { code: undefined, message: undefined, details: undefined, issues: undefined }
  );
}

/** The error that an answer tells, in its records or beside them (interface document, Resources: `{ data, error? }`). */
export function errorIn(body: unknown, ...records: readonly JsonRecord[]): ServiceError | null {
  const all = isRecord(body) ? [...records, body] : records;
  return all.map(errorOfRecord).find((error) => error !== null) ?? null;
}

/** What a mutation saves, and so what its receipt identifies. Submissions have their own reading. */
export type Saved = 'asset' | 'set' | 'group' | 'relationship';

/** What the service answered a mutation with. Only `state` says how it stands; the words are for showing. */
export interface Receipt extends Publication {
  /**
   * `succeeded` only where the receipt identifies what was saved, says nothing to the contrary and is this
   * mutation's own, about what was to be changed. `unknown`: look it up, or read it back.
   */
  readonly state: ProcessingState;
  readonly processingStatus: string | null;
  /** Of the Asset, Set, group or relationship. */
  readonly savedId: string | null;
  readonly updatedAt: string | null;
  readonly mutationId: string | null;
  readonly error: ServiceError | null;
  readonly record: JsonRecord;
}

/**
 * Reads the body of the answer to an applied request; null is the empty one.
 * @param changed what was there before and was to be changed; null: something new was made
 */
export function readReceipt(
  body: unknown,
  saved: Saved,
  clientMutationId: string,
  changed: Changed | null = null,
): Receipt {
  const record = dataOf(body);
  const inner = recordAt(record, saved);
  const processingStatus = wordAt(record, 'processingStatus') ?? wordAt(inner, 'processingStatus');
  const savedId = idAt(record, `${saved}Id`) ?? idAt(inner, 'id', `${saved}Id`) ?? idAt(record, 'id');
  const ownId = identityAt(record, 'clientMutationId') ?? identityAt(inner, 'clientMutationId');
  const error = errorIn(body, record, inner);
  const identified = savedId !== null || (saved === 'relationship' && idAt(record, 'targetId') !== null);
  const foreign =
    (ownId !== null && !isSameId(ownId, clientMutationId)) ||
    (changed !== null && namesAnother([record, inner], saved, savedId, changed));
  const said = processingState(processingStatus ?? 'succeeded', error !== null);
  return {
    state: foreign || (said === 'succeeded' && !identified) ? 'unknown' : said,
    processingStatus,
    ...readPublication(record, inner),
    savedId,
    updatedAt: revisionAt(record) ?? revisionAt(inner),
    mutationId: ownId ?? idAt(record, 'mutationId'),
    error,
    record: boundedRecordOf(record),
  };
}

interface Changed {
  readonly kind: string;
  /** A number, or a text: of an account perhaps its name, which no receipt has to repeat. */
  readonly id: number | string;
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

/** A record that the service has just shown, parsed and cleaned, and where it was read (interface document, Endpoints). */
export type CatalogueReading =
  | { readonly of: 'entity'; readonly kind: EntityKind; readonly record: Entity }
  | { readonly of: 'set'; readonly kind: SetKind; readonly record: AnySet }
  /** The service answered 404. */
  | { readonly of: 'gone'; readonly kind: EntityKind | SetKind; readonly id: number | string }
  | { readonly of: 'episodes'; readonly items: readonly IndexedEpisode[] }
  | { readonly of: 'feed'; readonly items: readonly FeedItem[] };

/** Is told of each reading before its caller has it; must not throw, and does its work later. */
export type OnReading = (reading: CatalogueReading) => void;
