import type { Json } from '../canonical-json.ts';
import type {
  AccountScope,
  ItemNote,
  KeptError,
  MutationBody,
  MutationId,
  MutationItem,
  MutationRecord,
  MutationRow,
  NewItem,
  ServiceVerdict,
  Standing,
  UserScope,
} from './rows.ts';

/** A change that is to be claimed. */
export interface NewMutation extends MutationBody {
  readonly id: MutationId;
  readonly operation: string;
  readonly expectedUpdatedAt: string | null;
  /** What two changes can't both be or fill: a place, a digest, a title with its files. */
  readonly keys: readonly string[];
  /** The items of a submission, in their order. */
  readonly items: readonly NewItem[];
}

/** A place in the order in which changes were claimed and settled in this store. */
export type Sequence = number;

/** The right to act on a change, until another process takes it over. Plain data: hold it as long as you like. */
export interface Lease extends UserScope {
  readonly id: MutationId;
  /** The fencing token. */
  readonly epoch: number;
  readonly holder: string;
}

export type Claim =
  /** The caller holds the lease, and nothing was sent under it. */
  | { readonly claim: 'leased'; readonly lease: Lease; readonly row: MutationRow }
  /** The id is known with the same intent and is not to be sent. */
  | { readonly claim: 'known'; readonly row: MutationRow }
  /** The id is that of another intent, or of another account (`compareAccounts`). */
  | { readonly claim: 'reused'; readonly row: MutationRow }
  /** Another change that is open, or was done since the sequence that the caller named, has one of the keys. */
  | { readonly claim: 'conflict'; readonly other: MutationRecord };

/** A statement of the ledger changed no row: the lease is lost or over, and nothing may be sent for the change. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** What the service said of an id. */
export interface Verdict {
  readonly outcome: ServiceVerdict;
  readonly receipt: Json;
  readonly error: KeptError | null;
}

/** What a look brought. */
export interface LookNote {
  /** It did not tell the outcome. */
  readonly isInconclusive: boolean;
  /** It told something that was not known before: both counters begin anew. */
  readonly isNews: boolean;
}

export interface ListFilter {
  /** `open`: neither settled nor abandoned. Left out: all. */
  readonly standing?: Standing | 'open' | undefined;
  /** Changed then or later, milliseconds since 1970. */
  readonly since?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: ListPosition | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

/** A place in the list, newest first. */
export interface ListPosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface ListPage {
  readonly records: readonly MutationRecord[];
  readonly next: ListPosition | null;
}

/**
 * The record of all changes: what was meant, sent and is known. A change of it is on the disk when its promise resolves.
 * Each function that takes a lease rejects with `LeaseLost` where another process has taken over or the change has ended.
 * Other rejections are the store's (`StoreErrorCode`); after one, the caller may send nothing that it was not allowed to
 * send before. The same call may be made again after one, also where the write had come through.
 */
export interface Ledger {
  /** Where the order of claims and settlements stands: a call asks when it begins, and hands it to `claim`. */
  sequence(): Promise<Sequence>;

  /**
   * Claims an id for an intent before its first byte is sent. One transaction: claims of which nothing was sent and whose
   * process is gone are ended where they are in the way, conflicts are looked for, and the row, its body, keys and items
   * are written. What ended `not_sent`, or was refused with 403, is claimed anew under its id, with a new body.
   * @param since conflicts are also changes that were done after this
   * @throws store_replaced where the store was put back to an earlier state under this process
   */
  claim(account: AccountScope, mutation: NewMutation, since: Sequence): Promise<Claim>;

  /**
   * Takes the lease of a change that no process works on, as the row says that the caller has judged. What was `sending`
   * becomes `claimed` with its doubt at `lost`.
   * @returns null where it is live, settled or abandoned, or is not any more what the caller saw: read it again
   */
  acquire(seen: MutationRow): Promise<{ readonly lease: Lease; readonly row: MutationRow } | null>;

