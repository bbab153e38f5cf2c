import { z } from 'zod';
import type { Json } from '../canonical-json.ts';

const json: z.ZodType<Json> = z.json();

/** A `clientMutationId`: a UUID in lower case, as the schema of requests makes it. */
export type MutationId = string & z.core.$brand<'ClientMutationId'>;

/** Whose changes they are: those of one user of this machine for one service, whichever account was signed in. */
export interface UserScope {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** The name on this machine (`ARTWORK_USER`). */
  readonly user: string;
}

/** The account that is signed in for a user; every change keeps the one that it was claimed for. */
export interface AccountScope extends UserScope {
  /** Null: the service did not tell. */
  readonly subject: string | null;
  /** The id of the sign-in. */
  readonly connection: string;
}

/**
 * - `claimed`: no request is under way.
 * - `sending`: headers may have left.
 * - `accepted`: the service has it, and works on it or waits for more of it.
 * - `settled`: `outcome` says how it ended.
 */
export const mutationStates = ['claimed', 'sending', 'accepted', 'settled'] as const;
export type MutationState = (typeof mutationStates)[number];

/** What the service itself says of an id, which later answers can't change. */
export const serviceVerdicts = ['succeeded', 'partial', 'failed', 'rolled_back'] as const;
export type ServiceVerdict = (typeof serviceVerdicts)[number];

export const settledOutcomes = [...serviceVerdicts, 'refused', 'not_sent'] as const;
export type SettledOutcome = (typeof settledOutcomes)[number];

/**
 * Whether an earlier request of this change may have been applied.
 * - `none`: surely not, or its answer tells.
 * - `turned away`: answered 401 or 429; a look can tell.
 * - `lost`: nobody can tell but the service.
 */
export const doubts = ['none', 'turned away', 'lost'] as const;
export type Doubt = (typeof doubts)[number];

export const keptError = z.object({
  code: z.string(),
  failure: z.string(),
  message: z.string(),
  status: z.number().optional(),
  details: z.record(z.string(), json).optional(),
  issues: z.array(z.object({ code: z.string(), message: z.string(), path: z.array(z.string()) })).optional(),
});
/** An error as it is kept: without its cause, which may carry secrets. */
export type KeptError = Readonly<z.output<typeof keptError>>;

/** A change: small, read often. Times are milliseconds since 1970, by the clock of the process that wrote them. */
export interface MutationRow extends AccountScope {
  readonly id: MutationId;
  readonly operation: string;
  /** SHA-256 of the canonical intent, 64 lowercase hexadecimal digits. */
  readonly digest: string;
  readonly expectedUpdatedAt: string | null;
  readonly state: MutationState;
  readonly doubt: Doubt;
  /** The fencing token: it grows with every lease, and a holder with an older one can't change the row any more. */
  readonly epoch: number;
  /** The process that works on it, as `Holders` names it; null: none does. */
  readonly holder: string | null;
  /** Grows with each heartbeat of the holder. */
  readonly beat: number;
  /** A process works on it now, as far as this process can judge. */
  readonly isLive: boolean;
  /** The service's id for it, once it has accepted one. */
  readonly submission: string | null;
  /** Looks that brought no outcome, since the last news. */
  readonly lookups: number;
  /** Looks that brought nothing new, since the last news. */
  readonly idle: number;
  /** How often it was tried and came to nothing: it was not sent, or it was refused. */
  readonly tries: number;
  readonly outcome: SettledOutcome | null;
  readonly receipt: Json;
  readonly error: KeptError | null;
  /** When a person gave it up; the claim stands, and it is never sent again. */
  readonly abandonedAt: number | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Its place among all that was settled in this store; null until it is. */
  readonly settledSeq: number | null;
}

