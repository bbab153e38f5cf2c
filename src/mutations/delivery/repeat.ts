import type { Call } from '../../catalogue/call-time.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { mayHaveBeenApplied } from '../next-calls.ts';
import { compareRevisions, readableGuards } from '../before-claim/revisions.ts';
import type { Mutation } from '../mutation.ts';
import type { OwnedReads } from '../ports.ts';

/**
 * Before a request whose fate is unknown is repeated: whether what it acts on still is as its caller saw it. A
 * revision that the service compares too, and that this connection may not read, is left to the service.
 * @returns why it must not be sent now: `stale_revision` with both values, or why a revision could not be read
 */
export async function reasonNotToRepeat(
  { guards }: Mutation,
  owned: OwnedReads,
  scopes: readonly string[],
  call: Call,
): Promise<ArtworkError | null> {
  try {
    await compareRevisions(readableGuards(guards, scopes), owned, call);
    return null;
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

/** What a person does about an unknown fate where the revision has moved; null where it has not. */
export function afterMoved({ error }: Pick<LedgerEntry, 'error'>): Next | null {
  return error?.category === 'stale_revision' ? decideAfterMoved(error.message) : null;
}

export function decideAfterMoved(message: string): Next {
  return {
    why: `${message} Whether the first request was applied is not known, and what it acts on has changed since, so it is not repeated. A person looks at the service: if it is there, or no longer wanted, \`artwork-mcp mutations abandon\` ends this one; if it is still wanted, it is then made anew under a new id, with the present revision.`,
    doNot: mayHaveBeenApplied,
  };
}
