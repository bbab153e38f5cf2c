import { z } from 'zod';
import { path } from '../path.ts';
import {
  clientMutationId,
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
} from './fields.ts';
import { distinctItems } from './items.ts';
import { type JsonRequest, jsonRequest } from './request.ts';
import { uploadFile } from './upload-file.ts';

const declaredItem = z.strictObject({
  itemId,
  position: z.int().min(0),
  targetKind,
  targetId,
  slot,
  file: uploadFile,
  selectedSourceFrame: selectedSourceFrame.nullable(),
});

export const mediaSetCreation = z.strictObject({
  clientMutationId,
  entryTargetKind: targetKind,
  entryTargetId: targetId,
  titleBase: title,
  description,
  languageCode,
  editionId,
  /** Its meaning is not shown, so it has no default. */
  finalised: z.boolean(),
  /** A record of the upload destinations, as it came. */
  destination: jsonObject.nullable(),
  declaredFiles: z.array(declaredItem).min(1).superRefine(distinctItems),
});

export type MediaSetCreation = z.output<typeof mediaSetCreation>;

/**
 * Interface document, Media Set creation, step 1. The body is frozen once it has been sent: its bytes are to be
 * kept, and a repetition sends them again.
 */
export function createMediaSetRequest(set: MediaSetCreation): JsonRequest {
  return jsonRequest(
    path`/me/set-uploads`,
    {
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
      declaredFiles: set.declaredFiles.map((item) => ({
        itemId: item.itemId,
        position: item.position,
        targetKind: item.targetKind,
        targetId: item.targetId,
        slot: item.slot,
        filename: item.file.filename,
        contentType: item.file.contentType,
        contentLength: item.file.contentLength,
        selectedSourceFrame: item.selectedSourceFrame,
      })),
    },
    { needed: { allOf: ['sets:write', 'assets:write'] }, identity: 'documented' },
  );
}
