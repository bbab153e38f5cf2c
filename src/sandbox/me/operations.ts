import type { ResourceScope } from '../oauth/scopes.ts';
import type { ServerContext } from '../server-context.ts';
import { readUploadStatus } from '../uploads/status.ts';
import { uploadAsset } from '../uploads/upload.ts';
import { editMetadata, readOwnedAsset, selectPreview } from './assets.ts';
import type { RequiredScopes } from './authorize.ts';
import type { Operation, OperationRequest, ProtectedContext } from './context.ts';
import { findDestinations, scopesForDestinations } from './destinations.ts';
import { assignToGroupingSet, createGroupingSet } from './grouping-sets.ts';
import { changeGroup, createGroup, readOwnedGroup } from './groups.ts';
import { protectedAnswer } from './protected-error.ts';
import { changeRelationship, readRelationships } from './relationships.ts';
import { readJson } from './request.ts';
import { readOwnedSet } from './sets.ts';

/** The protected reads, with their scopes (the interface document, Endpoints). */
export function readOperations({ database, now }: ServerContext): readonly Operation[] {
  return [
    {
      method: 'GET',
      path: '/me/assets/{assetId}',
      requiredScopes: () => ({ any: ['assets:write', 'assets:replace'] }),
      answer: ({ values }, caller) =>
        protectedAnswer(200, { data: readOwnedAsset(database, caller, values.text('assetId'), now()) }),
    },
    {
      method: 'GET',
      path: '/me/sets/{setId}',
      requiredScopes: () => ({ every: ['sets:write'] }),
      answer: ({ values }, caller) =>
        protectedAnswer(200, { data: readOwnedSet(database, caller, values.integer('setId'), now()) }),
    },
    {
      method: 'GET',
      path: '/me/groups/{groupId}',
      requiredScopes: () => ({ every: ['groups:write'] }),
      answer: ({ values }, caller) =>
        protectedAnswer(200, { data: readOwnedGroup(database, caller, values.integer('groupId'), now()) }),
    },
    {
      method: 'GET',
      path: '/me/upload-destinations',
      requiredScopes: ({ query }) => scopesForDestinations(query),
      answer: ({ query }, caller) =>
        protectedAnswer(200, { data: findDestinations(database, caller, query) }),
    },
    {
      method: 'GET',
      path: '/me/relationships',
      requiredScopes: () => ({ every: ['relationships:write'] }),
      answer: (_, caller) => protectedAnswer(200, { data: readRelationships(database, caller) }),
    },
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
      return also.length > 0 ? { every: also } : { any: ['assets:write', 'assets:replace'] };
  }
}

/** Uploads of one file, and their status. */
function uploadOperations(context: ProtectedContext): readonly Operation[] {
  return [
    {
      method: 'POST',
      path: '/me/assets',
      requiredScopes: (call) => artworkScopes(call),
      answer: (call, caller) => uploadAsset(context, caller, { kind: 'standalone' }, call),
    },
    {
      method: 'POST',
      path: '/me/sets/{setId}/assets',
      requiredScopes: (call) => artworkScopes(call),
      answer: (call, caller) =>
        uploadAsset(context, caller, { kind: 'set', id: call.values.integer('setId') }, call),
    },
    {
      method: 'POST',
      path: '/me/groups/{groupId}/poster',
      requiredScopes: (call) => artworkScopes(call, 'groups:write'),
      answer: (call, caller) =>
        uploadAsset(context, caller, { kind: 'group', id: call.values.integer('groupId') }, call),
    },
    {
      method: 'GET',
      path: '/me/asset-uploads/{clientMutationId}',
      requiredScopes: () => ({ any: ['assets:write', 'assets:replace'] }),
      answer: ({ values }, caller) =>
        protectedAnswer(200, {
          data: readUploadStatus(context.database, caller, values.text('clientMutationId'), context.now()),
        }),
    },
  ];
}

/** Mutations with a JSON body, with their scopes (the interface document, Endpoints). */
export function mutationOperations(context: ProtectedContext): readonly Operation[] {
  const json = (
    path: string,
    scope: ResourceScope,
    answer: (
      call: OperationRequest,
      caller: Parameters<Operation['answer']>[1],
      body: unknown,
    ) => ReturnType<Operation['answer']>,
  ): Operation => ({
    method: 'POST',
    path,
    requiredScopes: () => ({ every: [scope] }),
    answer: async (call, caller) => answer(call, caller, await readJson(call.request)),
  });
  return [
    ...uploadOperations(context),
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
