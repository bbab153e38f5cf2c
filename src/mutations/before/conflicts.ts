import { ArtworkError } from '../../errors.ts';
import { type EntryView, isOpen, isUnsent, type Standing } from '../../ledger/ledger.ts';
import type { Mutation, PlacedBytes } from '../mutation.ts';
import type { Warning } from '../finding.ts';
import { MutationError } from '../result.ts';
import { savedFilesOf, setIn, touchedBy, wordsOfTouched } from '../answer/touched.ts';
import { namedTarget } from '../names.ts';
import { nextIn } from '../answer/table.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import type { AccountLedger } from '../account.ts';
import {
  isSamePlace,
  ofSubmissions,
  searchKeywordsOf,
  sentFilesOf,
  uploading,
  workOfNewSet,
} from './keywords.ts';
import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';

type EntriesOf = Pick<AccountLedger, 'ledger' | 'scope'>;

/** This mutation's own entry, while it is held. */
interface OwnClaim {
  readonly view: EntryView;
  /** When the call began, milliseconds since 1970. */
  readonly begunAt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * What else this account has in the ledger that concerns the same place or the same bytes. Asked before the
 * claim, so that nothing is claimed in vain, and after it, when of two calls at the same moment one sees the other:
 * of two that have claimed and not sent, the one that was made first goes on, and the other can't send any more.
 * What was done while this call was on its way, or just before, or since its id was first claimed, its caller could
 * not know: it is a conflict as well.
 * @param claimed left out before it is claimed
 * @returns what is to be pointed out
 * @throws MutationError `conflict` where it is not settled yet, or has only just been
 */
export async function requireNoConflict(
  account: EntriesOf,
  mutation: Mutation,
  claimed?: OwnClaim,
): Promise<readonly Warning[]> {
  if (mutation.places.length === 0 && mutation.by === 'request') return [];
  const warnings: Warning[] = [];
  const makesSet = workOfNewSet(mutation.places) !== null;
  for (const { view, other } of await others(account, mutation)) {
    const samePlace = mutation.places.some((place) =>
      other.places.some((taken) => isSamePlace(place, taken)),
    );
    if (isOpen(view.entry)) {
      if (samePlace || sendsSame(mutation, sentFilesOf(other))) {
        const conflict = samePlace ? conflictOverPlace : conflictOverBytes;
        const unsent =
          claimed === undefined
            ? isUnsent(view)
            : await staysUnsent(account, view, claimed.view, () => conflict(other, claimed.view, mutation));
        if (!unsent) throw conflict(mutation, view, other);
      } else if (isOfSameEntry(mutation, other)) warnings.push(unfinishedSet(view));
    } else if (view.standing === 'succeeded' || view.standing === 'partial') {
      const made = samePlace && makesSet;
      // Of a file that goes or went with others `findUploadedBefore` warns.
      const bothUploads = mutation.by === 'upload' && other.by === 'upload';
      const uploaded = bothUploads && sendsSame(mutation, savedFilesOf(view));
      if ((uploaded || made) && claimed !== undefined && isDoneSince(view, claimed))
        throw conflictWithDone(mutation, view);
      if (uploaded) warnings.push(uploadedBefore(view));
      if (made) warnings.push(madeBefore(view));
      else if (isOfSameEntry(mutation, other)) warnings.push(madeOfSameWork(view));
    }
  }
  // The newest of each kind.
  return warnings.filter(({ code }, at) => warnings.findIndex((other) => other.code === code) === at);
}

/**
 * Sees to it that what was claimed and not sent never is: what no process works on, and what was made after this
 * one. False: it was sent or may have been, or goes before this one.
 */
async function staysUnsent(
  { ledger, scope }: EntriesOf,
  view: EntryView,
  claimed: EntryView,
  conflict: () => MutationError,
): Promise<boolean> {
  if (view.live && !isBefore(claimed, view)) return false;
  // Also for a holder that ended: the call that made it may come back, and is led to this one then.
  const now = await ledger.preempt(scope, view.entry.clientMutationId, conflict());
  return now !== null && now.entry.state === 'settled' && nothingDone.has(now.standing);
}

/** On a busy machine a call lies so long, at most, before this process reads it. ms */
const unreadMs = 5_000;

/** What was done in the future was done by a clock that was set back since: it may be long ago. */
function isDoneSince({ entry: { updatedAt } }: EntryView, { view, begunAt, now }: OwnClaim): boolean {
  const done = Date.parse(updatedAt);
  const since = Math.min(begunAt - unreadMs, Date.parse(view.entry.createdAt));
  return done >= since && done <= now + unreadMs;
}

/** One order for all processes, which nothing changes. */
function isBefore({ entry: one }: EntryView, { entry: other }: EntryView): boolean {
  return one.createdAt === other.createdAt
    ? one.clientMutationId.toLowerCase() < other.clientMutationId.toLowerCase()
    : one.createdAt < other.createdAt;
}

const nothingDone: ReadonlySet<Standing> = new Set(['not_sent', 'refused']);

const forGood = 'Nothing can be deleted through this server.';

function uploadedBefore({ entry }: EntryView): Warning {
  const { clientMutationId, updatedAt } = entry;
  const message = `The same bytes were uploaded to the same target and slot${placeOf(entry)} before, as ${clientMutationId}, on ${updatedAt}. ${forGood}`;
  return { code: 'same_bytes', message };
}

function placeOf(entry: EntryView['entry']): string {
  const what = wordsOfTouched(touchedBy(entry));
  return what === null ? '' : ` (${what})`;
}

function madeBefore(view: EntryView): Warning {
  const { clientMutationId, updatedAt } = view.entry;
  const message = `The same files were made ${setIn(view)} before, as ${clientMutationId}, on ${updatedAt}: with this call there are two of them. ${forGood}`;
  return { code: 'same_set', message };
}

function madeOfSameWork(view: EntryView): Warning {
  const { clientMutationId, updatedAt } = view.entry;
  const message = `You made ${setIn(view)} of the same work before, as ${clientMutationId}, on ${updatedAt}: edit_set changes that one, this makes one more. ${forGood}`;
  return { code: 'earlier_set', message };
}

function unfinishedSet({ entry: { clientMutationId, operation, createdAt } }: EntryView): Warning {
  const message = `Another Set of yours for the same work is not finished: ${operation} ${clientMutationId}, begun ${createdAt}. resume_mutation goes on with it; this makes one more. ${forGood}`;
  return { code: 'unfinished_set', message };
}

/** Two new Sets for one work, of other pictures. */
function isOfSameEntry(mutation: Mutation, other: Mutation): boolean {
  const work = workOfNewSet(mutation.places);
  return work !== null && work === workOfNewSet(other.places);
}

/** Whether one of its files is among those that were sent, or saved, for the same target and slot. */
function sendsSame(mutation: Mutation, files: readonly PlacedBytes[]): boolean {
  if (files.length === 0) return false;
  const own = new Set(searchKeywordsOf(mutation).sent);
  return files.some((file) => own.has(uploading(file)));
}

/** So many are looked at: the one that was made last need not be the one that was done last, or the one that fits. */
const mostDone = 20;

/** By the ledger's index alone, however much there is in it. */
async function others({ ledger, scope }: EntriesOf, mutation: Mutation) {
  const { meeting, same, work, sent } = searchKeywordsOf(mutation);
  const files = sent.length === 0 ? [] : [...sent, ofSubmissions];
  const open = await ledger.findOpen(scope, [...new Set([...meeting, ...same, ...work, ...files])]);
  const done: EntryView[] = [];
  for (const keyword of [...same, ...work]) done.push(...(await ledger.findDone(scope, [keyword], mostDone)));
  return [...open, ...done].flatMap((view) => {
    const other = rehydrateMutation(view.entry);
    return other === null || other.clientMutationId === mutation.clientMutationId ? [] : [{ view, other }];
  });
}

function conflictOverPlace({ clientMutationId }: Mutation, view: EntryView, other: Mutation): MutationError {
  const { operation, names = {} } = view.entry;
  const { clientMutationId: heldBy, expectedUpdatedAt } = other;
  const message = `Another mutation of yours on the same place${placeOf(view.entry)} is not settled yet: ${operation} ${heldBy} (${view.standing}).`;
  return new MutationError('conflict', message, {
    clientMutationId,
    outcome: 'not_sent',
    details: { heldBy, operation, target: namedTarget(view.entry.target, names), outcome: view.standing },
    next: nextIn({ is: 'place taken', clientMutationId: heldBy, expectedUpdatedAt }),
  });
}

function conflictOverBytes(
  mutation: Mutation,
  { entry, standing }: EntryView,
  other: Mutation,
): MutationError {
  const { clientMutationId } = mutation;
  const { clientMutationId: heldBy } = entry;
  const taken = new Set(sentFilesOf(other).map(uploading));
  const [file] = sentFilesOf(mutation).filter((one) => taken.has(uploading(one)));
  const message = `The bytes of ${file?.filename ?? 'a file'} are on their way to the same target and slot${placeOf(entry)} already, with ${heldBy} (${standing}): this would upload them a second time.`;
  return new MutationError('conflict', message, {
    clientMutationId,
    outcome: 'not_sent',
    details: { heldBy, outcome: standing },
    next: nextIn({ is: 'bytes on their way', clientMutationId: heldBy }),
  });
}

function conflictWithDone({ clientMutationId }: Mutation, view: EntryView): MutationError {
  const { clientMutationId: heldBy, operation, target } = view.entry;
  const message = `The same has just been done by another call, as ${operation} ${heldBy} (${view.standing}): this would do it a second time. Where a person says that a second one is wanted, it needs an id of its own, and some seconds between the two.`;
  return new MutationError('conflict', message, {
    clientMutationId,
    outcome: 'not_sent',
    details: { heldBy, operation, target, outcome: view.standing },
    next: nextIn({ is: 'done by another', clientMutationId: heldBy }),
  });
}

/**
 * The error of two mutations that each ended as a conflict with the other. The mutation that ended one as a
 * conflict may not have been sent in the end either. Each of the two may be made again, and a caller who follows
 * `next` from both would send both. Null: that is not so.
 */
export async function findMutualAbort(
  { ledger, scope }: AccountLedger,
  { entry: { error }, standing }: EntryView,
): Promise<ArtworkError | null> {
  const heldBy = error?.details?.heldBy;
  if (standing !== 'not_sent' || typeof heldBy !== 'string') return null;
  const other = await ledger.read(scope, heldBy);
  if (other?.standing !== 'not_sent') return null;
  return new ArtworkError('conflict', error?.message ?? '', {
    details: error?.details,
    next: nextIn({ is: 'neither was sent', heldBy }),
  });
}

/** Whether an entry stands for the same operation with the same canonical arguments. */
export function isSameIntent({ entry }: EntryView, mutation: Mutation): boolean {
  return (
    entry.operation === mutation.operation && entry.digest === canonicalDigest(canonicalJson(mutation.intent))
  );
}

/** The error of an id that stands for something else. */
export function idReusedError({ entry, standing }: EntryView): MutationError {
  const { clientMutationId, operation, target, createdAt } = entry;
  const open = standing === 'processing' || standing === 'unresolved';
  const message = `This id stands for another mutation: ${operation}, made ${createdAt}, ${standing}. An id stands for one intent for ever.`;
  const details = { operation, target, outcome: standing, createdAt };
  const next = nextIn(open ? { is: 'id of an open one', clientMutationId } : { is: 'id of another' });
  return new MutationError('mutation_id_reused', message, { clientMutationId, details, next });
}
