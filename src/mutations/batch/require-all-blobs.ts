import type { Mutation } from '../mutation.ts';
import { MutationError } from '../mutation-error.ts';
import type { BlobFiles } from '../ports.ts';
import { fileItems } from '../declared.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { declaredBy } from './outgoing.ts';

/**
 * Before anything is declared to the service: all that it is to get has to be here. Null: nothing was noted. Where
 * another machine may have the files, that is said later, with its name.
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

/** Whoever made the call ended between claiming and noting, or nobody came back for long. */
function nothingKept(clientMutationId: string): MutationError {
  const message =
    'Nothing of this submission was sent, and its files are not kept here: the call that made it was interrupted before, or is long ago.';
  return new MutationError('upload_refused', message, {
    clientMutationId,
    outcome: 'not_sent',
    next: { why: 'Make the same call again, with the same id and the same files.' },
  });
}
