import type { ArtworkError } from '../errors.ts';
import type { Json } from './canonical.ts';
import type { LedgerEntry, SettledOutcome, ServiceVerdict } from './entry.ts';
import type { Holder } from './holder.ts';
import type { AccountScope, UserScope } from './scope.ts';
import type { Standing, EntryView } from './standing.ts';

/** What a mutation is to do, before anything is sent. */
export interface NewEntry {
  readonly clientMutationId: string;
  readonly operation: string;
  /** What it acts on, to be shown. */
  readonly target: Json;
  /** What people call its targets, by `kind id`, as far as that is known. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /**
   * The arguments with every default filled in, without `dryRun`, with the files' digests in place of their
   * bytes: the same call is the same intent.
   */
  readonly intent: Json;
  /** What a resume needs beside the intent, as far as it is known by then; null unless it is given. */
  readonly progress?: Json | undefined;
}

/** The right to act on an entry, until somebody takes the entry over. */
export interface Lease {
  readonly key: string;
  readonly epoch: number;
  readonly owner: Pick<Holder, 'instance' | 'hold'>;
}

export type ClaimResult =
  /** It is this call's: nothing of it has been sent since. */
  | { readonly claim: 'leased'; readonly lease: Lease; readonly view: EntryView }
  /** Known with the same intent, and not to be sent: `view` is the answer, or says to look it up. */
  | { readonly claim: 'known'; readonly view: EntryView }
  /** The id stands for something else. */
  | { readonly claim: 'reused'; readonly view: EntryView };

export type AcquireResult =
  | { readonly acquire: 'leased'; readonly lease: Lease; readonly view: EntryView }
  /** Somebody works on it. */
  | { readonly acquire: 'busy'; readonly view: EntryView }
  /** It has ended, or a person gave it up. */
  | { readonly acquire: 'ended'; readonly view: EntryView }
  | { readonly acquire: 'unknown' };

/** `held` false: the entry was taken over or has ended; nothing may be sent for it any more. */
export interface Step {
  readonly isHolder: boolean;
  readonly view: EntryView;
}

export interface Acceptance {
  readonly receipt: Json;
  /** What a resume will need, such as the submission's id. */
  readonly progress: Json;
}

/** `refused` and `not_sent` end only what is `claimed` or `sending`. */
export interface Settlement {
  readonly outcome: SettledOutcome;
  readonly receipt?: Json | undefined;
  readonly error?: ArtworkError | undefined;
}

/** What the service says of an id, whoever asked. */
export interface Conclusion {
  readonly outcome: ServiceVerdict;
  readonly receipt?: Json | undefined;
  readonly error?: ArtworkError | undefined;
}

export interface ListFilter {
  /** `open`: neither ended nor given up. */
  readonly state?: Standing | 'open' | undefined;
  /** ISO 8601: changed then or later. */
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
 * What was meant, what was sent, what is known of every mutation. Every change is durable
 * when its promise resolves, and is made against the entry as it is: of several processes one succeeds.
 * Errors are the store's. After one, nothing may be sent that was not allowed before.
 */
export interface Ledger {
  /**
   * Claims an id for an intent before its first byte is sent. What a process that died left unsent, what was
   * not sent, and what the service refused with 401, 403 or 429 is claimed anew.
   * @throws invalid_arguments where the id is no UUID
   */
  claim(scope: AccountScope, newEntry: NewEntry): Promise<ClaimResult>;

  /**
   * Takes over what nobody works on, to resume it: `processing` stays so, everything else open becomes
   * `claimed` again. That a resume is allowed is the caller's to know.
   */
  acquire(scope: AccountScope, clientMutationId: string): Promise<AcquireResult>;

  /**
   * `claimed` becomes `sending`, just before the headers leave; from then on it may have been sent, whoever
   * finds it.
   */
  send(lease: Lease): Promise<Step>;

  /**
   * Whether the entry is still this call's; asked before the headers of each item of a submission. A pause
   * of this process after that can't be excluded.
   */
  isHolder(lease: Lease): Promise<boolean>;

  /** Says that the holder is at work; at least every 15 s. */
  heartbeat(lease: Lease): Promise<boolean>;

  /** The service accepted it and goes on working, or waits for more. */
  accept(lease: Lease, accepted: Acceptance): Promise<Step>;

  /** Keeps what a resume will need. */
  checkpoint(lease: Lease, progress: Json): Promise<Step>;

  /**
   * How it ended. Where an earlier epoch's fate is unknown, `refused` and `not_sent` say nothing of that one:
   * the entry then is `unresolved`, so answer what the step's view says. What the service did with the id is
   * recorded even for a holder who has lost it.
   */
  settle(lease: Lease, settlement: Settlement): Promise<Step>;

  /** It may have been sent, and what became of it is not known. */
  markUnresolved(lease: Lease, error: ArtworkError): Promise<Step>;

  /**
   * Ends holding, however the work ended; does nothing for what was settled. Unsent is `not_sent`, perhaps
   * sent is `unresolved`, accepted stays `processing`.
   */
  release(lease: Lease): Promise<void>;

  /** What the service said of the id when it was asked. Null: the ledger does not know the id. */
  conclude(scope: AccountScope, clientMutationId: string, said: Conclusion): Promise<EntryView | null>;

  /** Counts a lookup that told nothing. */
  countLookup(scope: AccountScope, clientMutationId: string): Promise<EntryView | null>;

  /** A person's word: no longer open. The claim stands, and the id is never sent again. */
  abandon(entry: LedgerEntry): Promise<EntryView>;

  /**
   * Ends a claim of which nothing was sent as `not_sent`, whoever holds it: the holder can't send it any more.
   * Anything else stays as it is, which the view tells. Null: the ledger does not know the id.
   */
  preempt(scope: AccountScope, clientMutationId: string, error?: ArtworkError): Promise<EntryView | null>;

  read(scope: AccountScope, clientMutationId: string): Promise<EntryView | null>;

  /** Those of the id among all accounts of a user, for a person at this machine; at most 10. */
  readAll(user: UserScope, clientMutationId: string): Promise<readonly EntryView[]>;

  /** All that are open and are found by any of the keywords (see `Keywords`), newest first. */
  findOpen(scope: AccountScope, keywords: readonly string[]): Promise<readonly EntryView[]>;

  /** The newest that are found by the keyword and of which the service has said that all or part was done. */
  findDone(scope: AccountScope, keyword: string, most: number): Promise<readonly EntryView[]>;

  /**
   * Whether an entry of the store, whichever service and account it is of, keeps something under this name and is
   * open, or may be sent again and was changed since (ISO 8601). True as well while an entry can't be read, or does
   * not tell what it keeps.
   */
  mayKeep(name: string, since: string): Promise<boolean>;

  /** How many are neither ended nor given up. */
  countOpen(scope: AccountScope | UserScope): Promise<number>;

  /**
   * Newest first; over all accounts of a user only where a person at this machine asks. Where few of many entries match, a page may hold fewer than asked for, or none, and still have a
   * `next`.
   */
  list(scope: AccountScope | UserScope, filter: ListFilter): Promise<ListPage>;
}
