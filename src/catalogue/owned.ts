import { z } from 'zod';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { answerBytes } from './answer-body.ts';
import { type Access, type AccessToken, createProtectedReader, type NeededScopes } from './authorization.ts';
import { createEndpointFinder, readUntil, resolveNextPage, type ServicePath } from './call.ts';
import type { CatalogueOptions, Limits } from './client.ts';
import { createDispatchers } from './dispatchers.ts';
import { createOpener, createReader, requireSame } from './reader.ts';
import { identityAt, isRecord, type JsonRecord } from './records/members.ts';
import {
  type AssetUpload,
  type DestinationQuery,
  type OwnedAsset,
  type OwnedGroup,
  type OwnedSet,
  type OwnReading,
  ownedAsset,
  ownedGroup,
  ownedSet,
  type Relationship,
  readUploadStatus,
  relationship,
  type UploadDestination,
  uploadDestination,
  uploadStatus,
} from './records/owned.ts';
import {
  readSubmission,
  type Submission,
  type SubmissionKind,
  submission,
  submissionPath,
  submissions,
} from './submission.ts';

interface OwnedPage<Item> {
  readonly items: readonly Item[];
  /** What follows, for the same function again; null on the last page. None is shown in the document. */
  readonly nextPage: string | null;
}

/**
 * Protected reads (interface document, Endpoints: Protected reads; Recovery lookups). Every string of an
 * answer is already free of control and bidirectional-override characters, and of the access token.
 * Rejections are ArtworkErrors: `scope_missing` before anything is sent, `reconnect_required` after a second
 * 401, `forbidden` for another account's record, `bad_response` for a record that is not the one asked for.
 */
export interface Owned {
  readAsset(assetId: string | number, deadline?: Deadline): Promise<OwnedAsset>;
  readSet(setId: string | number, deadline?: Deadline): Promise<OwnedSet>;
  /** A Boxset or a Loadout. */
  readGroup(groupId: string | number, deadline?: Deadline): Promise<OwnedGroup>;
  /** A limited number of them; the document does not say how many. */
  findUploadDestinations(query: DestinationQuery, deadline?: Deadline): Promise<readonly UploadDestination[]>;
  /** The first page for null, else the one that a page's `nextPage` names. */
  readRelationships(nextPage: string | null, deadline?: Deadline): Promise<OwnedPage<Relationship>>;
  /** Null when the service knows none of this id now, which proves nothing: the upload may still arrive. */
  findAssetUpload(clientMutationId: string, deadline?: Deadline): Promise<AssetUpload | null>;
  /** Null when the service knows none of this id. */
  findSubmission(kind: SubmissionKind, submissionId: string, deadline?: Deadline): Promise<Submission | null>;
  /** Ends every connection; calls in flight reject. */
  close(): Promise<void>;
}

export interface OwnedOptions<Token extends AccessToken>
  extends Omit<CatalogueOptions, 'limits' | 'onReading'> {
  readonly access: Access<Token>;
  /** Is told of each reading, and for whose token the service gave it; otherwise as `OnReading`. */
  readonly onReading?: ((reading: OwnReading, token: Token) => void) | undefined;
  readonly limits?: Partial<OwnedLimits> | undefined;
}

type OwnedLimits = Pick<Limits, 'connections' | 'answerBytes' | 'silenceMs'>;

const defaultLimits: OwnedLimits = { connections: 4, answerBytes, silenceMs: 20_000 };

/** The client of what the connected account owns, below `/me`. */
export function createOwned<Token extends AccessToken>(options: OwnedOptions<Token>): Owned {
  const { connections, answerBytes, silenceMs } = { ...defaultLimits, ...options.limits };
  const dispatchers = createDispatchers({ connections, idleMs: 4000, open: options.open });
  const endpoints = createEndpointFinder(options.locate);
  const read = createReader(endpoints, options.userAgent, silenceMs);
  const get = createProtectedReader({ read, dispatchers, access: options.access, maxBytes: answerBytes });
  const open = createOpener(options.log);
  const readOwn =
    <Value extends { readonly id?: string | number | null | undefined }>(
      { path: pathOf, needed, schema }: OwnRecord<Value>,
      reading: (record: Value) => OwnReading,
    ) =>
    (id: string | number, deadline?: Deadline): Promise<Value> =>
      readUntil(deadline, async (within) => {
        const path = pathOf(id);
        const { answer, token } = await get(path, needed, within);
        const record = open.record(answer, schema, path);
        requireSame(record.id, id, path);
        options.onReading?.(reading(record), token);
        return record;
      });

  /** Null where the service has none. */
  const readAny = async (
    { schema, marks }: typeof submission | typeof uploadStatus,
    path: ServicePath,
    needed: NeededScopes,
    within: Deadline,
  ) => {
    try {
      const { answer } = await get(path, needed, within);
      return open.record(answer, schema, path, marks);
    } catch (error) {
      if (error instanceof ArtworkError && error.category === 'not_found') return null;
      throw error;
    }
  };

  return {
    readAsset: readOwn(ownedAsset, (record) => ({ of: 'own asset', record })),
    readSet: readOwn(ownedSet, (record) => ({ of: 'own set', record })),
    readGroup: readOwn(ownedGroup, (record) => ({ of: 'own group', record })),
    findUploadDestinations: (query, deadline) =>
      readUntil(deadline, async (within) => {
        const path = uploadDestination.path(query);
        const { answer, token } = await get(path, uploadDestination.needed(query), within);
        const { items } = open.list(answer, z.array(uploadDestination.schema), path, listsIn);
        options.onReading?.({ of: 'own destinations', items }, token);
        return items;
      }),
    readRelationships: (nextPage, deadline) =>
      readUntil(deadline, async (within) => {
        const path =
          nextPage === null
            ? relationship.path
            : resolveNextPage(nextPage, relationship.path, (await endpoints.find(within)).prefix);
        const { answer } = await get(path, relationship.needed, within);
        const { items, meta } = open.list(answer, z.array(relationship.schema), path, listsIn);
        return { items, nextPage: meta.nextPage ?? null };
      }),
    findAssetUpload: (clientMutationId, deadline) =>
      readUntil(deadline, async (within) => {
        const path = uploadStatus.path(clientMutationId);
        const record = await readAny(uploadStatus, path, uploadStatus.needed, within);
        if (record === null) return null;
        const upload = readUploadStatus({ data: record });
        // A mutation id under another name may be the service's own number for it.
        requireSame(identityAt(record, 'clientMutationId'), clientMutationId, path);
        return upload;
      }),
    findSubmission: (kind, submissionId, deadline) =>
      readUntil(deadline, async (within) => {
        const path = submissionPath(kind, submissionId);
        const record = await readAny(submission, path, submissions[kind].needed, within);
        if (record === null) return null;
        const found = readSubmission({ data: record }, kind);
        requireSame(found.submissionId, submissionId, path);
        return found;
      }),
    close: () => dispatchers.destroy(),
  };
}

interface OwnRecord<Value> {
  path(id: string | number): ServicePath;
  readonly needed: NeededScopes;
  readonly schema: z.ZodType<Value>;
}

/**
 * The list in data that is none: the interface document does not show what relationships and destinations
 * come in. Where there are several (`follows` and `hides`, say), each element is told from the others by the
 * name of its list.
 */
function listsIn(data: JsonRecord): unknown {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [first] = lists;
  if (first === undefined) return data;
  if (lists.length === 1) return first[1];
  return lists.flatMap(([name, elements]) =>
    elements.map((element) => (isRecord(element) ? { ...element, listedUnder: name } : element)),
  );
}
