import type { Json } from '../canonical-json.ts';
import type { ArtworkError } from '../errors.ts';
import type { Holder } from '../storage/lease.ts';
import type { AccountScope, LedgerEntry, ServiceVerdict, SettledOutcome, UserScope } from './entry.ts';

/** What a mutation is to do, before anything is sent. */
export interface NewEntry {
  readonly clientMutationId: string;
  readonly operation: string;
  /** What it acts on, to be shown. */
  readonly target: Json;
  /** The targets' names for people, by `kind id`, as far as they are known. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /**
   * The arguments with all defaults, without `dryRun`, and with the files' digests in place of their bytes: equal calls
   * have equal intents.
   */
  readonly intent: Json;
  /** What stood there of what it changes; left out: nothing is put aside. */
  readonly earlier?: Json | undefined;
  /** The first checkpoint: what a resume needs beside the intent. Default: null. */
  readonly progress?: Json | undefined;
}

/** The right to act on an entry, until another caller takes it over. */
export interface Lease {
  readonly key: string;
  /** The fencing token. */
  readonly epoch: number;
  readonly owner: Pick<Holder, 'instance' | 'hold'>;
}

export type ClaimResult =
  /** The caller holds the lease, and nothing was sent under it yet. */
  | { readonly claim: 'leased'; readonly lease: Lease; readonly view: EntryView }
  /** The id is known with the same intent and is not to be sent: `view` has the outcome, or says to look it up. */
  | { readonly claim: 'known'; readonly view: EntryView }
  /** The id is that of another intent, or of another account. */
  | { readonly claim: 'reused'; readonly view: EntryView };

export type AcquireResult =
  | { readonly acquire: 'leased'; readonly lease: Lease; readonly view: EntryView }
  /** Another caller works on it. */
  | { readonly acquire: 'busy'; readonly view: EntryView }
  /** It is settled or abandoned, or is not this account's to go on with. */
  | { readonly acquire: 'ended'; readonly view: EntryView }
  | { readonly acquire: 'unknown' };

/** What a change led to. `isHolder` false: the lease is lost or over, and nothing may be sent for the entry any more. */
export interface Step {
  readonly isHolder: boolean;
  readonly view: EntryView;
}

export interface Acceptance {
  readonly receipt: Json;
  /** The checkpoint. */
  readonly progress: Json;
}

/** `refused` and `not_sent` end only what is `claimed` or `sending`. */
export interface Settlement {
  readonly outcome: SettledOutcome;
  readonly receipt?: Json | undefined;
  readonly error?: ArtworkError | undefined;
}

/** What the service said of an id to a lookup. */
export interface Conclusion {
  readonly outcome: ServiceVerdict;
  readonly receipt?: Json | undefined;
  readonly error?: ArtworkError | undefined;
}

export interface ListFilter {
  /** `open`: neither settled nor abandoned. */
  readonly state?: Standing | 'open' | undefined;
  /** Changed then or later, ISO 8601. */
  readonly since?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: ListPosition | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

/** A place in the list, newest first. */
export interface ListPosition {
  readonly createdAt: string;
  readonly key: string;
}

export interface ListPage {
  readonly views: readonly EntryView[];
  readonly next: ListPosition | null;
}

/**
 * The record of all mutations: their intents, what was sent, and the outcomes. A change is on the disk when its promise
 * resolves, and is a compare-and-set: of several processes one succeeds. Errors are the store's; after one, the caller
 * may send nothing that it was not allowed to send before.
 */
export interface Ledger {
  /**
   * Claims an id for an intent before its first byte is sent. An entry of which nothing was sent, or which the service
   * refused with 401, 403 or 429, is claimed anew. An id belongs to the user and the service: a new sign-in finds it
   * again.
   * @throws invalid_arguments where the id is no UUID
   */
  claim(scope: AccountScope, newEntry: NewEntry): Promise<ClaimResult>;

  /**
   * Takes the lease of an entry that no process works on, to resume it: `processing` stays, any other open state becomes
   * `claimed`. The caller decides whether it may be resumed. What may have been sent for an account that the service did
   * not name is acquired only once it is accepted: until then no look of another sign-in proves anything.
   */
  acquire(scope: AccountScope, clientMutationId: string): Promise<AcquireResult>;

  /**
   * `claimed` becomes `sending`, just before the headers leave: a process that finds it after a crash takes it for
   * perhaps sent.
   */
  send(lease: Lease): Promise<Step>;

  /**
   * Whether the caller still holds the lease. Asked before the headers of each request; since the process may be stopped
   * between this and the sending, `isFresh` is asked at the moment of sending.
   */
  isHolder(lease: Lease): Promise<boolean>;

  /**
   * Whether the heartbeat moved so lately that nobody can have taken the lease over since. Asks no store. False: a
   * heartbeat tells.
   */
  isFresh(lease: Lease): boolean;

  /** Written at least every `heartbeatEvery`. Answers whether the caller still holds the lease. */
  heartbeat(lease: Lease): Promise<boolean>;

