import type { Submission, SubmissionItem } from '../../catalogue/submission.ts';
import type { ArtworkError } from '../../errors.ts';
import type { Checkpoint, FileItem } from '../submission.ts';

/**
 * - `fresh`: nothing was ever sent for it.
 * - `lost`: it was sent, and no answer came: a request may still arrive.
 * - `turned away`: it was sent, and answered with a 401 or 429, which says nothing of its effect.
 * - `absent`: it was sent, and certainly did not arrive.
 * - `arrived`: the service has it.
 * - `refused`: the service does not take it.
 */
type TransferState = 'fresh' | 'lost' | 'turned away' | 'absent' | 'arrived' | 'refused';

interface Transfer {
  readonly state: TransferState;
  /** Since when looks have shown the service without it, ms; null: they have not. */
  readonly missedSince: number | null;
  /** No look can tell whether it has arrived: the service shows all files alike. */
  readonly isUnclear: boolean;
  /** Since when the service has refused the completion for want of it, again and again, ms; null: it has not. */
  readonly namedSince: number | null;
  /** When it last did, ms. */
  readonly namedLast: number;
  readonly sent: number;
  readonly error: ArtworkError | null;
}

/** What is known of the files of a submission. Numbers are places among the items with files. */
export type Transfers = readonly Transfer[];

/** How often one run sends one file, each time after it was proven not to have arrived. */
const mostSent = 5;
/** A request may arrive late: two looks, so many ms apart, have to show that it did not. */
const betweenLooksMs = 2_000;
/** The service may also name a file that has arrived, as long as it works on it. ms */
const longNamedMs = 60_000;
/** Between two refusals that are further apart a late request may have arrived, so that the first proves no more. ms */
const betweenNamingsMs = 20_000;

const nothing = { missedSince: null, isUnclear: false, namedSince: null, namedLast: 0, sent: 0, error: null };

/** The files as the journal knows them. */
export function transfersOf(files: readonly FileItem[], { refused, mark, open }: Checkpoint): Transfers {
  return files.map((_, item) => {
    if (refused.some((one) => one.item === item)) return { ...nothing, state: 'refused' };
    if (item >= mark) return { ...nothing, state: 'fresh' };
    return { ...nothing, state: open.includes(item) ? 'lost' : 'arrived' };
  });
}

/** One file in another state. */
export function changed(transfers: Transfers, item: number, change: Partial<Transfer>): Transfers {
  return transfers.map((one, at) => (at === item ? { ...one, ...change } : one));
}

/** One file whose request is about to leave. */
export function begun(transfers: Transfers, item: number): Transfers {
  const sent = (transfers[item]?.sent ?? 0) + 1;
  return changed(transfers, item, { ...nothing, state: 'lost', sent });
}

/** Those that the service certainly lacks, in their order. */
export function lackingOf(transfers: Transfers): number[] {
  return numbers(
    transfers,
    ({ state, sent }) => (state === 'fresh' || state === 'absent') && sent < mostSent,
  );
}

/** Those before this mark that are not known to have arrived, begun or not. */
export function openOf(transfers: Transfers, mark: number): number[] {
  return numbers(transfers, ({ state }) => state !== 'arrived' && state !== 'refused').filter(
    (item) => item < mark,
  );
}

/** Those of which no look can tell whether they have arrived. */
export function unclearOf(transfers: Transfers): number[] {
  return numbers(transfers, isUnclear);
}

/** Whether a later look may tell more of some. */
export function mayTellMore(transfers: Transfers): boolean {
  return transfers.some((one) => isDoubtful(one) && !one.isUnclear);
}

/** Why a file was sent as often as one run does, without arriving; null where there is none. */
export function givenUpOf(transfers: Transfers): ArtworkError | null {
  return transfers.find(({ state, sent }) => state === 'absent' && sent >= mostSent)?.error ?? null;
}

function numbers(transfers: Transfers, test: (one: Transfer) => boolean): number[] {
  return transfers.flatMap((one, item) => (test(one) ? [item] : []));
}

function isDoubtful({ state }: Transfer): boolean {
  return state === 'lost' || state === 'turned away';
}

