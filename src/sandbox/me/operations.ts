import type { Answer } from '../http.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import type { ServerContext } from '../server-context.ts';
import type { Destination } from '../uploads/query.ts';
import { readUploadStatus } from '../uploads/status.ts';
import { uploadAsset } from '../uploads/upload.ts';
import { editMetadata, readOwnedAsset, selectPreview } from './assets.ts';
import type { Caller, RequiredScopes } from './authorize.ts';
import type { Operation, OperationRequest, ProtectedContext } from './context.ts';
import { findDestinations, scopesForDestinations } from './destinations.ts';
import { assignToGroupingSet, createGroupingSet } from './grouping-sets.ts';
import { changeGroup, createGroup, readOwnedGroup } from './groups.ts';
import { protectedAnswer } from './protected-error.ts';
import { changeRelationship, readRelationships } from './relationships.ts';
import { readJson } from './request.ts';
import { readOwnedSet } from './sets.ts';

const eitherAssetScope: RequiredScopes = { any: ['assets:write', 'assets:replace'] };

/** The protected reads, with their scopes (the interface document, Endpoints). */
export function readOperations({ database, now }: ServerContext): readonly Operation[] {
  const read = (
    path: string,
    scopes: RequiredScopes | ((call: OperationRequest) => RequiredScopes),
    data: (call: OperationRequest, caller: Caller) => object,
  ): Operation => ({
    method: 'GET',
    path,
    requiredScopes: typeof scopes === 'function' ? scopes : () => scopes,
    answer: (call, caller) => protectedAnswer(200, { data: data(call, caller) }),
  });
  return [
    read('/me/assets/{assetId}', eitherAssetScope, ({ values }, caller) =>
      readOwnedAsset(database, caller, values.text('assetId'), now()),
    ),
    read('/me/sets/{setId}', { every: ['sets:write'] }, ({ values }, caller) =>
      readOwnedSet(database, caller, values.integer('setId'), now()),
    ),
    read('/me/groups/{groupId}', { every: ['groups:write'] }, ({ values }, caller) =>
      readOwnedGroup(database, caller, values.integer('groupId'), now()),
    ),
    read('/me/upload-destinations', scopesForDestinations, ({ query }, caller) =>
      findDestinations(database, caller, query),
    ),
    read('/me/relationships', { every: ['relationships:write'] }, (_, caller) =>
      readRelationships(database, caller),
    ),
    read('/me/asset-uploads/{clientMutationId}', eitherAssetScope, ({ values }, caller) =>
      readUploadStatus(database, caller, values.text('clientMutationId'), now()),
    ),
  ];
}

/** The scope that the operation in the query needs; an unknown operation is refused later. */
function artworkScopes({ query }: OperationRequest, ...also: readonly ResourceScope[]): RequiredScopes {
  switch (query.get('operation')) {
    case 'add':
      return { every: [...also, 'assets:write'] };
    case 'replace':
      return { every: [...also, 'assets:replace'] };
    default:
      return also.length > 0 ? { every: also } : eitherAssetScope;
  }
}

/** Mutations, with their scopes (the interface document, Endpoints). */
export function mutationOperations(context: ProtectedContext): readonly Operation[] {
  const upload = (
    path: string,
    to: (call: OperationRequest) => Destination,
    ...also: readonly ResourceScope[]
  ): Operation => ({
    method: 'POST',
    path,
    requiredScopes: (call) => artworkScopes(call, ...also),
    answer: (call, caller) => uploadAsset(context, caller, to(call), call),
  });
  const json = (
    path: string,
    scope: ResourceScope,
    answer: (call: OperationRequest, caller: Caller, body: unknown) => Answer,
  ): Operation => ({
    method: 'POST',
    path,
    requiredScopes: () => ({ every: [scope] }),
    answer: async (call, caller) => answer(call, caller, await readJson(call.request)),
  });
  return [
    upload('/me/assets', () => ({ kind: 'standalone' })),
    upload('/me/sets/{setId}/assets', ({ values }) => ({ kind: 'set', id: values.integer('setId') })),
    upload(
      '/me/groups/{groupId}/poster',
      ({ values }) => ({ kind: 'group', id: values.integer('groupId') }),
      'groups:write',
    ),
    json('/me/assets/{assetId}/metadata', 'assets:write', ({ values }, caller, body) =>
      editMetadata(context, caller, values.text('assetId'), body),
    ),
    json('/me/assets/{assetId}/preview', 'assets:replace', ({ values }, caller, body) =>
      selectPreview(context, caller, values.text('assetId'), body),
    ),
    json('/me/groups', 'groups:write', (_, caller, body) => createGroup(context, caller, body)),
    json('/me/groups/{groupId}', 'groups:write', ({ values }, caller, body) =>
      changeGroup(context, caller, values.integer('groupId'), body),
    ),
    json('/me/grouping-sets', 'sets:write', (_, caller, body) => createGroupingSet(context, caller, body)),
    json('/me/grouping-sets/{setId}/assets', 'sets:write', ({ values }, caller, body) =>
      assignToGroupingSet(context, caller, values.integer('setId'), body),
    ),
    json('/me/relationships', 'relationships:write', (_, caller, body) =>
      changeRelationship(context, caller, body),
    ),
  ];
}
