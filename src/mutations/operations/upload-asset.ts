import { z } from 'zod';
import type { OAuthScope } from '../../catalogue/authorization.ts';
import { path, type ServicePath } from '../../catalogue/call.ts';
import {
  assetId,
  filePath,
  fileRequest,
  groupId,
  languageCode,
  openKind,
  setId,
  slot,
  sparseFields,
  targetId,
} from '../../catalogue/request.ts';
import { type ArtworkError, invalidArguments, type Next } from '../../errors.ts';
import { checkUpload } from '../before/check-artwork.ts';
import type { MutationPlace } from '../mutation.ts';
import { declaredFile } from '../submission.ts';
import {
  checkArguments,
  defineArguments,
  noRevision,
  ownedRevision,
  type RevisionSource,
} from './arguments.ts';
import { assetAsItIs } from './earlier.ts';
import { defineOperation } from './operation.ts';

/** @param file the file by its path, as a call names it, or by what it is, as the ledger keeps it */
function withFile<File extends z.ZodType>(file: File) {
  return defineArguments({
    file,
    operation: z.enum(['add', 'replace']),
    slot,
    targetKind: openKind.optional(),
    targetId: targetId.optional(),
    languageCode: languageCode.optional(),
    previousAssetId: assetId.optional(),
    setId: setId.optional(),
    groupId: groupId.optional(),
  });
}

const called = withFile(filePath).superRefine(requireOnePlace);
const meant = withFile(declaredFile).superRefine(requireOnePlace);
type Where = Omit<z.output<typeof meant>, 'file'>;

function requireOnePlace(upload: Where, context: z.core.$RefinementCtx): void {
  const refuse = (message: string, name: string) =>
    context.addIssue({ code: 'custom', message, path: [name] });
  const { operation, previousAssetId, setId, groupId } = upload;
  const hasKind = upload.targetKind !== undefined;
  const hasId = upload.targetId !== undefined;
  if (setId !== undefined && groupId !== undefined) refuse("can't be given beside setId", 'groupId');
  if (hasKind !== hasId) {
    const [lacking, given] = hasKind ? ['targetId', 'targetKind'] : ['targetKind', 'targetId'];
    refuse(`is needed beside ${given}`, lacking);
  }
  if (!hasKind && !hasId && setId === undefined && groupId === undefined) {
    refuse('is needed, with targetId, unless setId or groupId is given', 'targetKind');
  }
  if (operation === 'replace' && previousAssetId === undefined) refuse(neededToReplace, 'previousAssetId');
  if (operation === 'add' && previousAssetId !== undefined) {
    refuse('only belongs to operation replace', 'previousAssetId');
  }
}

const neededToReplace = 'is needed to replace';

const replacesNothing = z.looseObject({
  operation: z.literal('replace'),
  previousAssetId: z.undefined().optional(),
  targetKind: z.string().optional(),
  targetId: targetId.optional(),
  setId: setId.optional(),
  groupId: groupId.optional(),
});

/** The error of a replacement that does not say of what, with the call that shows the Assets of the place. */
function previousNeededError(given: z.output<typeof replacesNothing>): ArtworkError {
  const issues = [{ code: 'missing', message: neededToReplace, path: ['previousAssetId'] }];
  return invalidArguments("These arguments can't be used", issues, nextShowAssets(given));
}

function nextShowAssets({ targetKind, targetId, setId, groupId }: z.output<typeof replacesNothing>): Next {
  const rest = 'That is the previousAssetId, and its updatedAt (get_owned) the expectedUpdatedAt.';
  if (setId !== undefined || groupId !== undefined) {
    const [type, id] = setId === undefined ? (['group', groupId] as const) : (['set', setId] as const);
    const why = `It shows the id of the Asset that stands in each place of the ${type}. ${rest}`;
    return { tool: 'get_owned', arguments: { type, id }, why };
  }
  const own = 'An Asset of your own alone can be replaced';
  if (targetKind === undefined || targetId === undefined) {
    return { why: `${own}: get_owned of the Set that holds it shows its id. ${rest}` };
  }
  return {
    tool: 'get_entity',
    arguments: { kind: targetKind, id: targetId, include: ['assets'] },
    why: `It shows the Assets of the ${targetKind}, with their ids and who made them. ${own}. ${rest}`,
  };
}

