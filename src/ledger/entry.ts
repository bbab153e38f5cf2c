import { z } from 'zod';
import type { ArtworkError } from '../errors.ts';
import { storeError } from '../storage/store-error.ts';
import type { Json } from './canonical.ts';
import { holderSchema } from './holder.ts';
import { entryKey, isMutationId } from './scope.ts';

/**
 * - `claimed`: nothing was sent in this epoch.
 * - `sending`: headers may have left.
 * - `processing`: the service accepted it and works on it, or waits for more of it.
 * - `unresolved`: nobody knows what became of what was sent.
 * - `settled`: `outcome` says how it ended.
 */
const states = ['claimed', 'sending', 'processing', 'unresolved', 'settled'] as const;
export type EntryState = (typeof states)[number];

/** What the service itself says of an id: later news can't contradict it. */
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
  /** What people call its targets, by `kind id`, as far as that was known when it was claimed; cleaned. */
  names: z.record(z.string(), z.string()).optional(),
  /** SHA-256 of `intent`. */
  digest: z.string(),
  /** Canonical JSON of what was meant, with the files' digests, never their bytes. */
  intent: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Grows with every take-over: who acts under an older one has lost the entry. */
  epoch: z.number().int().positive(),
  state: z.enum(states),
  owner: holderSchema.nullable(),
  /** Whether the outcome of something that was sent under this id is unknown. */
  doubt: z.boolean(),
  outcome: z.enum(settledOutcomes).nullable(),
  receipt: json,
  error: errorSchema.nullable(),
  /** What whoever works on it needs to go on, such as a submission's id. */
  progress: json,
  /** Lookups since it was last sent that told nothing. */
  lookups: z.number().int().nonnegative(),
  /** When a person gave it up; the claim stands. */
  abandonedAt: z.iso.datetime().nullable(),
});

/** What was meant, what was sent and what is known of one mutation. */
export type LedgerEntry = Readonly<z.infer<typeof entrySchema>>;

export function writeEntry(entry: LedgerEntry): string {
  return JSON.stringify(entry);
}

interface Parsed {
  readonly key: string;
  readonly text: string;
  readonly entry: LedgerEntry;
}

/** Whoever works on or waits for an entry reads the same text over and over; a large submission's is long. */
let last: Parsed | null = null;

/** @throws store_unreadable where the text is no entry, or not the one of this key. */
export function parseEntry(key: string, text: string): LedgerEntry {
  const entry = tryEntry(key, text);
  if (entry === null) throw damagedEntry();
  return entry;
}

/** Null where the text is no entry that this version knows, or not the one of this key. */
export function tryEntry(key: string, text: string): LedgerEntry | null {
  if (last === null || last.key !== key || last.text !== text) {
    const entry = parseAnew(key, text);
    if (entry === null) return null;
    last = { key, text, entry };
  }
  return last.entry;
}

function parseAnew(key: string, text: string): LedgerEntry | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const parsed = entrySchema.safeParse(json);
  return parsed.success && isOfKey(parsed.data, key) ? parsed.data : null;
}

function isOfKey(entry: LedgerEntry, key: string): boolean {
  return isMutationId(entry.clientMutationId) && entryKey(entry, entry.clientMutationId) === key;
}

export function keptError({ code, category, message, status, details, issues }: ArtworkError): KeptError {
  return errorSchema.parse(JSON.parse(JSON.stringify({ code, category, message, status, details, issues })));
}

export function damagedEntry() {
  return storeError(
    'store_unreadable',
    'An entry of the ledger is damaged, or was written by a newer version: update artwork-mcp, or restore the whole data folder from a backup.',
  );
}