/** What is written once, with the claim, and read when it is needed. */
export interface MutationBody {
  /** Canonical JSON of what was meant, with the files' digests, never their bytes. */
  readonly intent: string;
  /** What it acts on, to be shown. */
  readonly target: Json;
  /** The targets' names for people, by `kind id`, as far as they were known; cleaned. */
  readonly names: Readonly<Record<string, string>>;
  /** What stood there of what it changes; null: nothing is put aside. */
  readonly earlier: Json;
  /** What was looked at before it is sent, so that a later look can tell. */
  readonly noticed: Json;
  /** The admission of a submission, the very bytes that are sent, as text; null: it has none. */
  readonly admission: string | null;
  /** The declared file of a single upload; null: it has none. */
  readonly file: Json;
  /** The machine that has the copies of its files; null: it has none. */
  readonly machine: string | null;
  /** The name under which they are kept there; null: it has none. */
  readonly keeper: string | null;
}

/** A change with its body. */
export interface MutationRecord {
  readonly row: MutationRow;
  readonly body: MutationBody;
}

/**
 * - `fresh`: no request for it has left.
 * - `lost`: one may have, and what became of it is not known.
 * - `arrived`: the service has it.
 * - `refused`: the service said no; `error` says why.
 */
export const itemStates = ['fresh', 'lost', 'arrived', 'refused'] as const;
export type ItemState = (typeof itemStates)[number];

/** A file of a submission, as it is claimed. */
export interface NewItem {
  /** The item's id on the wire. */
  readonly item: string;
  /** Where it goes, to be shown. */
  readonly place: Json;
  /** Of its bytes; null: the item has no file. */
  readonly digest: string | null;
  /** Bytes; null: the item has no file. */
  readonly length: number | null;
}

export interface MutationItem extends NewItem {
  readonly state: ItemState;
  /** The status that the service gives to an item that it has no bytes of, as it was first seen; null: not seen yet. */
  readonly untouched: string | null;
  readonly error: KeptError | null;
}

/** What is known of an item by now. */
export interface ItemNote {
  readonly item: string;
  readonly state: ItemState;
  /** Left out: as before. */
  readonly untouched?: string | undefined;
  readonly error?: KeptError | null | undefined;
}

/** Whether two sign-ins of one user are to the same account. Unknown: the service told no subject for one of them. */
export function compareAccounts(
  one: Pick<AccountScope, 'subject' | 'connection'>,
  other: Pick<AccountScope, 'subject' | 'connection'>,
): 'same' | 'other' | 'unknown' {
  if (one.subject !== null && other.subject !== null) return one.subject === other.subject ? 'same' : 'other';
  return one.connection === other.connection ? 'same' : 'unknown';
}

/** How a change stands, as every answer says it. */
export type Standing = SettledOutcome | 'processing' | 'interrupted' | 'unresolved';

/**
 * What a row means now. Worked out, never stored: a holder that dies writes nothing.
 * @returns `not_sent` too for a claim that no process works on and of which nothing has left
 */
export function standingOf(
  row: Pick<MutationRow, 'state' | 'doubt' | 'outcome' | 'isLive' | 'submission'>,
): Standing {
  switch (row.state) {
    case 'claimed':
      if (row.isLive) return 'processing';
      return row.doubt === 'none' ? 'not_sent' : 'unresolved';
    case 'sending':
      return row.isLive ? 'processing' : 'unresolved';
    case 'accepted':
      // Of what has no submission, the service alone works on it: nobody here has anything left to do.
      return row.isLive || row.submission === null ? 'processing' : 'interrupted';
    case 'settled':
      return row.outcome ?? 'unresolved';
  }
}

/** A claim that no process works on, and of which surely nothing was sent: a change that needs its place may end it. */
export function isDeadClaim({ state, doubt, isLive, abandonedAt }: MutationRow): boolean {
  return state === 'claimed' && doubt === 'none' && !isLive && abandonedAt === null;
}

/** Whether a settled row may be claimed again: nothing was sent, or the service said no to the caller (403). */
export function mayClaimAgain({ outcome, error, abandonedAt }: MutationRow): boolean {
  if (abandonedAt !== null) return false;
  return outcome === 'not_sent' || (outcome === 'refused' && error?.status === 403);
}
