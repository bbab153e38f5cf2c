import { z } from 'zod';
import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import { path } from '../../catalogue/call.ts';
import {
  description,
  editionId,
  filePath,
  itemId,
  jsonObject,
  jsonRequest,
  languageCode,
  position,
  selectedSourceFrame,
  slot,
  targetId,
  targetKind,
  title,
  uploadFilename,
} from '../../catalogue/request.ts';
import { submissions } from '../../catalogue/submission.ts';
import type { MutationPlace } from '../mutation.ts';
import { declaredFile } from '../submission.ts';
import {
  checkArguments,
  defineArguments,
  distinctItemValuesOf,
  noRevision,
  requireDistinctItems,
  withItemIds,
} from './arguments.ts';
import { defineOperation } from './operation.ts';

/**
 * So many fit into one entry of the ledger, which holds what was meant and what was declared. The interface
 * document shows no limit of the service's.
 */
const mostFiles = 2_000;

/**
 * @param file the file by its path, as a call names it, or by what it is, as the ledger keeps it
 * @param announced what a call may say of the file beside its path
 */
function withFiles<File extends z.ZodType, Announced extends z.ZodRawShape>(
  file: File,
  announced: Announced,
) {
  const item = z.strictObject({
    file,
    targetKind,
    targetId,
    slot,
    itemId: itemId.optional(),
    position: position.optional(),
    ...announced,
    selectedSourceFrame: selectedSourceFrame.nullable().default(null),
  });
  return defineArguments({
    entryTargetKind: targetKind,
    entryTargetId: targetId,
    titleBase: title,
    languageCode,
    /** Its meaning is not shown, so it has no default. */
    finalised: z.boolean(),
    description: description.default(null),
    editionId: editionId.default(null),
    /** A record of the upload destinations, as it came. */
    destination: jsonObject.nullable().default(null),
    declaredFiles: z.array(item).min(1),
  });
}

const call = withFiles(filePath, { filename: uploadFilename.optional() });
const called = call
  .refine(({ declaredFiles }) => declaredFiles.length <= mostFiles, {
    message: `can be at most ${mostFiles} in one Set`,
    path: ['declaredFiles'],
  })
  .transform((args) => ({ ...args, declaredFiles: withItemIds(args.clientMutationId, args.declaredFiles) }))
  .superRefine(({ declaredFiles }, context) =>
    requireDistinctItems(declaredFiles.map(distinctItemValuesOf), context, 'declaredFiles'),
  );
const meant = withFiles(declaredFile, {}).transform((args) => ({
  ...args,
  declaredFiles: withItemIds(args.clientMutationId, args.declaredFiles),
}));

/**
 * Media Set creation (interface document). Its identity is in the admission, which may be sent again to the
 * letter; what follows is known by the submission's id and the items'.
 */
export const createMediaSet = defineOperation({
  name: 'create_media_set',
  arguments: call,
  meant,
  run: {
    by: 'submission',
    kind: 'creation',
    plan(given) {
      const args = checkArguments(called, given);
      const items = args.declaredFiles.map((item, index) => ({
        ...item,
        at: ['declaredFiles', String(index)],
      }));
      return {
        entry: { kind: args.entryTargetKind, id: args.entryTargetId },
        places: items,
        files: items.map(({ file, filename, slot, selectedSourceFrame: frame, at }) => {
          return { file, filename, slot, frame, at: [...at, 'file'] };
        }),
        declare: (files) => ({
          ...args,
          declaredFiles: args.declaredFiles.map(({ filename: _, ...item }, index) => ({
            ...item,
            file: files[index],
          })),
        }),
      };
    },
    items: ({ declaredFiles }) => declaredFiles,
    request({ declaredFiles, ...set }) {
      const body = {
        clientMutationId: set.clientMutationId,
        setKind: 'media_set',
        entryTargetKind: set.entryTargetKind,
        entryTargetId: set.entryTargetId,
        titleBase: set.titleBase,
        description: set.description,
        languageCode: set.languageCode,
        editionId: set.editionId,
        finalised: set.finalised,
        destination: set.destination,
        declaredFiles: declaredFiles.map((item) => {
          const { itemId, position, targetKind, targetId, slot, selectedSourceFrame } = item;
          const { sha256: _, ...file } = item.file;
          return { itemId, position, targetKind, targetId, slot, ...file, selectedSourceFrame };
        }),
      };
      return jsonRequest(path`/me/set-uploads`, body, 'documented');
    },
  },
  revision: noRevision,
  saved: 'set',
  needed: () => submissions.creation.needed,
  target: ({ titleBase, entryTargetKind, entryTargetId, declaredFiles }) => ({
    kind: 'media_set',
    title: titleBase,
    entryTargetKind,
    entryTargetId,
    files: declaredFiles.length,
  }),
  places: (args) => [placeOf(args)],
});

type Meant = z.output<typeof meant>;

function placeOf({ entryTargetKind, entryTargetId, declaredFiles }: Meant): MutationPlace {
  const files = declaredFiles.map(({ targetKind: kind, targetId: id, slot: of, file }) =>
    [kind, id, of, file.sha256].join(' '),
  );
  const work = { kind: entryTargetKind, id: entryTargetId };
  return { in: 'new set', work, pictures: canonicalDigest(canonicalJson(files.sort())) };
}
