import { ArtworkError } from '../../errors.ts';
import { mayClaimAgain, type EntryView } from '../../ledger/entry-view.ts';
import type { MutationPorts } from '../ports.ts';
import { readCheckpoint } from '../checkpoint.ts';

/**
 * Frees the kept bytes of a submission that has ended or was given up. What may be sent again under its
 * identity keeps them.
 */
export async function releaseBlobsOfEnded(
  { blobs: kept, log }: Pick<MutationPorts, 'blobs' | 'log'>,
  { entry }: EntryView,
): Promise<void> {
  const checkpoint = readCheckpoint(entry.progress);
  const ended = entry.abandonedAt !== null || (entry.state === 'settled' && !mayClaimAgain(entry));
  if (checkpoint === null || !ended) return;
  await releaseOrWarn(kept.release(checkpoint.keeper), log);
}

/**
 * Frees kept bytes, and logs where that fails. What could not be freed is freed by a later sweep; the outcome
 * stands.
 */
export async function releaseOrWarn(work: Promise<void>, log: MutationPorts['log']): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes could not be freed: ${error.message}`);
  }
}
