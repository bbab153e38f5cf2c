import { ArtworkError } from '../../errors.ts';
import { isOpen, mayRepeat } from '../../ledger/standing.ts';
import type { MutationPorts } from '../ports.ts';
import { readNotes } from './notes.ts';
import { freed } from './release.ts';

const swept = new WeakSet<MutationPorts['kept']>();

/**
 * For what was never sent, so long after it was last tried: nobody lists it as open, and the same call keeps its
 * files again. ms
 */
const mostUnsentMs = 7 * 24 * 60 * 60_000;

/**
 * Frees, once a process, what is kept and not needed by any entry of the ledger, whoever's it is: what a
 * process left behind that died between keeping and claiming, and what nobody has come back to.
 */
export async function sweepOnce({ ledger, kept, clock, log }: MutationPorts): Promise<void> {
  if (swept.has(kept)) return;
  swept.add(kept);
  try {
    const needed = new Set<string>();
    for (const entry of await (await ledger()).everything()) {
      const notes = readNotes(entry.progress);
      const isRecent = clock.now() - Date.parse(entry.updatedAt) < mostUnsentMs;
      if (notes !== null && (isOpen(entry) || (mayRepeat(entry) && isRecent))) needed.add(notes.keeper);
    }
    await freed(kept.sweep(needed), log);
  } catch (error) {
    // An entry that can't be read may need anything that is kept.
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes that nobody needs were not looked for: ${error.message}`);
  }
}
