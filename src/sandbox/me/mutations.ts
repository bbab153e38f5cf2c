import type { Needed } from '../access/caller.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import { readUploadStatus } from '../uploads/status.ts';
import { upload } from '../uploads/upload.ts';
import { editMetadata, selectPreview } from './asset-edits.ts';
import { changeGroup, createGroup } from './group-edits.ts';
import { assignToGroupingSet, createGroupingSet } from './grouping-sets.ts';
import { readJson } from './json-body.ts';
import type { Asked, Operation } from './operation.ts';
import type { OwnerSide } from './owner-side.ts';
import { privateAnswer } from './protected-error.ts';
import { changeRelationship } from './relationship-edits.ts';

/** The scope for artwork that the operation in the query asks for; one that is none is refused later. */
function artworkScopes({ query }: Asked, ...also: readonly ResourceScope[]): Needed {
  switch (query.get('operation')) {
    case 'add':
      return { every: [...also, 'assets:write'] };
    case 'replace':
      return { every: [...also, 'assets:replace'] };
    default:
      return also.length > 0 ? { every: also } : { any: ['assets:write', 'assets:replace'] };
  }
}

/** Uploads of one file, and what became of them. */
function uploads(side: OwnerSide): readonly Operation[] {
  return [
    {
      method: 'POST',
      path: '/me/assets',
      needed: (asked) => artworkScopes(asked),
      answer: (asked, caller) => upload(side, caller, { kind: 'standalone' }, asked),
    },
    {
      method: 'POST',
      path: '/me/sets/{setId}/assets',
      needed: (asked) => artworkScopes(asked),
      answer: (asked, caller) =>
        upload(side, caller, { kind: 'set', id: asked.values.integer('setId') }, asked),
    },
    {
      method: 'POST',
      path: '/me/groups/{groupId}/poster',
      needed: (asked) => artworkScopes(asked, 'groups:write'),
      answer: (asked, caller) =>
        upload(side, caller, { kind: 'group', id: asked.values.integer('groupId') }, asked),
    },
    {
      method: 'GET',
      path: '/me/asset-uploads/{clientMutationId}',
      needed: () => ({ any: ['assets:write', 'assets:replace'] }),
      answer: ({ values }, caller) =>
        privateAnswer(200, {
          data: readUploadStatus(side.database, caller, values.text('clientMutationId'), side.now()),
        }),
    },
  ];
}

/** Mutations that carry JSON, with their scopes (the interface document, Endpoints). */
export function ownerMutations(side: OwnerSide): readonly Operation[] {
  const json = (
    path: string,
    scope: ResourceScope,
    answer: (
      asked: Asked,
      caller: Parameters<Operation['answer']>[1],
      body: unknown,
    ) => ReturnType<Operation['answer']>,
  ): Operation => ({
    method: 'POST',
    path,
    needed: () => ({ every: [scope] }),
    answer: async (asked, caller) => answer(asked, caller, await readJson(asked.request)),
  });
  return [
    ...uploads(side),
    json('/me/assets/{assetId}/metadata', 'assets:write', ({ values }, caller, body) =>
      editMetadata(side, caller, values.text('assetId'), body),
    ),
    json('/me/assets/{assetId}/preview', 'assets:replace', ({ values }, caller, body) =>
      selectPreview(side, caller, values.text('assetId'), body),
    ),
    json('/me/groups', 'groups:write', (_, caller, body) => createGroup(side, caller, body)),
    json('/me/groups/{groupId}', 'groups:write', ({ values }, caller, body) =>
      changeGroup(side, caller, values.integer('groupId'), body),
    ),
    json('/me/grouping-sets', 'sets:write', (_, caller, body) => createGroupingSet(side, caller, body)),
    json('/me/grouping-sets/{setId}/assets', 'sets:write', ({ values }, caller, body) =>
      assignToGroupingSet(side, caller, values.integer('setId'), body),
    ),
    json('/me/relationships', 'relationships:write', (_, caller, body) =>
      changeRelationship(side, caller, body),
    ),
  ];
}
