import { z } from 'zod';
import {
  assetId,
  groupId,
  languageCode,
  setId,
  slot,
  targetId,
  targetKind,
} from '../../catalogue/requests/fields.ts';
import {
  assetUpload,
  assetUploadScopes,
  uploadAssetRequest as request,
} from '../../catalogue/requests/upload-asset.ts';
import { sha256, uploadFile } from '../../catalogue/requests/upload-file.ts';
import type { Json } from '../../canonical-json.ts';
import { checkUpload as checkPlace } from '../checks/check-upload.ts';
import { checkIdIsNew, foreignIdFinding, wasForeignId } from '../checks/foreign-id.ts';
import type { Mutation } from '../mutation.ts';
import { checked, guarded, intentOf, requireNoRevision } from './checked.ts';
import { lookUpUpload } from './look-up-upload.ts';
import { type Guard, assetGuard, setGuard, groupGuard } from '../checks/guard.ts';

const destination = z
  .strictObject({
    ...guarded,
    operation: z.enum(['add', 'replace']),
    slot,
    targetKind: targetKind.optional(),
    targetId: targetId.optional(),
    languageCode: languageCode.optional(),
    previousAssetId: assetId.optional(),
    setId: setId.optional(),
    groupId: groupId.optional(),
  })
  .superRefine((upload, context) => {
    const refuse = (message: string, name: string) =>
      context.addIssue({ code: 'custom', message, path: [name] });
    const { operation, previousAssetId, setId, groupId } = upload;
    const hasKind = upload.targetKind !== undefined;
    const hasId = upload.targetId !== undefined;
    if (setId !== undefined && groupId !== undefined)
      refuse('setId and groupId exclude each other', 'groupId');
    if (hasKind !== hasId) refuse('targetKind and targetId go together', hasKind ? 'targetId' : 'targetKind');
    if (!hasKind && !hasId && setId === undefined && groupId === undefined) {
      refuse('is needed, with targetId, unless setId or groupId is given', 'targetKind');
    }
    if (operation === 'replace' && previousAssetId === undefined) {
      refuse('is needed to replace', 'previousAssetId');
    }
    if (operation === 'add' && previousAssetId !== undefined) {
      refuse('only belongs to operation replace', 'previousAssetId');
    }
  });

type Destination = z.output<typeof destination>;

const whole = z.looseObject({ file: z.strictObject({ ...uploadFile.shape, sha256 }) });

/** What can be told before the file is opened. @throws ArtworkError `invalid_arguments` */
export function parseUpload(given: object): Destination {
  const args = checked(destination, given);
  if (guardsOf(args).length === 0) {
    requireNoRevision(args.expectedUpdatedAt, 'what is added by itself has no revision yet.');
  }
  return args;
}

/**
 * Single-Asset upload (interface document). Its identity is in the query; the service's own record of it is
 * looked up. It may be sent again under that identity while the lookup knows nothing of it.
 */
export function uploadAsset(given: object): Mutation {
  const { file } = checked(whole, given);
  const { file: _, ...rest } = { file: undefined, ...given };
  const args = parseUpload(rest);
  const { clientMutationId, expectedUpdatedAt } = args;
  const intent = intentOf({ ...args, file });
  const change =
    args.operation === 'replace'
      ? { operation: args.operation, previousAssetId: args.previousAssetId }
      : { operation: args.operation };
  const where = destinationOf(args);
  const { sha256, ...announced } = file;
  const upload = checked(assetUpload, {
    clientMutationId,
    change,
    destination: where,
    slot: args.slot,
    languageCode: args.languageCode,
    file: announced,
    sha256,
  });
  return {
    operation: 'upload_asset',
    clientMutationId,
    expectedUpdatedAt,
    target: targetOf(args, file.filename),
    intent,
    needed: assetUploadScopes(upload),
    guards: guardsOf(args),
    looksBy: 'lookup',
    saved: 'asset',
    places: placesOf(args),
    bytes: { clientMutationId, sha256, slot: args.slot, target: goalOf(args) },
    request: () => request(upload),
    again: (progress) => {
      const path = fileInProgress(progress);
      return path === null ? null : { ...intent, clientMutationId, file: path };
    },
    check: (seen) => checkPlace(args, seen),
    prepare: (owned, call) => checkIdIsNew(owned, clientMutationId, call),
    find: async ({ owned, progress, call }) =>
      wasForeignId(progress) ? foreignIdFinding : await lookUpUpload(owned, clientMutationId, call),
  };
}

const noted = z.looseObject({ file: z.string() });

/** What a resume needs: where the file lies. */
export function progressOfFile(path: string): Json {
  return { file: path };
}

export function fileInProgress(progress: Json): string | null {
  const parsed = noted.safeParse(progress);
  return parsed.success ? parsed.data.file : null;
}

function guardsOf({ expectedUpdatedAt, previousAssetId, setId, groupId }: Destination): Guard[] {
  if (previousAssetId !== undefined) return [assetGuard(previousAssetId, expectedUpdatedAt)];
  if (setId !== undefined) return [setGuard(setId, expectedUpdatedAt)];
  if (groupId !== undefined) return [groupGuard(groupId, expectedUpdatedAt)];
  return [];
}

function destinationOf({ targetKind, targetId, setId, groupId }: Destination) {
  const target = targetKind === undefined || targetId === undefined ? undefined : { targetKind, targetId };
  if (setId !== undefined) return { to: 'set', setId, target };
  if (groupId !== undefined) return { to: 'group', groupId, target };
  return { to: 'target', target };
}

function targetOf(args: Destination, filename: string): { readonly [member: string]: Json } {
  const { operation, slot, targetKind, targetId, setId, groupId, previousAssetId } = args;
  const all = { operation, slot, targetKind, targetId, setId, groupId, previousAssetId, filename };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A Set has one picture per target and slot, a group one poster, and an Asset is replaced once. */
function placesOf(args: Destination): string[] {
  const { setId, groupId, previousAssetId, slot } = args;
  if (setId !== undefined || groupId !== undefined) return [`${whereOf(args)}/${slot}`];
  return previousAssetId === undefined ? [] : [`asset ${previousAssetId}`];
}

/** What the bytes are for: the target where one is named, else the Set or the group. */
function goalOf({ targetKind, targetId, setId, groupId }: Destination) {
  if (targetKind !== undefined && targetId !== undefined) return { kind: targetKind, id: targetId };
  return setId === undefined ? { kind: 'group', id: groupId ?? '' } : { kind: 'set', id: setId };
}

function whereOf({ targetKind, targetId, setId, groupId }: Destination): string {
  const target = targetKind === undefined ? '' : `/${targetKind} ${targetId}`;
  if (setId !== undefined) return `set ${setId}${target}`;
  if (groupId !== undefined) return `group ${groupId}`;
  return target;
}
