import { ArtworkError } from '../../errors.ts';
import type { MutationPorts } from '../ports.ts';
import { releaseOrWarn } from '../delivery/release-blobs.ts';

const swept = new WeakSet<MutationPorts['blobs']>();

/**
 * For what was never sent, so long after it was last tried: it is not listed as open, and the same call keeps its
 * files again. ms
 */
const mostUnsentMs = 7 * 24 * 60 * 60_000;

/**
 * Frees, once a process, the blobs that no entry of the ledger needs, of any account: what a
 * process left behind that died between keeping and claiming, and what was never resumed.
 */
export async function sweepBlobsOnce({ ledger, blobs: kept, clock, log }: MutationPorts): Promise<void> {
  if (swept.has(kept)) return;
  swept.add(kept);
  try {
    const opened = await ledger();
    const since = new Date(clock.now() - mostUnsentMs).toISOString();
    await releaseOrWarn(
      kept.sweep((name) => opened.mayKeep(name, since)),
      log,
    );
  } catch (error) {
    // What the ledger can't tell of may be needed.
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes that are not needed any more were not looked for: ${error.message}`);
  }
}