/**
 * Single-Asset upload (interface document): one of three paths, a raw body, all of the rest in the query. Its
 * identity is in the query; the service's own record of it is looked up. It may be sent again under that identity
 * while the lookup knows nothing of it.
 */
export const uploadAsset = defineOperation({
  name: 'upload_asset',
  arguments: called,
  meant,
  run: {
    by: 'upload',
    plan(given) {
      const nothing = replacesNothing.safeParse(given);
      if (nothing.success) throw previousNeededError(nothing.data);
      const args = checkArguments(called, given);
      return { file: args.file, slot: args.slot, declare: ([file]) => ({ ...args, file }) };
    },
    bytes: (args) => ({
      filename: args.file.filename,
      sha256: args.file.sha256,
      slot: args.slot,
      target: goalOf(args),
    }),
    request(args) {
      const { operation, clientMutationId, slot, targetKind, targetId, languageCode, previousAssetId } = args;
      const target = { slot, targetKind, targetId, languageCode, previousAssetId };
      const query = sparseFields({ operation, clientMutationId, ...target });
      const request = fileRequest(pathOf(args), query, args.file);
      return { ...request, headers: { ...request.headers, 'X-Upload-SHA256': args.file.sha256 } };
    },
  },
  revision: revisionOfPlace,
  saved: 'asset',
  needed({ operation, groupId }) {
    const scope: OAuthScope = operation === 'add' ? 'assets:write' : 'assets:replace';
    return { allOf: groupId === undefined ? [scope] : ['groups:write', scope] };
  },
  target({ operation, slot, targetKind, targetId, setId, groupId, previousAssetId, file: { filename } }) {
    return sparseFields({ operation, slot, targetKind, targetId, setId, groupId, previousAssetId, filename });
  },
  places: (args) => placesOf(args),
  earlier: ({ previousAssetId }, records) =>
    previousAssetId === undefined ? {} : assetAsItIs(records, previousAssetId),
  check: (args, seen) => checkUpload(args, seen),
});

function pathOf({ setId, groupId }: Where): ServicePath {
  if (setId !== undefined) return path`/me/sets/${setId}/assets`;
  return groupId === undefined ? path`/me/assets` : path`/me/groups/${groupId}/poster`;
}

/** That of the Asset which is replaced, else that of what it is added to. */
function revisionOfPlace(given: Parameters<RevisionSource>[0]): ReturnType<RevisionSource> {
  const { operation, previousAssetId, setId, groupId } = given;
  if (operation === 'replace' || previousAssetId !== undefined) {
    return ownedRevision('asset', 'previousAssetId')(given);
  }
  if (setId !== undefined) return ownedRevision('set', 'setId')(given);
  return groupId === undefined ? noRevision(given) : ownedRevision('group', 'groupId')(given);
}

/** A Set has one picture per target and slot, a group one poster, and an Asset is replaced once. */
function placesOf({ setId, groupId, previousAssetId, targetKind, targetId, slot }: Where): MutationPlace[] {
  const hasTarget = targetKind !== undefined && targetId !== undefined;
  const target = hasTarget ? { kind: targetKind, id: targetId } : null;
  if (setId !== undefined) return [{ in: 'set', setId, target, slot }];
  if (groupId !== undefined) return [{ in: 'group', groupId, slot }];
  return previousAssetId === undefined ? [] : [{ in: 'asset', assetId: previousAssetId }];
}

/** What the bytes are for: the target where one is named, else the Set or the group. */
function goalOf({ targetKind, targetId, setId, groupId }: Where) {
  if (targetKind !== undefined && targetId !== undefined) return { kind: targetKind, id: targetId };
  return setId === undefined ? { kind: 'group', id: groupId ?? '' } : { kind: 'set', id: setId };
}
