import { ArtworkError } from '../errors.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { CallClock } from './call-clock.ts';
import type { Mutation } from './mutation.ts';
import { checkUpload, fileIn, noteFile, uploadAsset } from './operations/upload-asset.ts';
import type { Outgoing } from './outgoing.ts';
import type { UploadFiles, UploadSource } from './ports.ts';

/** An upload with its file open. @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled` */
export async function openUpload(
  files: UploadFiles,
  args: object & { readonly file: string; readonly slot: string },
  roots: readonly string[],
  time: CallClock,
): Promise<Outgoing> {
  const { file, ...rest } = args;
  checkUpload(rest);
  const { slot } = args;
  const { signal, progress } = time;
  const source = await files.open(file, { slot, roots, signal, progress });
  try {
    return outgoing(uploadAsset({ ...rest, file: announced(source) }), source);
  } catch (error) {
    await source.close();
    throw error;
  }
}

/**
 * The upload that an entry stands for, with its file open again: the very bytes that were meant.
 * @throws ArtworkError `upload_refused` where they are not there any more
 */
export async function reopenUpload(
  files: UploadFiles,
  mutation: Mutation,
  { progress }: LedgerEntry,
  roots: readonly string[],
  time: CallClock,
): Promise<Outgoing> {
  const path = fileIn(progress);
  const again = mutation.again(progress);
  const slot = again?.slot;
  if (path === null || typeof slot !== 'string') throw gone('where its file lies is not known');
  const source = await files.open(path, { slot, roots, signal: time.signal, progress: time.progress });
  if (mutation.bytes?.startsWith(`${source.sha256}@`) === true) return outgoing(mutation, source);
  await source.close();
  throw gone(`${path} holds other bytes now`);
}

function outgoing(mutation: Mutation, source: UploadSource): Outgoing {
  return {
    mutation,
    body: (signal) => source.body(signal),
    progress: noteFile(source.path),
    warnings: source.warnings,
    close: () => source.close(),
  };
}

function announced({ filename, contentType, contentLength, sha256 }: UploadSource) {
  return { filename, contentType, contentLength, sha256 };
}

function gone(why: string): ArtworkError {
  return new ArtworkError(
    'upload_refused',
    `This upload can't go on: ${why}. Only the very same bytes may be sent under its id.`,
    {
      next: { why: 'A person has to put the original file back; then resume_mutation goes on with it.' },
    },
  );
}
