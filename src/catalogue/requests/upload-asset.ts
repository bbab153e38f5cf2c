import { z } from 'zod';
import { path, type ServicePath } from '../path.ts';
import type { Query } from '../query.ts';
import type { NeededScopes, OAuthScope } from '../scopes.ts';
import {
  assetId,
  clientMutationId,
  groupId,
  languageCode,
  setId,
  slot,
  targetId,
  targetKind,
} from './fields.ts';
import type { FileRequest } from './request.ts';
import { fileHeaders, sha256, uploadFile } from './upload-file.ts';

const target = z.strictObject({ targetKind, targetId });

/** Where an Asset goes; a Set and a group have target fields of their own. */
const destination = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('target'), target }),
  z.strictObject({ to: z.literal('set'), setId, target: target.optional() }),
  z.strictObject({ to: z.literal('group'), groupId, target: target.optional() }),
]);

const change = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('add') }),
  z.strictObject({ operation: z.literal('replace'), previousAssetId: assetId }),
]);

export const assetUpload = z.strictObject({
  clientMutationId,
  change,
  destination,
  slot,
  languageCode: languageCode.optional(),
  file: uploadFile,
  sha256,
});

export type AssetUploadIntent = z.output<typeof assetUpload>;

/** Interface document, Single-Asset upload: one of three paths, a raw body, all of the rest in the query. */
export function uploadAssetRequest(upload: AssetUploadIntent): FileRequest {
  return {
    method: 'POST',
    path: pathOf(upload.destination),
    query: queryOf(upload),
    headers: { ...fileHeaders(upload.file), 'X-Upload-SHA256': upload.sha256 },
    body: { kind: 'file', bytes: upload.file.contentLength },
    needed: assetUploadScopes(upload),
    identity: 'documented',
  };
}

/** Known before a file is opened. */
export function assetUploadScopes({
  change: { operation },
  destination: { to },
}: Pick<AssetUploadIntent, 'change' | 'destination'>): NeededScopes {
  const scope: OAuthScope = operation === 'add' ? 'assets:write' : 'assets:replace';
  return { allOf: to === 'group' ? ['groups:write', scope] : [scope] };
}

function pathOf(to: AssetUploadIntent['destination']): ServicePath {
  switch (to.to) {
    case 'target':
      return path`/me/assets`;
    case 'set':
      return path`/me/sets/${to.setId}/assets`;
    case 'group':
      return path`/me/groups/${to.groupId}/poster`;
  }
}

function queryOf(upload: AssetUploadIntent): Query {
  const { target: at } = upload.destination;
  return {
    operation: upload.change.operation,
    clientMutationId: upload.clientMutationId,
    slot: upload.slot,
    ...(at === undefined ? {} : { targetKind: at.targetKind, targetId: at.targetId }),
    ...(upload.languageCode === undefined ? {} : { languageCode: upload.languageCode }),
    ...(upload.change.operation === 'replace' ? { previousAssetId: upload.change.previousAssetId } : {}),
  };
}