  /**
   * `claimed` becomes `sending`, right before the headers leave.
   * @param before what was looked at just before, if anything was
   */
  send(lease: Lease, before?: { readonly noticed?: Json }): Promise<MutationRow>;
  /** Answered 401 or 429. No request is under way any more; the doubt grows, to `lost` where no look can ever tell. */
  turnedAway(lease: Lease, isTellable: boolean): Promise<MutationRow>;
  /** The request surely did not leave. No request is under way any more; an earlier doubt stays. */
  unsent(lease: Lease): Promise<MutationRow>;
  /** A look has shown that what was turned away was not applied. Never lowers `lost`. */
  clear(lease: Lease): Promise<MutationRow>;
  /** The service has it. `submission`: its id there, where it gave one. */
  accept(lease: Lease, receipt: Json, submission: string | null): Promise<MutationRow>;
  /**
   * Ends it: surely nothing was changed. Only without a doubt.
   * @throws TypeError while there is one: that is a defect of the caller
   */
  changedNothing(
    lease: Lease,
    outcome: 'refused' | 'not_sent',
    error: KeptError | null,
  ): Promise<MutationRow>;
  /** Ends the lease of what stays open. What was `sending` is `lost`. `error`: why it stays open; null: as before. */
  leave(lease: Lease, error: KeptError | null): Promise<MutationRow>;

  /** Writes down what is known of several items at once. `lost` before the request leaves. */
  noteItems(lease: Lease, notes: readonly ItemNote[]): Promise<void>;

  /** Written every `heartbeatEveryMs`. False: the lease is lost or over. */
  heartbeat(lease: Lease): Promise<boolean>;
  /** Whether the caller still holds the lease. Asked before the headers of each request and before its last chunk. */
  isHolder(lease: Lease): Promise<boolean>;
  /**
   * Whether the store confirmed the lease so lately that nobody can have taken it over since. Asks no store: for the
   * moment of sending, since the process may have been stopped after `isHolder`. False: ask `isHolder` again.
   */
  isFresh(lease: Lease): boolean;
  /** Ends the lease, however the work ended; harmless once it is lost or over. What was `sending` is `lost`. */
  release(lease: Lease): Promise<void>;

  /**
   * Records what the service said of an id; needs no lease. A verdict is never replaced.
   * @returns the row as it stands then; null: the ledger does not know the id
   */
  conclude(user: UserScope, id: MutationId, verdict: Verdict): Promise<MutationRow | null>;
  /** Counts a look; needs no lease. Null: the ledger does not know the id. */
  noteLook(user: UserScope, id: MutationId, note: LookNote): Promise<MutationRow | null>;
  /** On a person's word: no longer open, never sent again; ends the lease of the process that works on it. Null: not known. */
  abandon(user: UserScope, id: MutationId): Promise<MutationRow | null>;

  row(user: UserScope, id: MutationId): Promise<MutationRow | null>;
  /** The row and its body. */
  read(user: UserScope, id: MutationId): Promise<MutationRecord | null>;
  /** In the order of their claim; empty where there are none. */
  items(user: UserScope, id: MutationId): Promise<readonly MutationItem[]>;

  /** The change with one of these keys that `claim` would name as the conflict; null: none. For dry runs. */
  findConflict(
    account: AccountScope,
    id: MutationId,
    keys: readonly string[],
    since: Sequence,
  ): Promise<MutationRecord | null>;
  /** Newest first, over all accounts of the user. */
  list(user: UserScope, filter: ListFilter): Promise<ListPage>;
  /** How many are neither settled nor abandoned. */
  countOpen(user: UserScope): Promise<number>;
  /**
   * Whether the copies of this keeper may still be needed: their change is open, or it ended so that it may be sent again and was
   * changed since then (milliseconds since 1970). Over all users and services of the store.
   */
  mayNeedCopies(keeper: string, since: number): Promise<boolean>;
}
