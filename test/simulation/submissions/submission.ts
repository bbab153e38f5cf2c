import type { Random } from '../random.ts';
import type { Change } from './owned-set.ts';

export type Kind = 'creation' | 'edit';
export type SubmissionOutcome = 'succeeded' | 'partial' | 'rolled_back' | 'failed';

export interface DeclaredFile {
  readonly filename: string;
  readonly contentType: string;
  readonly contentLength: number;
}

/** One item, as the service has it. */
export interface Item extends Change {
  readonly itemId: string;
  readonly file: DeclaredFile | null;
  /** `awaiting` its file; `received`, or in need of none; then what came of it. */
  status: 'awaiting' | 'received' | 'succeeded' | 'failed' | 'rolled_back';
  /** When the outcome of its file is known, ms. */
  readyAt: number;
  /** It will turn out to be no picture. */
  spoilt: boolean;
  assetId: string | null;
}

export interface Submission {
  readonly id: string;
  readonly kind: Kind;
  readonly mutation: string;
  /** The admission, byte for byte. */
  readonly admission: string;
  readonly title: string | null;
  readonly expectedUpdatedAt: string | null;
  readonly items: readonly Item[];
  /** Admitted from elsewhere, with files of other bytes. */
  readonly foreign: boolean;
  completion: { readonly outcome: SubmissionOutcome; readonly settlesAt: number } | null;
}

/** What the interface document leaves to the service, drawn once for a schedule. */
export interface Habits {
  /**
   * How files are shown until there is an outcome. `plain`: `pending`, then `processing`; `worded`: in words of the
   * service's own; `unlisted`: only once they have arrived; `mute`: all of them as `processing`, from the first.
   */
  readonly words: 'plain' | 'worded' | 'unlisted' | 'mute';
  /** A refused completion names the files that are not there. */
  readonly namesPending: boolean;
  /** A file that was turned away stays lacking, and the submission is never completed. */
  readonly insists: boolean;
  /** An item that has its file takes no second one, not even the same. */
  readonly takesOnce: boolean;
  /** While it works on what was completed it says `unresolved`. */
  readonly doubtsItself: boolean;
}

export function habitsOf(random: Random): Habits {
  return {
    words: random.pick(['plain', 'plain', 'plain', 'worded', 'unlisted', 'mute']),
    namesPending: random.chance(0.7),
    insists: random.chance(0.1),
    takesOnce: random.chance(0.2),
    doubtsItself: random.chance(0.2),
  };
}

/** The outcome, once it shows. */
export function outcomeAt({ completion }: Submission, now: number): SubmissionOutcome | null {
  return completion !== null && completion.settlesAt <= now ? completion.outcome : null;
}

/** The service's record of a submission (the interface document, Protected-side records). */
export function recordOf(submission: Submission, now: number, habits: Habits, set: object): object {
  const { id, kind, mutation, items, completion } = submission;
  const outcome = outcomeAt(submission, now);
  const meanwhile = completion !== null && habits.doubtsItself ? 'unresolved' : null;
  const made = outcome === 'succeeded' || outcome === 'partial';
  return {
    submissionId: id,
    clientMutationId: mutation,
    status: outcome === null ? 'processing' : 'completed',
    outcome: outcome ?? meanwhile,
    ...(kind === 'edit' && made ? { setId: 7, set } : {}),
    items: items.flatMap((item) => {
      const status = statusOf(item, outcome !== null, now, habits);
      if (status === null) return [];
      const known = outcome !== null && item.status === 'succeeded';
      return [{ itemId: item.itemId, status, assetId: known ? item.assetId : null }];
    }),
  };
}

/** Null: it is not listed. */
function statusOf(
  { status, spoilt, readyAt }: Item,
  settled: boolean,
  now: number,
  { words }: Habits,
): string | null {
  if (settled) return status;
  if (status === 'awaiting')
    return { plain: 'pending', worded: 'waiting', unlisted: null, mute: 'processing' }[words];
  const failed = status === 'failed' || (spoilt && readyAt <= now);
  if (failed && status !== 'rolled_back') return 'failed';
  return words === 'worded' ? 'stored' : 'processing';
}
