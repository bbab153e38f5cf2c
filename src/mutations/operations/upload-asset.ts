import { z } from 'zod';
import { path, type ServicePath } from '../../catalogue/call.ts';
import {
  assetId,
  filePath,
  fileRequest,
  groupId,
  languageCode,
  setId,
  slot,
  sparseFields,
  targetId,
  targetKind,
} from '../../catalogue/request.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Finding, LookContext } from '../change.ts';
import { declaredFile, defineArguments } from './arguments.ts';
import { keyOfAsset, keyOfBytes, keyOfPlaceIn } from './items.ts';
import { defineOperation, findingOf } from './operation.ts';
import { noRevision, revisionOfOwned } from './revisions.ts';

/** @param file by its path, as a call names it, or by what it is, as the ledger keeps it */
function withFile<File extends z.ZodType>(file: File) {
  return defineArguments({
    file,
    operation: z.enum(['add', 'replace']),
    slot,
    targetKind: targetKind.optional(),
    targetId: targetId.optional(),
    languageCode: languageCode.optional(),
    previousAssetId: assetId.optional(),
    setId: setId.optional(),
    groupId: groupId.optional(),
  });
}

type Where = Omit<z.output<ReturnType<typeof withFile<typeof declaredFile>>>, 'file'>;

function requireOnePlace(args: Where, context: z.core.$RefinementCtx): void {
  const { setId, groupId, targetKind, targetId, operation, previousAssetId } = args;
  const refuse = (argument: keyof Where, message: string) =>
    context.addIssue({ code: 'custom', message, path: [argument] });
  if (setId !== undefined && groupId !== undefined) refuse('groupId', "can't be given beside setId");
  if (targetKind !== undefined && targetId === undefined) refuse('targetId', 'is needed beside targetKind');
  if (targetKind === undefined && (targetId !== undefined || (setId ?? groupId) === undefined))
    refuse('targetKind', 'is needed, with targetId, unless setId or groupId is given');
  if (operation === 'replace' && previousAssetId === undefined)
    refuse('previousAssetId', 'is needed to replace: the id of the Asset that goes, which get_owned shows');
  if (operation === 'add' && previousAssetId !== undefined)
    refuse('previousAssetId', 'only belongs to operation replace');
}

const called = withFile(filePath).superRefine(requireOnePlace);
const meant = withFile(declaredFile).superRefine(requireOnePlace);
type Upload = z.output<typeof meant>;

/**
 * Single-Asset upload (interface document): one of three paths, a raw body, all else in the query. Its identity is in the
 * query, and the service keeps a record of it.
 */
export const uploadAsset = defineOperation({
  name: 'upload_asset',
  sends: 'file',
  arguments: called,
  meant,
  revision: (given) => {
    const { operation, previousAssetId, setId, groupId } = given;
    if (operation === 'replace' || previousAssetId !== undefined)
      return revisionOfOwned('asset', 'previousAssetId')(given);
    if (setId !== undefined) return revisionOfOwned('set', 'setId')(given);
    return groupId === undefined ? noRevision(given) : revisionOfOwned('group', 'groupId')(given);
  },
  saved: 'asset',
  needed({ operation, groupId }) {
    const scope = operation === 'add' ? 'assets:write' : 'assets:replace';
    return { allOf: groupId === undefined ? [scope] : ['groups:write', scope] };
  },
  target({ operation, slot, targetKind, targetId, setId, groupId, previousAssetId, file: { filename } }) {
    return sparseFields({ operation, slot, targetKind, targetId, setId, groupId, previousAssetId, filename });
  },
  keys: keysOf,
  places: ({ targetKind: kind, targetId: id, slot }) =>
    kind === undefined || id === undefined ? [] : [{ target: { kind, id }, slot }],
  request({ file, setId, groupId, expectedUpdatedAt: _, ...inQuery }) {
    const { operation, clientMutationId, slot, targetKind, targetId, languageCode, previousAssetId } =
      inQuery;
    const target = { slot, targetKind, targetId, languageCode, previousAssetId };
    const query = sparseFields({ operation, clientMutationId, ...target });
    const request = fileRequest(pathOf({ setId, groupId }), query, file);
    return { ...request, headers: { ...request.headers, 'X-Upload-SHA256': file.sha256 } };
  },
  file: (args) => args.file,
  notice: requireNewId,
  effect: { find: (args, reads) => lookUpUpload(args.clientMutationId, reads) },
});

function pathOf({ setId, groupId }: Pick<Where, 'setId' | 'groupId'>): ServicePath {
  if (setId !== undefined) return path`/me/sets/${setId}/assets`;
  return groupId === undefined ? path`/me/assets` : path`/me/groups/${groupId}/poster`;
}

/** A Set has one picture per target and slot, a group one poster, an Asset is replaced once; the same bytes go once. */
function keysOf({ setId, groupId, previousAssetId, targetKind, targetId, slot, file }: Upload): string[] {
  const target =
    targetKind === undefined || targetId === undefined ? null : { targetKind, targetId, slot, file };
  const keys = [
    target === null ? `bytes ${file.sha256} ${setId ?? ''} ${groupId ?? ''} ${slot}` : keyOfBytes(target),
  ];
  if (previousAssetId !== undefined) keys.push(keyOfAsset(previousAssetId));
  if (setId !== undefined) keys.push(target === null ? `set ${setId} ${slot}` : keyOfPlaceIn(setId, target));
  if (groupId !== undefined) keys.push(`group ${groupId} ${slot}`);
  return keys;
}

/** Before it is sent at all. An answer that takes longer is taken for none. ms */
const askMs = 15_000;

/**
 * The service must not know the id before anything is sent under it: so whatever it shows of the id later is ours, also
 * where an answer is lost.
 * @throws ArtworkError `conflict` where it does; others where it can't be asked
 */
async function requireNewId(
  { clientMutationId: id }: Upload,
  { owned, deadline }: Pick<LookContext, 'owned' | 'deadline'>,
): Promise<null> {
  const upload = await owned.findAssetUpload(id, noLaterThan(deadline, askMs));
  if (upload === null) return null;
  const { processingStatus: status, assetId } = upload;
  const message = `The service knows the id ${id} already, as an upload that was not sent from this machine. It shows it as ${status ?? 'begun'}. Nothing was sent.`;
  const details = { earlierUpload: { status, assetId } };
  throw new ArtworkError('conflict', message, { code: 'id_known_to_service', details });
}

/** What the service's own record of an upload says (interface document, Asset upload status). */
export async function lookUpUpload(
  id: string,
  { owned, deadline }: Pick<LookContext, 'owned' | 'deadline'>,
): Promise<Finding> {
  const upload = await owned.findAssetUpload(id, deadline);
  if (upload === null) return { found: 'nothing' };
  return findingOf({ ...upload, savedId: upload.assetId }, 'working');
}
