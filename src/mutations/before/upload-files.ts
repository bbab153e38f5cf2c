import { stat } from 'node:fs/promises';
import { ArtworkError, codeOf } from '../../errors.ts';
import { isRefused } from '../../files/refusal.ts';
import type { KeptError, LedgerEntry } from '../../ledger/entry.ts';
import { isUnsent } from '../../ledger/ledger.ts';
import { shapeOfSlot } from '../../model/slots.ts';
import { mapLimit } from '../../map-limit.ts';
import { nextIn } from '../answer/table.ts';
import { readNote } from '../run/note.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import { fileInProgress, progressOfFile, type UploadPlan } from '../operations/operation.ts';
import type { MutationPorts, UploadFiles, UploadSource } from '../ports.ts';
import { MutationError } from '../result.ts';
import { openAccountLedger } from '../account.ts';
import { type Caller, callCancelledError } from '../caller.ts';

/**
 * Files of this machine, from the folders that are open for uploads: those of the settings, and those that
 * the host offers with a call.
 * @param machine the name of this machine, if others share its store
 */
export function createUploadFiles(configured: readonly string[], machine?: string): UploadFiles {
  return {
    machine,
    async open(file, { slot, roots, maxBytes, known, frame, signal, progress }) {
      // Loads what decodes pictures, which most calls never need.
      const { openUpload, warningsOf } = await import('../../files/check.ts');
      const upload = await openUpload(file, {
        roots: { configured, host: roots },
        ...{ known, frame, signal },
        onProgress: (done, length) => progress(done, length, 'hashing'),
      });
      const isKnown = upload.sha256 === known;
      return {
        ...upload,
        warnings: isKnown ? [] : warningsOf(upload, { slot, usual: shapeOfSlot(slot), maxBytes }),
      };
    },
    async find(given, { roots, signal }) {
      const { locate } = await import('../../files/roots.ts');
      const { mostPictureBytes } = await import('../../files/check.ts');
      return mapLimit(given, 10, async (file) => {
        if (signal.aborted) throw callCancelledError();
        try {
          const { path } = await locate(file, { configured, host: roots });
          const { size } = await stat(path);
          return size > mostPictureBytes ? null : { path, contentLength: size };
        } catch (error) {
          if (isRefused(error, 'no_roots')) throw error;
          if (error instanceof ArtworkError || codeOf(error) !== null) return null;
          throw error;
        }
      });
    },
  };
}

/** Where files come from in one call. */
export interface FileSource {
  readonly files: UploadFiles;
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  readonly limit: SizeLimit;
}

/** The most bytes that the service has said it takes (interface document, Errors: `asset.file.maxSize`). */
interface SizeLimit {
  /** Null where it has not said so. */
  known(): Promise<number | null>;
  /** Learns from a refusal. */
  learn(error: ArtworkError | KeptError | null | undefined): void;
}

/** Remembers the limit while the program runs, and finds it in the ledger when it starts anew. */
export function createSizeLimit(ports: MutationPorts): SizeLimit {
  let limit: number | null = null;
  let asked = false;
  const learn: SizeLimit['learn'] = (error) => {
    const told = error?.code === 'asset.file.maxSize' ? error.details?.maxBytes : undefined;
    if (typeof told === 'number' && Number.isSafeInteger(told) && told > 0) limit = told;
  };
  return {
    learn,
    async known() {
      if (limit === null && !asked) {
        const { ledger, scope } = await openAccountLedger(ports);
        const { views } = await ledger.list(scope, { state: 'refused', limit: 200 });
        for (const { entry } of views.toReversed()) learn(entry.error);
        asked = true;
      }
      return limit;
    },
  };
}

/** A mutation that sends no file, or whose files are kept. */
export function withoutFile(mutation: Mutation): Prepared {
  return { mutation, file: null, progress: null, warnings: [] };
}

/** An upload with its file open. @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled` */
export async function openUpload(
  source: FileSource,
  { file, slot, declare }: UploadPlan,
  caller: Caller,
): Promise<Prepared> {
  const opened = await open(source, file, slot, caller);
  try {
    return uploadOf(declare([opened]), opened, source);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * The upload that an entry stands for, with its file open again: the very bytes that were meant.
 * @throws ArtworkError `upload_refused` where they are not there any more
 */
export async function reopenUpload(
  source: FileSource,
  mutation: Mutation,
  { progress }: LedgerEntry,
  caller: Caller,
): Promise<Prepared> {
  const path = fileInProgress(progress);
  if (path === null || mutation.by !== 'upload') throw gone('where its file lies is not known');
  const { sha256, slot } = mutation.bytes;
  const { machine } = readNote(progress);
  if (machine !== undefined && machine !== source.files.machine)
    throw gone(`${path} lies on the machine ${machine}: resume it there`);
  const opened = await open(source, path, slot, caller);
  if (sha256 === opened.sha256) return uploadOf(mutation, opened, source);
  await opened.close();
  throw gone(`${path} holds other bytes now`);
}

/**
 * Why a file can't be sent, and what is known of the id: an earlier call may have sent it when the file was
 * still there.
 */
export async function refuseUploadFile(ports: MutationPorts, id: string, error: unknown): Promise<never> {
  if (!(error instanceof ArtworkError) || error.category !== 'upload_refused') throw error;
  const { ledger, scope } = await openAccountLedger(ports);
  const view = await ledger.read(scope, id);
  const { category, message } = error;
  const facts = { ...error, cause: error, clientMutationId: id };
  if (view === null || isUnsent(view)) {
    throw new MutationError(category, message, { ...facts, outcome: 'not_sent' });
  }
  const next = nextIn({ is: 'called before', clientMutationId: id });
  throw new MutationError(category, message, { ...facts, next });
}

async function open(
  { files, roots, limit }: FileSource,
  file: string,
  slot: string,
  { deadline, progress }: Caller,
) {
  const maxBytes = await limit.known();
  return files.open(file, { slot, roots, maxBytes, signal: deadline.signal, progress });
}

function uploadOf(mutation: Mutation, file: UploadSource, { files }: FileSource): Prepared {
  const progress = progressOfFile(file.path, files.machine);
  return { mutation, file, progress, warnings: file.warnings };
}

function gone(why: string): ArtworkError {
  const message = `This upload can't go on: ${why}. Only the very same bytes may be sent under its id.`;
  return new ArtworkError('upload_refused', message, { next: nextIn({ is: 'file gone' }) });
}
