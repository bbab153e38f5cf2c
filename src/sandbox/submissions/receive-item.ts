import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Answer } from '../http.ts';
import { checked, queryFields } from '../me/checked.ts';
import { recordEffect } from '../me/effects.ts';
import { uuid } from '../me/fields.ts';
import type { Asked } from '../me/operation.ts';
import type { OwnerSide } from '../me/owner-side.ts';
import { ProtectedError, privateAnswer, refused } from '../me/protected-error.ts';
import { mediaTypeOf, requireType, type WrittenFile, writtenFile } from '../uploads/declared-file.ts';
import { requireFit } from '../uploads/fit.ts';
import { type Inspected, inspect } from '../uploads/inspect.ts';
import { keepFile } from '../uploads/kept-file.ts';
import { receive, type StagedFile, stagingFolder } from '../uploads/receive.ts';
import type { Failure } from './assumed.ts';
import { type FileItem, fileItem, ownSubmission } from './find.ts';
import { briefRecord, itemRecord } from './record.ts';
import { type StoredItem, type Submission, updateItem } from './store.ts';

const asked = z.strictObject({ itemId: uuid });

/**
 * Takes the file of one item. A file that is not the declared one is refused, and can still be sent; one that
 * is, but is no fitting picture, has failed for good. The same file again is answered as it was.
 */
export async function receiveItem(
  side: OwnerSide,
  caller: Caller,
  family: Submission['admitted']['family'],
  { values, query, request }: Asked,
): Promise<Answer> {
  const { database, dataDir } = side;
  const { itemId } = checked(asked, queryFields(query));
  const submission = ownSubmission(database, caller, family, values.text('submissionId'));
  const item = fileItem(database, submission.id, itemId);
  const written = writtenFile(request);
  requireDeclared(item, written);
  const staged = await receive(request, stagingFolder(dataDir), written);
  try {
    if (item.status !== 'awaiting') return again(side, submission, item, staged);
    const judged = await judge(staged, item);
    if (judged instanceof ProtectedError) {
      settle(side, caller, submission, item, staged, { failure: judged });
      throw judged;
    }
    const kept = await keepFile(staged, dataDir, randomUUID(), judged.format);
    const processing = side.processingOf(request);
    let settled = false;
    try {
      const file = { sha256: staged.sha256, key: kept.key, inspected: judged };
      settled = settle(side, caller, submission, item, staged, {
        file,
        milliseconds: processing?.milliseconds ?? 0,
        failure: processing?.failure ?? null,
      });
    } finally {
      if (!settled) await kept.remove();
    }
    const now = fileItem(database, submission.id, itemId);
    return settled ? itemAnswer(side, submission, now, 201) : again(side, submission, now, staged);
  } finally {
    await staged.discard();
  }
}

/** "Content-Type, Content-Length and X-Upload-Filename matching the declaration exactly". */
function requireDeclared({ declared }: FileItem, written: WrittenFile): void {
  const differing = (
    [
      ['Content-Type', 'contentType'],
      ['Content-Length', 'contentLength'],
      ['X-Upload-Filename', 'filename'],
    ] as const
  ).filter(([, field]) =>
    field === 'contentType'
      ? mediaTypeOf(declared.contentType) !== mediaTypeOf(written.contentType)
      : declared[field] !== written[field],
  );
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

/** What the file is, or why it can't be taken. */
async function judge(staged: StagedFile, { item, declared }: FileItem): Promise<Inspected | ProtectedError> {
  try {
    const inspected = await inspect(staged, requireType(declared.contentType));
    requireFit(inspected, item.slot);
    const { selectedSourceFrame } = declared;
    if (selectedSourceFrame !== null && selectedSourceFrame >= inspected.frames) {
      const message = `The file has the frames 0 to ${inspected.frames - 1}.`;
      throw refused(422, 'asset.preview.frame_range', message, ['selectedSourceFrame'], {
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

/** Answers false when another transfer was faster. */
function settle(
  { database, now }: OwnerSide,
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

/** A transfer for an item that has its file: the same one changes nothing, another one is refused. */
function again(side: OwnerSide, submission: Submission, item: FileItem, staged: StagedFile): Answer {
  if (item.file?.sha256 !== staged.sha256) {
    throw refused(409, 'file.already_received', 'The item has received another file.', ['itemId']);
  }
  if (item.status === 'failed' && item.file.key === null && item.error !== null) {
    throw refused(422, item.error.code, item.error.message);
  }
  return itemAnswer(side, submission, item, 200);
}

function itemAnswer(side: OwnerSide, submission: Submission, item: FileItem, status: 200 | 201): Answer {
  const now = side.now();
  const { settled, ...submitted } = briefRecord(side.database, submission.id, now);
  return privateAnswer(status, {
    item: itemRecord(item, settled, now.toISOString()),
    submission: submitted,
  });
}
