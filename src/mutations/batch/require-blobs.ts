import { missingBlobsError } from '../../blobs/missing.ts';
import { isSha256 } from '../../files/digest.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { type DeclaredFile, declaredBy, fileItems } from '../declared.ts';
import type { Mutation } from '../mutation.ts';
import { MutationError } from '../mutation-error.ts';
import type { BlobFiles } from '../ports.ts';

/**
 * Refuses to go on with a submission whose kept bytes are not on this machine.
 * @throws ArtworkError `upload_refused` (`kept_bytes_missing`) that names the machine which should have them
 */
export async function requireBlob(
  kept: BlobFiles,
  { keeper: owner, machine }: Checkpoint,
  files: readonly DeclaredFile[],
): Promise<void> {
  const missing = await kept.missing(owner, files);
  if (missing.length === 0) return;
  throw missingBlobsError(
    missing.flatMap(({ filename, sha256, contentLength }) =>
      isSha256(sha256) ? [{ filename, sha256, length: contentLength }] : [],
    ),
    machine === kept.machine ? null : machine,
  );
}

/**
 * Refuses a submission of which a kept file is missing. Before anything is declared to the service: all that it is
 * to get has to be here. Null: nothing was noted. Where another machine may have the files, that is said later,
 * with its name.
 * @throws MutationError `upload_refused`
 */
export async function requireAllBlobs(
  kept: BlobFiles,
  mutation: Mutation,
  checkpoint: Checkpoint | null,
): Promise<void> {
  if (checkpoint === null || (await areGone(kept, mutation, checkpoint)))
    throw nothingKept(mutation.clientMutationId);
}

async function areGone(
  kept: BlobFiles,
  mutation: Mutation,
  { machine, keeper: owner }: Checkpoint,
): Promise<boolean> {
  const files = fileItems(declaredBy(mutation)).map(({ file }) => file);
  return machine === kept.machine && (await kept.missing(owner, files)).length > 0;
}

/** The process ended between claiming and writing its first checkpoint, or the submission was not resumed for long. */
function nothingKept(clientMutationId: string): MutationError {
  const message =
    'Nothing of this submission was sent, and its files are not kept here: the call that made it was interrupted before, or is long ago.';
  return new MutationError('upload_refused', message, {
    clientMutationId,
    outcome: 'not_sent',
    next: { why: 'Make the same call again, with the same id and the same files.' },
  });
}
