import { z } from 'zod';
import { type Deadline, readUntil, unlessAborted } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { createDispatchers, type OpenConnection } from '../http/dispatchers.ts';
import { openList, openRecord, requireSame } from './answer.ts';
import {
  type Access,
  type AccessToken,
  type NeededScopes,
  protectedError,
  requireScopes,
} from './authorization.ts';
import { createEndpointFinder, type Locate, resolveNextPage, type ServicePath } from './call.ts';
import { createReader, jsonAt } from './reader.ts';
import { identityAt, isRecord, type JsonRecord } from './records/members.ts';
import {
  type AssetUpload,
  type DestinationQuery,
  ownedAsset,
  ownedGroup,
  ownedSet,
  readUploadStatus,
  relationship,
  uploadDestination,
  uploadStatus,
} from './records/owned.ts';
import { readSubmission, type SubmissionKind, submissionPath, submissions } from './submission.ts';

export type Owned = ReturnType<typeof createOwned>;

export interface OwnedOptions<Token extends AccessToken> {
  readonly locate: Locate;
  readonly open?: OpenConnection | undefined;
  readonly userAgent: string;
  readonly access: Access<Token>;
}

const silenceMs = 20_000;
const tries = 5;

/**
 * What the connected account owns (interface document, Endpoints: Protected reads; Recovery lookups). Every string of an
 * answer is already free of control and bidirectional-override characters, and of access tokens. Rejections are
 * ArtworkErrors: `scope_missing` before anything is sent, `reconnect_required` after a second 401, `forbidden` for
 * another account's record, `bad_response` for a record that is not the one asked for.
 */
export function createOwned<Token extends AccessToken>(options: OwnedOptions<Token>) {
  const dispatchers = createDispatchers({ connections: 4, open: options.open });
  const endpoints = createEndpointFinder(options.locate);
  const read = createReader(endpoints, options.userAgent, silenceMs, tries);
  const { access } = options;

  const getWith = async (token: Token, path: ServicePath, needed: NeededScopes, within: Deadline) => {
    requireScopes(needed, token.scopes);
    const answer = await read({ ...jsonAt(path, dispatchers), bearer: token.token.reveal() }, within);
    access.accepted?.(token);
    return answer;
  };
  /** A token that is answered with 401 is renewed once; the next one's 401 is the end of it. */
  const get = async (path: ServicePath, needed: NeededScopes, within: Deadline) => {
    const { signal } = within;
    let token = await unlessAborted(signal, access.bearer(signal));
    try {
      try {
        return await getWith(token, path, needed, within);
      } catch (error) {
        if (!(error instanceof ArtworkError) || error.status !== 401) throw error;
      }
      token = await unlessAborted(signal, access.rejected(token, signal));
      return await getWith(token, path, needed, within);
    } catch (error) {
      throw error instanceof ArtworkError ? protectedError(error, needed, token) : error;
    }
  };

  const readOwn =
    <Value extends { readonly id?: string | number | null | undefined }>(record: {
      path(id: string | number): ServicePath;
      needed: NeededScopes;
      schema: z.ZodType<Value>;
    }) =>
    (id: string | number, deadline?: Deadline): Promise<Value> =>
      readUntil(deadline, async (within) => {
        const path = record.path(id);
        const answer = await get(path, record.needed, within);
        const found = openRecord(answer, record.schema, path, true);
        requireSame(found.id, id, path);
        return found;
      });

  /** What stands at a path, as `data`; null where the service has nothing there. */
  const find = async (path: ServicePath, needed: NeededScopes, within: Deadline) => {
    try {
      const answer = await get(path, needed, within);
      return { data: openRecord(answer, z.looseObject({}), path, true) };
    } catch (error) {
      if (error instanceof ArtworkError && error.failure === 'not_found') return null;
      throw error;
    }
  };

  return {
    readAsset: readOwn(ownedAsset),
    readSet: readOwn(ownedSet),
    /** A Boxset or a Loadout. */
    readGroup: readOwn(ownedGroup),
    /** A limited number of them; the document does not say how many. */
    findUploadDestinations: (query: DestinationQuery, deadline?: Deadline) =>
      readUntil(deadline, async (within) => {
        const path = uploadDestination.path(query);
        const answer = await get(path, uploadDestination.needed(query), within);
        return openList(answer, uploadDestination.schema, path, listsIn).items;
      }),
    /** The first page for null, else the one that a page's `nextPage` names. The document shows no later page. */
    readRelationships: (asked: string | null, deadline?: Deadline) =>
      readUntil(deadline, async (within) => {
        const path = resolveNextPage(asked, relationship.path, await endpoints.find(within));
        const answer = await get(path, relationship.needed, within);
        const { items, meta } = openList(answer, relationship.schema, path, listsIn);
        return { items, nextPage: meta.nextPage ?? null };
      }),
    /** Null when the service knows none of this id now, which proves nothing: the upload may still arrive. */
    findAssetUpload: (clientMutationId: string, deadline?: Deadline): Promise<AssetUpload | null> =>
      readUntil(deadline, async (within) => {
        const path = uploadStatus.path(clientMutationId);
        const found = await find(path, uploadStatus.needed, within);
        if (found === null) return null;
        // A mutation id under another name may be the service's own number for it.
        requireSame(identityAt(found.data, 'clientMutationId'), clientMutationId, path);
        return readUploadStatus(found);
      }),
    /** Null when the service knows none of this id now. */
    findSubmission: (kind: SubmissionKind, submissionId: string, deadline?: Deadline) =>
      readUntil(deadline, async (within) => {
        const path = submissionPath(kind, submissionId);
        const found = await find(path, submissions[kind].needed, within);
        if (found === null) return null;
        const submission = readSubmission(found, kind);
        requireSame(submission.submissionId, submissionId, path);
        return submission;
      }),
    /** Ends every connection; calls in flight reject. */
    close: () => dispatchers.destroy(),
  };
}

/**
 * The list in data that is none: the interface document does not show what relationships and destinations come in.
 * Where there are several (`follows` and `hides`, say), each element is told from the others by the name of its list.
 */
function listsIn(data: JsonRecord): unknown {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  if (lists.length === 0) return data;
  if (lists.length === 1) return lists[0]?.[1];
  return lists.flatMap(([listedUnder, elements]) =>
    elements.map((element) => (isRecord(element) ? { ...element, listedUnder } : element)),
  );
}
