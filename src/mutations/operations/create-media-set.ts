import { z } from 'zod';
import {
  mediaSetCreation,
  createMediaSetRequest as request,
} from '../../catalogue/requests/create-media-set.ts';
import {
  description,
  editionId,
  itemId,
  jsonObject,
  languageCode,
  selectedSourceFrame,
  slot,
  targetId,
  targetKind,
  title,
} from '../../catalogue/requests/fields.ts';
import { uploadFilename } from '../../catalogue/requests/file-name.ts';
import { submissions } from '../../catalogue/records/submission.ts';
import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import { checkDestination } from '../checks/check-destination.ts';
import type { Mutation } from '../mutation.ts';
import { type Declared, declaredFile } from '../declared.ts';
import { lookUpSubmission } from './find-submission.ts';
import { withPositions, requireDistinct, distinctValuesOf } from './positions.ts';
import type { SubmissionPlan, InspectedFile } from './submission-plan.ts';
import { checked, guarded, intentOf, requireNoRevision } from './checked.ts';

/**
 * So many fit into one entry of the ledger, which holds what was meant and what was declared. The interface
 * document shows no limit of the service's.
 */
const mostFiles = 2_000;

const set = {
  ...guarded,
  entryTargetKind: targetKind,
  entryTargetId: targetId,
  titleBase: title,
  description: description.default(null),
  languageCode,
  editionId: editionId.default(null),
  finalised: z.boolean(),
  destination: jsonObject.nullable().default(null),
};

const item = {
  itemId: itemId.optional(),
  position: z.int().min(0).optional(),
  targetKind,
  targetId,
  slot,
  selectedSourceFrame: selectedSourceFrame.nullable().default(null),
};

const named = z
  .strictObject({
    ...set,
    declaredFiles: z
      .array(z.strictObject({ ...item, file: z.string().min(1), filename: uploadFilename.optional() }))
      .min(1)
      .max(mostFiles),
  })
  .transform((args) => ({ ...args, declaredFiles: withPositions(args.clientMutationId, args.declaredFiles) }))
  .superRefine(({ declaredFiles }, context) =>
    requireDistinct(declaredFiles.map(distinctValuesOf), context, 'declaredFiles'),
  );

const seen = z
  .strictObject({
    ...set,
    declaredFiles: z.array(z.strictObject({ ...item, file: declaredFile })).min(1),
  })
  .transform((args) => ({
    ...args,
    declaredFiles: withPositions(args.clientMutationId, args.declaredFiles),
  }));

/** What can be told before a file is opened. @throws ArtworkError `invalid_arguments` */
export function planMediaSet(given: object): SubmissionPlan {
  const args = checked(named, given);
  requireNoRevision(args.expectedUpdatedAt, 'what is created has no revision yet.');
  return {
    entry: { kind: args.entryTargetKind, id: args.entryTargetId },
    places: args.declaredFiles.map((declared, index) => ({
      ...declared,
      at: ['declaredFiles', String(index)],
    })),
    files: args.declaredFiles.map(({ file, filename, slot: of }, index) => ({
      file,
      slot: of,
      filename,
      at: ['declaredFiles', String(index), 'file'],
    })),
    declare: (files) =>
      createMediaSet({
        ...args,
        declaredFiles: args.declaredFiles.map(({ filename: _, file: __, ...rest }, index) => ({
          ...rest,
          file: bytesOf(files[index]),
        })),
      }),
  };
}

function bytesOf(file: InspectedFile | undefined): object {
  if (file === undefined) throw new TypeError('A file was not looked at.');
  const { filename, contentType, contentLength, sha256 } = file;
  return { filename, contentType, contentLength, sha256 };
}

/**
 * Media Set creation (interface document). Its identity is in the admission, which may be sent again to the
 * letter; what follows is known by the submission's id and the items'.
 */
export function createMediaSet(given: object): Mutation {
  const args = checked(seen, given);
  const { clientMutationId, expectedUpdatedAt, entryTargetKind, entryTargetId, titleBase } = args;
  requireNoRevision(expectedUpdatedAt, 'what is created has no revision yet.');
  const intent = intentOf(args);
  const { expectedUpdatedAt: _, ...admission } = args;
  const declaredFiles = args.declaredFiles.map(({ file: { sha256: __, ...file }, ...rest }) => ({
    ...rest,
    file,
  }));
  const declared: Declared = { kind: 'creation', items: args.declaredFiles };
  return {
    operation: 'create_media_set',
    clientMutationId,
    expectedUpdatedAt,
    target: {
      kind: 'media_set',
      title: titleBase,
      entryTargetKind,
      entryTargetId,
      files: args.declaredFiles.length,
    },
    intent,
    needed: submissions.creation.needed,
    guards: [],
    looksBy: 'lookup',
    saved: 'set',
    places: [placeOf(args)],
    bytes: null,
    declared,
    check: (seen) => checkDestination({ destination: args.destination, entryTargetKind }, seen),
    request: () => request(checked(mediaSetCreation, { ...admission, declaredFiles })),
    again: () => null,
    find: (look) => lookUpSubmission(declared, clientMutationId, look),
  };
}

/** A Set that is being made has no id yet: a second one with the same pictures is the same, whatever its title. */
function placeOf({ entryTargetKind, entryTargetId, declaredFiles }: z.output<typeof seen>): string {
  const files = declaredFiles.map(({ targetKind: kind, targetId: id, slot: of, file }) =>
    [kind, id, of, file.sha256].join(' '),
  );
  const what = canonicalDigest(canonicalJson(files.sort()));
  return `new set of ${entryTargetKind} ${entryTargetId}/${what}`;
}
