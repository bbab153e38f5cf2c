import type { Submission, SubmissionItem } from '../../catalogue/submission.ts';
import type { ArtworkError } from '../../errors.ts';
import type { StreamBody } from '../../wire/exchange.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Checkpoint, FileItem } from '../submission.ts';

/**
 * - `fresh`: nothing was ever sent for it.
 * - `doubtful`: its file may have arrived.
 * - `absent`: it was sent, and certainly did not arrive.
 * - `arrived`: the service has it.
 * - `refused`: the service does not take it.
 */
type TransferState = 'fresh' | 'doubtful' | 'absent' | 'arrived' | 'refused';

interface TrackedFile {
  state: TransferState;
  /** Since when looks have shown the service without it, ms; null: they have not. */
  missedSince: number | null;
  /** Since when the service has refused the completion for want of it, again and again, ms; null: it has not. */
  namedSince: number | null;
  /** When it last did, ms. */
  namedLast: number;
  sent: number;
  error: ArtworkError | null;
}

/** How often one run sends one file, each time after it was proven not to have arrived. */
const mostSent = 5;
/** A request may arrive late: two looks, so many ms apart, have to show that it did not. */
const betweenLooksMs = 2_000;
/** The service may also name a file that has arrived, as long as it works on it. ms */
const longNamedMs = 60_000;
/** Between two refusals that are further apart a late request may have arrived, so that the first proves no more. ms */
const betweenNamingsMs = 20_000;

/** When the service was asked, and its answer heard, which may be long after it was given. ms */
export interface LookTimes {
  readonly asked: number;
  readonly heard: number;
}

/** What is known of the files of a submission. Numbers are places among the items with files. */
export interface TransferTracker {
  /** Learns from a look at the service. Answers whether it showed anything new. */
  see(submission: Submission, when: LookTimes): boolean;
  /** Those that the service certainly lacks, in their order. */
  lacking(): number[];
  /** No look can tell of these whether they have arrived: the service shows all files alike. */
  unclear(): number[];
  /**
   * The service refuses the completion because of these items. Where it does not name one that has arrived, and
   * goes on naming others for long, those have not.
   */
  named(ids: ReadonlySet<string>, when: LookTimes): void;
  /** A later look may tell more of some. */
  isWaiting(): boolean;
  /** Why a file was sent as often as one run does, without arriving; null where there is none. */
  givenUp(): ArtworkError | null;
  begun(item: number): void;
  became(item: number, outcome: Exclude<TransferState, 'fresh'>, error?: ArtworkError): void;
  /** Those before this mark that are not known to have arrived, begun or not. */
  open(mark: number): number[];
}

/** The words that the service has for files of which it has nothing yet. */
export function untouchedStatuses(files: readonly FileItem[], submission: Submission): (string | null)[] {
  const items = itemsById(submission);
  return [...new Set(files.map(({ itemId }) => items.get(itemId)?.status ?? null))];
}

/** `arrived` is told of each file that the service has, once. */
export function trackTransfers(
  files: readonly FileItem[],
  checkpoint: () => Checkpoint,
  arrived: (item: number) => void,
): TransferTracker {
  const first = checkpoint();
  const known = files.map((_, item): TrackedFile => {
    const refused = first.refused.some((one) => one.item === item);
    const outcome = refused
      ? 'refused'
      : item >= first.mark
        ? 'fresh'
        : first.open.includes(item)
          ? 'doubtful'
          : 'arrived';
    return { state: outcome, missedSince: null, namedSince: null, namedLast: 0, sent: 0, error: null };
  });
  const numbers = (test: (one: TrackedFile) => boolean) => [...known.keys()].filter((item) => test(at(item)));
  const at = (item: number): TrackedFile => {
    const one = known[item];
    if (one === undefined) throw new RangeError(`There is no file ${item}.`);
    return one;
  };
  const become = (item: number, outcome: TransferState): void => {
    const one = at(item);
    if (outcome === 'arrived' && one.state !== 'arrived') arrived(item);
    one.state = outcome;
  };
  for (const item of numbers(({ state: outcome }) => outcome === 'arrived')) arrived(item);
  let unclear = new Set<number>();
  let shown = '';

  return {
    see(submission, { asked, heard }) {
      const words = statusesOfAbsence(checkpoint(), known, files, submission);
      const items = itemsById(submission);
      unclear = new Set();
      for (const [item, { itemId }] of files.entries()) {
        const one = at(item);
        const seen = items.get(itemId);
        if (hasArrived(seen, words, one.state)) become(item, 'arrived');
        if (one.state !== 'doubtful') continue;
        if (!canTell(seen, submission)) {
          unclear.add(item);
          continue;
        }
        one.missedSince ??= heard;
        if (asked - one.missedSince >= betweenLooksMs) one.state = 'absent';
      }
      const before = shown;
      shown = JSON.stringify([submission.outcome, submission.items.map(({ status }) => status)]);
      return shown !== before;
    },
    lacking: () =>
      numbers(({ state: outcome, sent }) => (outcome === 'fresh' || outcome === 'absent') && sent < mostSent),
    unclear: () => [...unclear],
    named(ids, { asked, heard }) {
      const distinguishes = files.some(
        ({ itemId }, item) => at(item).state === 'arrived' && !ids.has(itemId),
      );
      if (ids.size === 0 || !distinguishes) return;
      for (const [item, { itemId }] of files.entries()) {
        const one = at(item);
        const goesOn = one.namedSince !== null && asked - one.namedLast <= betweenNamingsMs;
        if (!unclear.has(item) || !ids.has(itemId)) one.namedSince = null;
        else if (!goesOn) one.namedSince = heard;
        one.namedLast = heard;
        if (one.namedSince !== null && asked - one.namedSince >= longNamedMs) one.state = 'absent';
      }
    },
    isWaiting: () =>
      numbers(({ state: outcome }) => outcome === 'doubtful').some((item) => !unclear.has(item)),
    givenUp: () =>
      known.find(({ state: outcome, sent }) => outcome === 'absent' && sent >= mostSent)?.error ?? null,
    begun(item) {
      const one = at(item);
      one.sent += 1;
      one.state = 'doubtful';
      one.missedSince = null;
      one.namedSince = null;
    },
    became(item, outcome, error) {
      become(item, outcome);
      at(item).error = error ?? null;
    },
    open: (mark) =>
      numbers(({ state: outcome }) => outcome !== 'arrived' && outcome !== 'refused').filter(
        (item) => item < mark,
      ),
  };
}

