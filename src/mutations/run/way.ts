import type { ArtworkError } from '../../errors.ts';
import type { EntryState, SettledOutcome } from '../../ledger/entry.ts';
import type { Finding, StoredReceipt } from '../finding.ts';

/** One request of a run: a single one is `whole`; a submission has the others. */
export type RunRequest =
  | { readonly is: 'whole' }
  | { readonly is: 'admission' }
  /** `item`: its number among the items with files. */
  | { readonly is: 'transfer'; readonly item: number }
  | { readonly is: 'completion' };

/** What one request came to. */
export type Answer =
  /** The service said yes. */
  | { readonly is: 'applied'; readonly body: unknown }
  /** The service said no, and this request changed nothing. */
  | { readonly is: 'refused'; readonly status: number; readonly error: ArtworkError }
  /**
   * It was answered with 401 or 429. That says nothing of its effect: a proxy, or a race with a revocation, may answer
   * so although the service has applied it. `renewal`: why there is no other token; null: there is one, or the old
   * one is still good. `waitMs`: how long the service asks to be left alone.
   */
  | {
      readonly is: 'turned away';
      readonly status: 401 | 429;
      readonly error: ArtworkError;
      readonly renewal: ArtworkError | null;
      readonly waitMs: number;
    }
  /** It left, at least in part, and no answer tells what became of it. */
  | { readonly is: 'lost'; readonly error: ArtworkError }
  /** Nothing of it left. */
  | { readonly is: 'unsent'; readonly error: ArtworkError };

/** The next step of a run. */
export type Step<Shown> =
  /**
   * Several requests may be under way at the same time; once one has not gone well no further one is begun.
   * `repeated`: a request of this id may have been applied before, so the revisions are compared once more.
   */
  | {
      readonly step: 'send';
      readonly requests: readonly [RunRequest, ...RunRequest[]];
      readonly repeated: boolean;
    }
  /** Asks the service. `anyone`: what it has under the id counts, whether this ledger sent it or not. */
  | { readonly step: 'look'; readonly anyone: boolean }
  /** The journal notes that no earlier request of this id was applied: a look has proven it. */
  | { readonly step: 'clear doubt' }
  /** The journal notes that the service has accepted it. */
  | { readonly step: 'accept'; readonly receipt: StoredReceipt | null }
  | { readonly step: 'wait'; readonly ms: number; readonly until: 'cancelled' | 'closing' }
  | Ending<Shown>;

/** The last step of a run. */
export type Ending<Shown> =
  /** The service shows how it ended. */
  | {
      readonly step: 'end';
      readonly as: 'found';
      readonly finding: Extract<Finding, { readonly found: 'ended' }>;
      /** Where the request itself was answered so: what was saved is read back, where its body is only assumed. */
      readonly confirm?: { readonly savedId: string | null } | undefined;
      readonly shown?: Shown | undefined;
    }
  /** It changed nothing. `explain`: a conflict, which is told with what stands there now. */
  | {
      readonly step: 'end';
      readonly as: Extract<SettledOutcome, 'refused' | 'not_sent'>;
      readonly error: ArtworkError;
      readonly explain?: boolean | undefined;
    }
  /**
   * It stays open, and can be looked up or resumed. `unresolved`: what became of it is not known. `told`: what the
   * caller hears instead of `error`; null: nothing more than that it is open.
   */
  | {
      readonly step: 'leave';
      readonly error: ArtworkError | null;
      readonly unresolved: boolean;
      readonly told?: ArtworkError | null | undefined;
      /** The look that could not tell. */
      readonly shown?: Shown | undefined;
    };

/** What happened in a run. Times are milliseconds of the executor's monotonic clock. */
export type RunEvent<Shown> =
  /** A request is about to leave. */
  | { readonly event: 'sending'; readonly request: RunRequest }
  | { readonly event: 'answered'; readonly request: RunRequest; readonly answer: Answer; readonly at: number }
  /** Before anything left: a revision has moved, or bytes that are to be sent are gone. */
  | { readonly event: 'blocked'; readonly error: ArtworkError }
  | {
      readonly event: 'looked';
      readonly shown: Shown | ArtworkError;
      readonly asked: number;
      readonly heard: number;
    }
  | { readonly event: 'accepted'; readonly at: number }
  | { readonly event: 'waited' }
  /** The run is left open, for this reason; null: nothing stops it, its process only waits no longer. */
  | { readonly event: 'leaving'; readonly error: ArtworkError | null };

/** What the ledger keeps of a run: all that another process needs to go on with it. */
export interface Journal<Progress> {
  readonly state: EntryState;
  /** A request under an earlier lease may have been applied. */
  readonly doubt: boolean;
  readonly progress: Progress;
}

/** The moment of a decision. */
export interface Moment {
  /** ms */
  readonly at: number;
  /** By the clock on the wall, milliseconds since 1970: for dates that people read. */
  readonly now: number;
  /** The call was given up: nothing more is begun. `closing`: the program ends, and everything stops. */
  readonly stop: 'no' | 'cancelled' | 'closing';
}

/** What an event leads to: `progress` is another object only where the journal has to be written. */
export interface Heard<Progress, Seen> {
  readonly seen: Seen;
  readonly progress: Progress;
}

/**
 * How one kind of change is carried to its end. Both functions are pure: `hear` adds an event to what this process has
 * seen since it took the lease, `decide` says the next step. A process that finds the journal after a crash begins with
 * nothing seen.
 */
export interface Way<Progress, Seen, Shown> {
  begin(journal: Journal<Progress>, at: number): Seen;
  hear(journal: Journal<Progress>, seen: Seen, event: RunEvent<Shown>): Heard<Progress, Seen>;
  decide(journal: Journal<Progress>, seen: Seen, moment: Moment): Step<Shown>;
}

/** How long a process waits for the service without anything new. After that the caller has to ask. ms */
export const patienceMs = 10 * 60_000;

/** The pause before the next look, after so many looks without anything new. ms */
export function pauseMs(looks: number): number {
  return Math.min(500 * 2 ** Math.min(looks, 10), 8_000);
}
