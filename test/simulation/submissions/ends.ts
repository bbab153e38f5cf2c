import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { readCheckpoint } from '../../../src/mutations/submission.ts';
import type { End } from '../agent.ts';
import { isNoted } from './meant.ts';
import type { World } from './process.ts';
import type { Habits } from './submission.ts';
import type { Wish } from './wishes.ts';

/** Whether an answer leaves its mutation open. */
export function isOpen({ last }: End): boolean {
  return last?.outcome === 'processing' || last?.outcome === 'unresolved';
}

/**
 * What is wrong with how following `next` ended once nothing goes wrong any more; null where it is as promised: an
 * outcome, or a person who is told why, where there is something that only a person can mend.
 */
export function wrongEnd(world: World, habits: Habits, wish: Wish, end: End): string | null {
  const { clientMutationId } = wish;
  const { last } = end;
  if (end.end === 'gave up') return `a follower of ${clientMutationId} does not come to an end`;
  if (last === null) return `${clientMutationId} ends without a word`;
  if (last.next !== undefined && last.next.why === '') return `${clientMutationId} ends without a reason`;
  if (!isOpen(end)) return null;
  const entry = world.watch.entries.get(last.clientMutationId ?? '');
  // Both are told as what comes next.
  const isTold = entry?.abandonedAt !== null || isOfUnnamed(entry);
  if (last.error === undefined && !isTold)
    return `${clientMutationId} ends at a person without what is in its way`;
  // It may be told of another one, which is in this one's place.
  const about = last.clientMutationId ?? clientMutationId;
  const reason = reasonToStop(world, habits, about);
  if (reason === null) return `${about} is stuck at a person for nothing: ${last.next?.why}`;
  world.reach(`at a person: ${reason}`);
  return null;
}

function isOfUnnamed({ subject, state }: LedgerEntry): boolean {
  return subject === null && state !== 'processing';
}

/** What is in a submission's way for good; null where nothing is. */
function reasonToStop(
  { watch, service, copies, set }: World,
  { words, insists }: Habits,
  clientMutationId: string,
): string | null {
  const entry = watch.entries.get(clientMutationId);
  const submission = service.of(clientMutationId);
  if (entry === undefined) return null;
  if (entry.abandonedAt !== null) return 'given up';
  if (isOfUnnamed(entry)) return 'it may have been sent for an account that the service did not name';
  const isNamed = readCheckpoint(entry.progress)?.submissionId != null;
  const taken = service.taken(clientMutationId);
  if (submission?.foreign === true || (!isNamed && taken !== null)) return 'its id was used elsewhere';
  if (!isNamed && entry.operation === 'edit_set' && set.hasChanged())
    return 'its revisions are stale, and its first admission is in doubt';
  if (submission === null) return null;
  const lacking = submission.items.filter(({ status }) => status === 'awaiting').map(({ itemId }) => itemId);
  const silent = words === 'mute' || words === 'unlisted';
  const isOneRefused = (readCheckpoint(entry.progress)?.refused.length ?? 0) > 0;
  if (silent && isOneRefused) return 'the service does not tell for which file it waits';
  if (lacking.length === 0) return null;
  const owner = readCheckpoint(entry.progress)?.keeper ?? '';
  if (copies.isLost(owner)) return 'its kept bytes are gone';
  if (insists) return 'a file is turned away, and insisted on';
  if (silent && lacking.some((itemId) => isNoted(entry, itemId)))
    return 'the service does not tell what it has';
  return null;
}
