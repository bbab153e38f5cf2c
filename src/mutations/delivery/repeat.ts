import type { Call } from '../../catalogue/call-time.ts';
import { ArtworkError } from '../../errors.ts';
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