  /** The service accepted it and works on it, or waits for more of it. */
  accept(lease: Lease, accepted: Acceptance): Promise<Step>;

  /** Stores what a resume needs. */
  checkpoint(lease: Lease, progress: Json): Promise<Step>;

  /**
   * How it ended. `refused` and `not_sent` are about this lease's request alone: where the outcome of an earlier one is
   * not known the entry becomes `unresolved`, so the caller answers what the step's view says. A verdict of the service
   * is recorded even where the caller has lost the lease.
   */
  settle(lease: Lease, settlement: Settlement): Promise<Step>;

  /** It may have been sent, and its outcome is not known. */
  markUnresolved(lease: Lease, error: ArtworkError | null): Promise<Step>;

  /** The service has shown that no request under an earlier lease was applied. */
  clearDoubt(lease: Lease): Promise<Step>;

  /**
   * Ends the lease, however the work ended. An unsent entry becomes `not_sent`, one that may have been sent
   * `unresolved`; an accepted one stays `processing`, and a settled one as it is.
   */
  release(lease: Lease): Promise<void>;

  /** Records what the service said of the id to a lookup. Null: the ledger does not know the id. */
  conclude(user: UserScope, clientMutationId: string, said: Conclusion): Promise<EntryView | null>;

  /** Counts a lookup that brought no outcome. */
  countLookup(user: UserScope, clientMutationId: string): Promise<EntryView | null>;

  /** On a person's word: the entry is no longer open. The claim stands, and the id is never sent again. */
  abandon(entry: LedgerEntry): Promise<EntryView>;

  /**
   * Ends a claim of which nothing was sent as `not_sent`; its holder, whichever process that is, can't send it any more.
   * Any other entry stays as it is, as the view shows. Null: the ledger does not know the id.
   */
  preempt(user: UserScope, clientMutationId: string, error?: ArtworkError): Promise<EntryView | null>;

  read(user: UserScope, clientMutationId: string): Promise<EntryView | null>;

  /**
   * All open entries of the account, or of one that the service did not name, that have any of the keywords (see
   * `Keywords`), newest first.
   */
  findOpen(scope: AccountScope, keywords: readonly string[]): Promise<readonly EntryView[]>;

  /** The newest such entries of which the service has applied all or part. `most`: 1 to 1000. */
  findDone(scope: AccountScope, keywords: readonly string[], most: number): Promise<readonly EntryView[]>;

  /**
   * Whether any entry of the store, of whichever service and account, keeps the blob of this name: one that is open, or
   * that may be sent again and was changed since (ISO 8601). Also true while there is an entry that can't be read or
   * does not tell what it keeps.
   */
  mayKeep(name: string, since: string): Promise<boolean>;

  /** How many are neither settled nor abandoned. */
  countOpen(user: UserScope): Promise<number>;

  /**
   * Newest first, over all accounts of the user. Where few of many entries match, a page may have fewer than `limit`, or
   * none, and still have a `next`.
   */
  list(user: UserScope, filter: ListFilter): Promise<ListPage>;
}

/** How a mutation stands, as every answer says it. */
export type Standing = SettledOutcome | 'processing' | 'unresolved';

/** An entry as it stands now. */
export interface EntryView {
  readonly entry: LedgerEntry;
  /** A process works on it now. */
  readonly live: boolean;
  readonly standing: Standing;
}

/** An entry with its standing. */
export function viewEntry(entry: LedgerEntry, live: boolean): EntryView {
  return { entry, live, standing: standingOf(entry, live) };
}

/**
 * What the stored state means once no process works on the entry: `claimed` was not sent, `sending` may have been sent,
 * and an outcome that is not known stays so until the service tells it.
 */
function standingOf({ state, outcome, doubt }: LedgerEntry, live: boolean): Standing {
  switch (state) {
    case 'claimed':
      if (live) return 'processing';
      return doubt ? 'unresolved' : 'not_sent';
    case 'sending':
      return live ? 'processing' : 'unresolved';
    case 'processing':
    case 'unresolved':
      return state;
    case 'settled':
      return outcome ?? 'unresolved';
  }
}

/** Neither settled nor abandoned, whether or not a process works on it. */
export function isOpen({ state, abandonedAt }: LedgerEntry): boolean {
  return state !== 'settled' && abandonedAt === null;
}

/** Whether the service surely applied nothing of it, so that the same id may be sent as if for the first time. */
export function isUnsent({ entry, live }: EntryView): boolean {
  if (live || entry.abandonedAt !== null) return false;
  return entry.state === 'claimed' ? !entry.doubt : mayClaimAgain(entry);
}

/** Refusals that say nothing about the change itself. */
const changedNothing: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a settled entry may be claimed again: nothing was sent, or the refusal was about the caller or the moment. */
export function mayClaimAgain({ state, outcome, error }: LedgerEntry): boolean {
  if (state !== 'settled') return false;
  return outcome === 'not_sent' || (outcome === 'refused' && changedNothing.has(error?.status ?? 0));
}
