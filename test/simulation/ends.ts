import type { End } from './agent.ts';
import type { World } from './process.ts';
import type { StoredRecord } from './record.ts';
import type { Wish } from './wishes.ts';

const stays: readonly (string | undefined)[] = ['processing', 'unresolved', 'interrupted'];

/** Whether an answer leaves its change open. */
export function isAtPerson({ last }: End): boolean {
  return stays.includes(last?.outcome);
}

/**
 * What is wrong with how following `next` ended once nothing goes wrong any more; null where it is as promised: an
 * outcome, or a person who is told why, where there is something that only a person can mend.
 */
export function wrongEnd(world: World, wish: Wish, end: End): string | null {
  const { last } = end;
  if (end.end === 'gave up') return `a follower of ${wish.id} does not come to an end`;
  if (last === null) return `${wish.id} ends without a word`;
  if (last.next !== undefined && last.next.why === '') return `${wish.id} ends without a reason`;
  if (!isAtPerson(end)) return null;
  // It may be told of another one, which is in this one's place.
  const about = last.clientMutationId ?? wish.id;
  const record = world.watch.records.get(about);
  const reason = record === undefined ? null : reasonToStop(world, wish, record);
  if (reason === null) return `${about} is stuck at a person for nothing`;
  world.scheduler.note(`at a person: ${reason}`);
  return null;
}

/** What is in a change's way for good; null where nothing is. */
function reasonToStop(world: World, wish: Wish, record: StoredRecord): string | null {
  const { service, folder, habits } = world;
  const { id, isAbandoned, isDoubted, subject, submission: named, state } = record;
  if (isAbandoned) return 'given up';
  if (subject === null && state !== 'accepted')
    return 'it may have been sent for an account that the service did not name';
  if (service.isForeign(id)) return 'its id was used elsewhere';
  if (wish.tool === 'upload_asset') return uploadReason(world, wish);
  if (!wish.isSubmission) return isDoubted || state === 'sending' ? 'nothing tells what became of it' : null;
  const submission = service.submissions.of(id);
  if (named === null && service.submissions.taken(id) !== null) return 'its id was used elsewhere';
  if (named === null && wish.tool === 'edit_set' && service.owned.hasChanged())
    return 'its revisions are stale, and its first admission is in doubt';
  if (submission === null) return null;
  const lacking = submission.items.filter(({ status }) => status.latest === 'awaiting');
  const isSilent = habits.words === 'mute' || habits.words === 'unlisted';
  const stored = [...record.items.values()];
  if (isSilent && stored.some(({ state: its }) => its === 'refused'))
    return 'the service does not tell for which file it waits';
  if (lacking.length === 0) return null;
  if (folder.hasLost(stored.map(({ digest }) => digest))) return 'its kept bytes are gone';
  if (habits.insists) return 'a file is turned away, and insisted on';
  const isUntold = lacking.some(({ itemId }) => record.items.get(itemId)?.state !== 'fresh');
  if (isSilent && isUntold) return 'the service does not tell what it has';
  return null;
}

/** An upload is told by its id: only what it rests on, or its file, can be in its way. */
function uploadReason({ service, folder }: World, { rests, pictures }: Wish): string | null {
  if (rests !== null && service.owned.asset(rests)?.updatedAt !== 'a1') return 'its revision has moved';
  const isThere = [...pictures.values()].every(({ path, bytes }) => folder.read(path) === bytes);
  return isThere ? null : 'its file is gone';
}
