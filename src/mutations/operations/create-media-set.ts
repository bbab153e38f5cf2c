import { z } from 'zod';
import { path } from '../../catalogue/call.ts';
import {
  description,
  editionId,
  filePath,
  jsonObject,
  jsonRequest,
  languageCode,
  selectedSourceFrame,
  targetId,
  targetKind,
  title,
  uploadFilename,
} from '../../catalogue/request.ts';
import { submissions } from '../../catalogue/submission.ts';
import { declaredFile, defineArguments } from './arguments.ts';
import {
  declarationOf,
  declaredItem,
  keyOfBytes,
  keyOfPictures,
  numbered,
  placed,
  placementsOf,
  requireDistinct,
} from './items.ts';
import { defineOperation } from './operation.ts';
import { noRevision } from './revisions.ts';

/**
 * @param file by its path, as a call names it, or by what it is, as the ledger keeps it
 * @param announced what a call may say of the file beside its path
 */
function withFiles<File extends z.ZodType, Announced extends z.ZodRawShape>(
  file: File,
  announced: Announced,
) {
  const frame = selectedSourceFrame.nullable().default(null);
  return defineArguments({
    entryTargetKind: targetKind,
    entryTargetId: targetId,
    titleBase: title,
    languageCode,
    /** Its meaning is not shown, so that it has no default. */
    finalised: z.boolean(),
    description: description.default(null),
    editionId: editionId.default(null),
    /** A record of the upload destinations, as it came. */
    destination: jsonObject.nullable().default(null),
    declaredFiles: z
      .array(z.strictObject({ file, ...placed, ...announced, selectedSourceFrame: frame }))
      .min(1),
  });
}

const call = withFiles(filePath, { filename: uploadFilename.optional() });
const called = call
  .transform((args) => ({ ...args, declaredFiles: numbered(args.clientMutationId, args.declaredFiles) }))
  .superRefine((args, context) => requireDistinct('declaredFiles', args.declaredFiles, context));
const meant = withFiles(declaredFile, {}).transform((args) => ({
  ...args,
  declaredFiles: numbered(args.clientMutationId, args.declaredFiles),
}));

/**
 * Media Set creation (interface document). Its identity is in the admission, which may be sent again to the letter; what
 * follows is known by the submission's id and the items'.
 */
export const createMediaSet = defineOperation({
  name: 'create_media_set',
  sends: 'creation',
  arguments: call,
  called,
  meant,
  revision: noRevision,
  saved: 'set',
  needed: submissions.creation.needed,
  target: ({ titleBase, entryTargetKind, entryTargetId }) => ({
    ...{ kind: 'media_set', title: titleBase },
    ...{ entryTargetKind, entryTargetId },
  }),
  work: (set) => ({ kind: set.entryTargetKind, id: set.entryTargetId }),
  keys: ({ entryTargetKind: kind, entryTargetId: id, declaredFiles }) => [
    keyOfPictures({ kind, id }, declaredFiles),
    ...declaredFiles.map(keyOfBytes),
  ],
  places: (set) => placementsOf(set.declaredFiles),
  request({ clientMutationId, entryTargetKind, entryTargetId, titleBase, declaredFiles, ...set }) {
    const { description, languageCode, editionId, finalised, destination } = set;
    const body = {
      ...{ clientMutationId, setKind: 'media_set', entryTargetKind, entryTargetId, titleBase },
      ...{ description, languageCode, editionId, finalised, destination },
      declaredFiles: declaredFiles.map(
        ({ itemId, position, targetKind, targetId, slot, file, selectedSourceFrame }) => ({
          ...{ itemId, position, targetKind, targetId, slot },
          ...declarationOf(file),
          selectedSourceFrame,
        }),
      ),
    };
    return jsonRequest(path`/me/set-uploads`, body);
  },
  items: (set) => set.declaredFiles.map(declaredItem),
});