/**
 * The words that were seen before anything was sent, and those that files show of which nothing ever was:
 * which words there are the interface document does not say.
 */
function statusesOfAbsence(
  { untouched }: Checkpoint,
  known: readonly TrackedFile[],
  files: readonly FileItem[],
  submission: Submission,
): ReadonlySet<string | null> {
  const fresh = files.filter((_, item) => known[item]?.state === 'fresh');
  // "After a file is uploaded, its item can stay processing" (States, rule 2).
  const now = untouchedStatuses(fresh, submission).filter((word) => word !== 'processing');
  return new Set([...(untouched ?? []), ...now]);
}

function hasArrived(
  seen: SubmissionItem | undefined,
  words: ReadonlySet<string | null>,
  outcome: TransferState,
): boolean {
  if (seen?.state === 'succeeded' || seen?.state === 'failed') return true;
  const untouched = words.has(seen?.status ?? null);
  // Of a file that was never sent, another word than before proves nothing, unless it says so.
  return outcome === 'fresh' ? seen?.state === 'processing' && !untouched : !untouched;
}

/** A service that calls every file `processing`, or lists none, can't tell a file that it has from one that it lacks. */
function canTell(seen: SubmissionItem | undefined, { items }: Submission): boolean {
  return seen === undefined ? items.length > 0 : seen.status !== 'processing';
}

function itemsById({ items }: Submission): ReadonlyMap<string, SubmissionItem> {
  return new Map(items.flatMap((item) => (item.itemId === null ? [] : [[item.itemId.toLowerCase(), item]])));
}

/** Tells how far the files are, in items and bytes. What is told only ever grows. */
export interface TransferProgress {
  /** The same body, counted as it leaves. */
  counted(item: number, body: Buffer | StreamBody): Buffer | StreamBody;
  arrived(item: number): void;
}

/** Not every chunk is news. Bytes. */
const leastStep = 1024 * 1024;
/** Nor is every file of many: a host that shows each message would show little else. */
const mostSteps = 100;

/** Tells the caller how many bytes of a submission were transferred. */
export function startTransferProgress(
  files: readonly FileItem[],
  tell: Delivery['progress'],
): TransferProgress {
  const total = files.reduce((sum, { file }) => sum + file.contentLength, 0);
  const step = Math.max(leastStep, total / mostSteps);
  const sent = new Map<number, number>();
  const done = new Set<number>();
  let told = 0;
  const report = (least: number) => {
    const bytes = [...sent.values()].reduce((sum, one) => sum + one, 0);
    // An item that has arrived is news too, even where its last byte was told before.
    const far = bytes + done.size;
    if (far < told + least) return;
    told = far;
    const items = `${done.size} of ${files.length} items`;
    tell(far, total + files.length, `${items}, ${inMb(bytes)} of ${inMb(total)} MB sent`);
  };
  return {
    counted(item, body) {
      sent.set(item, 0);
      if (Buffer.isBuffer(body)) return body;
      async function* open(source: StreamBody) {
        for await (const chunk of source.open()) {
          sent.set(item, (sent.get(item) ?? 0) + chunk.length);
          report(step);
          yield chunk;
        }
      }
      return { ...body, open: () => open(body) };
    },
    arrived(item) {
      done.add(item);
      sent.set(item, files[item]?.file.contentLength ?? 0);
      report(files.length <= mostSteps || done.size === files.length ? 1 : step);
    },
  };
}

function inMb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
