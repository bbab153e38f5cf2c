import { z } from 'zod';
import { path } from '../../catalogue/path.ts';
import { submissions } from '../../catalogue/records/submission.ts';
import {
  description,
  editionId,
  filePath,
  itemId,
  jsonObject,
  languageCode,
  position,
  selectedSourceFrame,
  slot,
  targetId,
  targetKind,
  title,
  uploadFilename,
} from '../../catalogue/requests/fields.ts';
import { jsonRequest } from '../../catalogue/requests/request.ts';
import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import { type Declared, declaredFile } from '../declared.ts';
import { lookUpSubmission } from './find-submission.ts';
import { distinctValuesOf, requireDistinct, withPositions } from './positions.ts';
import { checkDestination } from '../checks/check-destination.ts';
import { argumentsOf, checked } from './checked.ts';
import { defineOperation } from './operation.ts';
import { ofNothing } from './revision-rule.ts';

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
  return argumentsOf({
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
  .transform((args) => ({ ...args, declaredFiles: withPositions(args.clientMutationId, args.declaredFiles) }))
  .superRefine(({ declaredFiles }, context) =>
    requireDistinct(declaredFiles.map(distinctValuesOf), context, 'declaredFiles'),
  );
const meant = withFiles(declaredFile, {}).transform((args) => ({
  ...args,
  declaredFiles: withPositions(args.clientMutationId, args.declaredFiles),
}));

/**
 * Media Set creation (interface document). Its identity is in the admission, which may be sent again to the
 * letter; what follows is known by the submission's id and the items'.
 */
export const createMediaSet = defineOperation({
  name: 'create_media_set',
  arguments: call,
  meant,
  strategy: {
    by: 'batch',
    plan(given) {
      const args = checked(called, given);
      const items = args.declaredFiles.map((item, index) => ({
        ...item,
        at: ['declaredFiles', String(index)],
      }));
      return {
        entry: { kind: args.entryTargetKind, id: args.entryTargetId },
        places: items,
        files: items.map(({ file, filename, slot, at }) => ({ file, filename, slot, at: [...at, 'file'] })),
        declare: (files) => ({
          ...args,
          declaredFiles: args.declaredFiles.map(({ filename: _, ...item }, index) => ({
            ...item,
            file: files[index],
          })),
        }),
      };
    },
  },
  revision: ofNothing,
  saved: 'set',
  looksBy: 'lookup',
  needed: () => submissions.creation.needed,
  target: ({ titleBase, entryTargetKind, entryTargetId, declaredFiles }) => ({
    kind: 'media_set',
    title: titleBase,
    entryTargetKind,
    entryTargetId,
    files: declaredFiles.length,
  }),
  guards: () => [],
  places: (args) => [placeOf(args)],
  declared: declaredBy,
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
      declaredFiles: declaredFiles.map(({ itemId, position, targetKind, targetId, slot, file, ...item }) => ({
        itemId,
        position,
        targetKind,
        targetId,
        slot,
        filename: file.filename,
        contentType: file.contentType,
        contentLength: file.contentLength,
        selectedSourceFrame: item.selectedSourceFrame,
      })),
    };
    return jsonRequest(path`/me/set-uploads`, body, 'documented');
  },
  check: ({ destination, entryTargetKind }, seen) => checkDestination({ destination, entryTargetKind }, seen),
  find: (args, look) => lookUpSubmission(declaredBy(args), args.clientMutationId, look),
});

type Meant = z.output<typeof meant>;

function declaredBy({ declaredFiles }: Meant): Declared {
  return { kind: 'creation', items: declaredFiles };
}

/** A Set that is being made has no id yet: a second one with the same pictures is the same, whatever its title. */
function placeOf({ entryTargetKind, entryTargetId, declaredFiles }: Meant): string {
  const files = declaredFiles.map(({ targetKind: kind, targetId: id, slot: of, file }) =>
    [kind, id, of, file.sha256].join(' '),
  );
  const what = canonicalDigest(canonicalJson(files.sort()));
  return `new set of ${entryTargetKind} ${entryTargetId}/${what}`;
}
