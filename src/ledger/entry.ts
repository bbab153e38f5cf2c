import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../canonical-json.ts';
import { ArtworkError } from '../errors.ts';
import { holderSchema } from '../storage/lease.ts';
import { storeError } from '../storage/store-error.ts';
import { jsonOf } from '../text.ts';

/**
 * - `claimed`: nothing was sent since the lease was last taken.
 * - `sending`: headers may have left.
 * - `processing`: the service accepted it and works on it, or waits for more of it.
 * - `unresolved`: something was sent, and its outcome is not known.
 * - `settled`: `outcome` says how it ended.
 */
const states = ['claimed', 'sending', 'processing', 'unresolved', 'settled'] as const;
export type EntryState = (typeof states)[number];

/** What the service itself says of an id, which later answers can't change. */
export const serviceVerdicts = ['succeeded', 'partial', 'failed', 'rolled_back'] as const;
export type ServiceVerdict = (typeof serviceVerdicts)[number];

const settledOutcomes = [...serviceVerdicts, 'refused', 'not_sent'] as const;
export type SettledOutcome = (typeof settledOutcomes)[number];

const json: z.ZodType<Json> = z.json();

const errorSchema = z.object({
  code: z.string(),
  category: z.string(),
  message: z.string(),
  status: z.number().optional(),
  details: z.record(z.string(), json).optional(),
  issues: z.array(z.object({ code: z.string(), message: z.string(), path: z.array(z.string()) })).optional(),
});
/** An error as it is kept: without its cause, which may carry secrets. */
export type KeptError = z.infer<typeof errorSchema>;

const entrySchema = z.object({
  service: z.string(),
  user: z.string(),
  subject: z.string().nullable(),
  connection: z.string(),
  clientMutationId: z.string(),
  operation: z.string(),
  /** What it acts on, to be shown. */
  target: json,
  /** The targets' names for people, by `kind id`, as far as they were known at the claim; cleaned. */
  names: z.record(z.string(), z.string()).optional(),
  /** SHA-256 of `intent`. */
  digest: z.string(),
  /** Canonical JSON of what was meant, with the files' digests, never their bytes. */
  intent: z.string(),
  /** What stood there of what it changes, as it was read just before the claim; left out: nothing is put aside. */
  earlier: json.optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** The fencing token: it grows with every lease, and a holder with an older one can't change the entry any more. */
  epoch: z.number().int().positive(),
  state: z.enum(states),
  /** The lease's holder. */
  owner: holderSchema.nullable(),
  /** Unresolved: the outcome of an earlier request under this id is not known. */
  doubt: z.boolean(),
  outcome: z.enum(settledOutcomes).nullable(),
  receipt: json,
  error: errorSchema.nullable(),
  /** The checkpoint: what a resume needs, such as a submission's id. */
  progress: json,
  /** Lookups since it was last sent that brought no outcome. */
  lookups: z.number().int().nonnegative(),
  /** When a person abandoned it; the claim stands. */
  abandonedAt: z.iso.datetime().nullable(),
});

/** One mutation: its intent, what was sent, and what is known of the outcome. */
export type LedgerEntry = Readonly<z.infer<typeof entrySchema>>;

/** An entry as the text that the store keeps. */
export function writeEntry(entry: LedgerEntry): string {
  return JSON.stringify(entry);
}

interface Parsed {
  readonly key: string;
  readonly text: string;
  readonly entry: LedgerEntry;
}

/** A call reads the entry that it works on or waits for again and again, and that of a large submission is long. */
let last: Parsed | null = null;

/**
 * An entry of the ledger, parsed from the text that the store keeps.
 * @throws store_unreadable where the text is no entry, or is the entry of another key
 */
export function parseEntry(key: string, text: string): LedgerEntry {
  const entry = parseEntryOrNull(key, text);
  if (entry === null) throw damagedEntryError();
  return entry;
}

/** An entry of the ledger; null where the text is no entry, or is the entry of another key. */
export function parseEntryOrNull(key: string, text: string): LedgerEntry | null {
  if (last === null || last.key !== key || last.text !== text) {
    const entry = parseAnew(key, text);
    if (entry === null) return null;
    last = { key, text, entry };
  }
  return last.entry;
}

function parseAnew(key: string, text: string): LedgerEntry | null {
  const parsed = entrySchema.safeParse(jsonOf(text));
  return parsed.success && isOfKey(parsed.data, key) ? parsed.data : null;
}

function isOfKey(entry: LedgerEntry, key: string): boolean {
  return isMutationId(entry.clientMutationId) && entryKey(entry, entry.clientMutationId) === key;
}

/** An error as an entry of the ledger keeps it. */
export function keptErrorOf({ code, category, message, status, details, issues }: ArtworkError): KeptError {
  return errorSchema.parse(JSON.parse(JSON.stringify({ code, category, message, status, details, issues })));
}

/** The error of an entry that can't be read. */
export function damagedEntryError() {
  return storeError(
    'store_unreadable',
    'An entry of the ledger is damaged: restore the whole data folder from a backup.',
  );
}

/** Whose the entries are: those of one user of this machine for one service, whichever account was signed in. */
export interface UserScope {
  /** `{base_url}` without a trailing slash. */
  readonly service: string;
  /** The name on this machine (`ARTWORK_USER`). */
  readonly user: string;
}

/** The account that is signed in for a user; every entry keeps the one that it was claimed for. */
export interface AccountScope extends UserScope {
  /** Null: the service did not tell. */
  readonly subject: string | null;
  /** The id of the sign-in. */
  readonly connection: string;
}

/** Whether two sign-ins of one user are to the same account. Unknown: the service told no subject for one of them. */
export function compareAccounts(
  one: Pick<AccountScope, 'subject' | 'connection'>,
  other: Pick<AccountScope, 'subject' | 'connection'>,
): 'same' | 'other' | 'unknown' {
  if (one.subject !== null && other.subject !== null) return one.subject === other.subject ? 'same' : 'other';
  return one.connection === other.connection ? 'same' : 'unknown';
}

/** Begins the key of every entry. */
export const ledgerPrefix = 'ledger/';

/** Begins the keys of a user's entries. */
export function userPrefix({ service, user }: UserScope): string {
  return `${ledgerPrefix}${digest([service, user])}/`;
}

/**
 * The key of a user's mutation in the ledger.
 * @throws invalid_arguments. UUIDs that differ only in case are one.
 */
export function entryKey(scope: UserScope, clientMutationId: string): string {
  if (!isMutationId(clientMutationId)) {
    throw new ArtworkError('invalid_arguments', 'clientMutationId must be a UUID.');
  }
  return userPrefix(scope) + clientMutationId.toLowerCase();
}

/** Whether a text is a UUID, as the ids of mutations are. */
function isMutationId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** JSON keeps the parts apart whatever they hold; the digest makes them fit a key. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
