import { ArtworkError } from '../../errors.ts';
import type { MutationPorts } from '../ports.ts';
import { freed } from '../delivery/release-blobs.ts';

const swept = new WeakSet<MutationPorts['blobs']>();

/**
 * For what was never sent, so long after it was last tried: nobody lists it as open, and the same call keeps its
 * files again. ms
 */
const mostUnsentMs = 7 * 24 * 60 * 60_000;

/**
 * Frees, once a process, what is kept and not needed by any entry of the ledger, whoever's it is: what a
 * process left behind that died between keeping and claiming, and what nobody has come back to.
 */
export async function sweepOnce({ ledger, blobs: kept, clock, log }: MutationPorts): Promise<void> {
  if (swept.has(kept)) return;
  swept.add(kept);
  try {
    const opened = await ledger();
    const since = new Date(clock.now() - mostUnsentMs).toISOString();
    await freed(
      kept.sweep((name) => opened.mayKeep(name, since)),
      log,
    );
  } catch (error) {
    // What the ledger can't tell of may be needed.
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes that nobody needs were not looked for: ${error.message}`);
  }
}
