import type { Context } from '../context.ts';
import { type Answer, privateJson, type Route } from '../http.ts';
import { admitCreation, admitEdit } from './admissions.ts';
import { authorize, type Call, type Needed } from './authorize.ts';
import {
  assignArtwork,
  changeGroup,
  changeRelationship,
  editMetadata,
  makeGroup,
  makeGroupingSet,
  selectPreview,
} from './changes.ts';
import { findDestinations, readAsset, readGroup, readRelationships, readSet } from './records.ts';
import { type Family, ownSubmission, submissionRecord } from './submission-records.ts';
import { complete, receiveItem } from './submissions.ts';
import { upload, uploadStatus } from './uploads.ts';

type NeededBy = Needed | ((query: URLSearchParams) => Needed);

const eitherOfAssets: Needed = { any: ['assets:write', 'assets:replace'] };
const sets: Needed = { every: ['sets:write'] };
const groups: Needed = { every: ['groups:write'] };
const relationships: Needed = { every: ['relationships:write'] };
const creation: Needed = { every: ['sets:write', 'assets:write'] };

/** The protected operations below `{base_url}/me`, each with the scopes that it needs (interface document, Endpoints). */
export function protectedRoutes(context: Context): readonly Route[] {
  const route = (
    method: 'GET' | 'POST',
    path: string,
    needed: NeededBy,
    act: (call: Call) => Promise<Answer> | Answer,
  ): Route => ({
    method,
    path: `${context.basePath}/me${path}`,
    answer: (exchange) => {
      const { request, query } = exchange;
      const caller = authorize(context, request, typeof needed === 'function' ? needed(query) : needed);
      return act({ ...exchange, context, store: context.store, caller });
    },
  });
  const get = (path: string, needed: NeededBy, read: (call: Call) => unknown) =>
    route('GET', path, needed, (call) => privateJson(200, { data: read(call) }));
  const post = (path: string, needed: NeededBy, act: (call: Call) => Promise<Answer>) =>
    route('POST', path, needed, act);
  const submission = (family: Family, path: string, needed: Needed) => [
    post(`${path}/{submissionId}/assets`, needed, (call) => receiveItem(call, family)),
    route('GET', `${path}/{submissionId}`, needed, (call) =>
      privateJson(200, submissionRecord(call, ownSubmission(call, family))),
    ),
    post(`${path}/{submissionId}/complete`, needed, (call) => complete(call, family)),
  ];
  return [
    get('/assets/{assetId}', eitherOfAssets, readAsset),
    get('/sets/{setId}', sets, readSet),
    get('/groups/{groupId}', groups, readGroup),
    get('/upload-destinations', neededForDestinations, findDestinations),
    get('/relationships', relationships, readRelationships),
    get('/asset-uploads/{clientMutationId}', eitherOfAssets, uploadStatus),
    post('/assets', neededForUpload, (call) => upload(call, { kind: 'alone' })),
    post('/sets/{setId}/assets', neededForUpload, (call) =>
      upload(call, { kind: 'set', id: call.integer('setId') }),
    ),
    post('/groups/{groupId}/poster', neededForPoster, (call) =>
      upload(call, { kind: 'group', id: call.integer('groupId') }),
    ),
    post('/assets/{assetId}/metadata', { every: ['assets:write'] }, editMetadata),
    post('/assets/{assetId}/preview', { every: ['assets:replace'] }, selectPreview),
    post('/groups', groups, makeGroup),
    post('/groups/{groupId}', groups, changeGroup),
    post('/grouping-sets', sets, makeGroupingSet),
    post('/grouping-sets/{setId}/assets', sets, assignArtwork),
    post('/relationships', relationships, changeRelationship),
    post('/set-uploads', creation, admitCreation),
    ...submission('creation', '/set-uploads', creation),
    // The items of the body decide what else is needed.
    post('/sets/{setId}/updates', sets, admitEdit),
    ...submission('edit', '/set-updates', sets),
  ];
}

/** An unknown operation or kind is refused later, to a caller who may do one of them. */
function neededForUpload(query: URLSearchParams): Needed {
  const operation = query.get('operation');
  if (operation === 'add') return { every: ['assets:write'] };
  return operation === 'replace' ? { every: ['assets:replace'] } : eitherOfAssets;
}

function neededForPoster(query: URLSearchParams): Needed {
  return {
    every: ['groups:write', query.get('operation') === 'replace' ? 'assets:replace' : 'assets:write'],
  };
}

function neededForDestinations(query: URLSearchParams): Needed {
  const kind = query.get('kind');
  if (kind === 'boxset') return groups;
  return kind === 'talent_set' || kind === 'media_set' ? sets : { any: ['sets:write', 'groups:write'] };
}