function isUnclear(one: Transfer): boolean {
  return isDoubtful(one) && one.isUnclear;
}

/** The words that the service has for files of which it has nothing yet. */
export function untouchedStatuses(files: readonly FileItem[], submission: Submission): (string | null)[] {
  const items = itemsById(submission);
  return [...new Set(files.map(({ itemId }) => items.get(itemId)?.status ?? null))];
}

/** When the service was asked, and its answer heard, which may be long after it was given. ms */
interface LookTimes {
  readonly asked: number;
  readonly heard: number;
}

/** The files after a look at the submission. */
export function seenIn(
  transfers: Transfers,
  files: readonly FileItem[],
  untouched: readonly (string | null)[],
  submission: Submission,
  { asked, heard }: LookTimes,
): Transfers {
  const words = statusesOfAbsence(untouched, transfers, files, submission);
  const items = itemsById(submission);
  return transfers.map((one, item) => {
    const shown = items.get(files[item]?.itemId ?? '');
    if (one.state !== 'arrived' && hasArrived(shown, words, one.state)) return { ...one, state: 'arrived' };
    if (!isDoubtful(one)) return one;
    if (!canTell(shown, submission)) return { ...one, isUnclear: true };
    const missedSince = one.missedSince ?? heard;
    // What was answered can't arrive later any more: one look is enough.
    const isProven = one.state === 'turned away' || asked - missedSince >= betweenLooksMs;
    return { ...one, isUnclear: false, missedSince, state: isProven ? 'absent' : one.state };
  });
}

/**
 * The files after the service has refused the completion because of these items. Where it does not name one that has
 * arrived, and goes on naming others for long, those have not.
 */
export function namedIn(
  transfers: Transfers,
  files: readonly FileItem[],
  ids: ReadonlySet<string>,
  { asked, heard }: LookTimes,
): Transfers {
  const isNamed = (item: number) => ids.has(files[item]?.itemId ?? '');
  const distinguishes = transfers.some(({ state }, item) => state === 'arrived' && !isNamed(item));
  if (ids.size === 0 || !distinguishes) return transfers;
  return transfers.map((one, item) => {
    if (!isUnclear(one) || !isNamed(item)) return { ...one, namedSince: null, namedLast: heard };
    const goesOn = one.namedSince !== null && asked - one.namedLast <= betweenNamingsMs;
    const namedSince = goesOn ? one.namedSince : heard;
    const isProven = namedSince !== null && asked - namedSince >= longNamedMs;
    return { ...one, namedSince, namedLast: heard, state: isProven ? 'absent' : one.state };
  });
}

/**
 * The words that were seen before anything was sent, and those that files show of which nothing ever was:
 * which words there are the interface document does not say.
 */
function statusesOfAbsence(
  untouched: readonly (string | null)[],
  transfers: Transfers,
  files: readonly FileItem[],
  submission: Submission,
): ReadonlySet<string | null> {
  const fresh = files.filter((_, item) => transfers[item]?.state === 'fresh');
  // "After a file is uploaded, its item can stay processing" (States, rule 2).
  const now = untouchedStatuses(fresh, submission).filter((word) => word !== 'processing');
  return new Set([...untouched, ...now]);
}

function hasArrived(
  shown: SubmissionItem | undefined,
  words: ReadonlySet<string | null>,
  state: TransferState,
): boolean {
  if (shown?.state === 'succeeded' || shown?.state === 'failed') return true;
  const isUntouched = words.has(shown?.status ?? null);
  // Of a file that was never sent, another word than before proves nothing, unless it says so.
  return state === 'fresh' ? shown?.state === 'processing' && !isUntouched : !isUntouched;
}

/** A service that calls every file `processing`, or lists none, can't tell a file that it has from one that it lacks. */
function canTell(shown: SubmissionItem | undefined, { items }: Submission): boolean {
  return shown === undefined ? items.length > 0 : shown.status !== 'processing';
}

function itemsById({ items }: Submission): ReadonlyMap<string, SubmissionItem> {
  return new Map(items.flatMap((item) => (item.itemId === null ? [] : [[item.itemId.toLowerCase(), item]])));
}
