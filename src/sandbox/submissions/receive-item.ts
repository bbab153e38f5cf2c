import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../http.ts';
import type { Caller } from '../me/authorize.ts';
import type { OperationRequest, ProtectedContext } from '../me/context.ts';
import { uuid } from '../me/fields.ts';
import { recordEffect } from '../me/mutation.ts';
import { protectedAnswer, ProtectedError, refusal } from '../me/protected-error.ts';
import { queryFields, validate } from '../me/request.ts';
import { type FileHeaders, readFileHeaders, requireType } from '../uploads/file-headers.ts';
import { receiveFile, type StagedFile, stagingFolder, storeFile } from '../uploads/files.ts';
import { type InspectedPicture, inspectPicture, requireFit } from '../uploads/inspect.ts';
import type { Failure } from './assumed.ts';
import { type FileItem, fileItem, itemRecord, ownSubmission, submissionSummary } from './record.ts';
import { type StoredItem, type Submission, updateItem } from './store.ts';

const itemQuery = z.strictObject({ itemId: uuid });

/**
 * Receives the file of one item. A file that differs from its declaration is refused and can be sent again; a
 * declared file that is no suitable picture fails for good. The same file again gets the same answer.
 */
export async function receiveItem(
  context: ProtectedContext,
  caller: Caller,
  family: Submission['admitted']['family'],
  { values, query, request }: OperationRequest,
): Promise<Answer> {
  const { database, dataDir } = context;
  const { itemId } = validate(itemQuery, queryFields(query));
  const submission = ownSubmission(database, caller, family, values.text('submissionId'));
  const item = fileItem(database, submission.id, itemId);
  const written = readFileHeaders(request);
  requireDeclared(item, written);
  const staged = await receiveFile(request, stagingFolder(dataDir), written);
  try {
    if (item.status !== 'awaiting') return answerRepeated(context, submission, item, staged);
    const judged = await inspectItem(staged, item);
    if (judged instanceof ProtectedError) {
      storeArrival(context, caller, submission, item, staged, { failure: judged });
      throw judged;
    }
    const stored = await storeFile(staged, dataDir, randomUUID(), judged.format);
    const processing = context.processingOf(request);
    let settled = false;
    try {
      const file = { sha256: staged.sha256, key: stored.key, inspected: judged };
      settled = storeArrival(context, caller, submission, item, staged, {
        file,
        milliseconds: processing?.milliseconds ?? 0,
        failure: processing?.failure ?? null,
      });
    } finally {
      if (!settled) await stored.remove();
    }
    const now = fileItem(database, submission.id, itemId);
    return settled
      ? itemAnswer(context, submission, now, 201)
      : answerRepeated(context, submission, now, staged);
  } finally {
    await staged.discard();
  }
}

/** "Content-Type, Content-Length and X-Upload-Filename matching the declaration exactly". */
function requireDeclared({ declared }: FileItem, written: FileHeaders): void {
  const differing = (
    [
      ['Content-Type', 'contentType'],
      ['Content-Length', 'contentLength'],
      ['X-Upload-Filename', 'filename'],
    ] as const
  ).filter(([, field]) => declared[field] !== written[field]);
  if (differing.length === 0) return;
  const { filename, contentType, contentLength } = declared;
  throw new ProtectedError(409, 'file.declaration_conflict', 'The file is not the one that was declared.', {
    details: { declared: { filename, contentType, contentLength } },
    issues: differing.map(([header, field]) => ({
      code: 'file.declaration_conflict',
      message: `${String(declared[field])} was declared.`,
      path: [header],
    })),
  });
}

/** The picture in the file, or why it is refused. */
async function inspectItem(
  staged: StagedFile,
  { item, declared }: FileItem,
): Promise<InspectedPicture | ProtectedError> {
  try {
    const inspected = await inspectPicture(staged, requireType(declared.contentType));
    requireFit(inspected, item.slot);
    const { selectedSourceFrame } = declared;
    if (selectedSourceFrame !== null && selectedSourceFrame >= inspected.frames) {
      const message = `The file has the frames 0 to ${inspected.frames - 1}.`;
      throw refusal(422, 'asset.preview.frame_range', message, ['selectedSourceFrame'], {
        frames: inspected.frames,
      });
    }
    return inspected;
  } catch (error) {
    if (error instanceof ProtectedError) return error;
    throw error;
  }
}

type Arrival =
  | { readonly failure: ProtectedError }
  | {
      readonly file: NonNullable<StoredItem['file']>;
      readonly milliseconds: number;
      readonly failure: Failure | null;
    };

/** Returns false when another transfer was faster. */
function storeArrival(
  { database, now }: ProtectedContext,
  caller: Caller,
  submission: Submission,
  { item, declared: _, ...before }: FileItem,
  { sha256 }: StagedFile,
  arrival: Arrival,
): boolean {
  const at = now();
  return database.transaction(() => {
    if (fileItem(database, submission.id, item.itemId).status !== 'awaiting') return false;
    const failed = arrival.failure;
    const delay = 'milliseconds' in arrival ? arrival.milliseconds : 0;
    updateItem(database, submission.id, {
      ...before,
      item,
      status: failed === null ? 'received' : 'failed',
      error: failed === null ? null : { code: failed.code, message: failed.message },
      processedAt: new Date(at.getTime() + delay).toISOString(),
      file: 'file' in arrival ? arrival.file : { sha256, key: null, inspected: null },
    });
    const resource = { kind: 'item', id: item.itemId };
    const { clientMutationId } = submission;
    const operation = failed === null ? 'submission.file' : 'submission.file_failed';
    recordEffect(database, caller, { operation, clientMutationId, resource }, at.toISOString());
    return true;
  });
}

/** A transfer for an item that has its file: the same file changes nothing, another one is refused. */
function answerRepeated(
  context: ProtectedContext,
  submission: Submission,
  item: FileItem,
  staged: StagedFile,
): Answer {
  if (item.file?.sha256 !== staged.sha256) {
    throw refusal(409, 'file.already_received', 'The item has received another file.', ['itemId']);
  }
  if (item.status === 'failed' && item.file.key === null && item.error !== null) {
    throw refusal(422, item.error.code, item.error.message);
  }
  return itemAnswer(context, submission, item, 200);
}

function itemAnswer(
  context: ProtectedContext,
  submission: Submission,
  item: FileItem,
  status: 200 | 201,
): Answer {
  const now = context.now();
  const { settled, ...submitted } = submissionSummary(context.database, submission.id, now);
  return protectedAnswer(status, {
    item: itemRecord(item, settled, now.toISOString()),
    submission: submitted,
  });
}
