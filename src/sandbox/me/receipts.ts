import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Database } from '../store/database.ts';
import { insert } from '../store/insert.ts';
import { ProtectedError, refused } from './protected-error.ts';

/** What a mutation is known by. */
export interface Identity {
  /** Such as `asset.add`; part of what must be the same. */
  readonly operation: string;
  /** Unique per account, over all operations; null where the request carries none. */
  readonly clientMutationId: string | null;
  /** Of everything that the request asks for. */
  readonly fingerprint: string;
}

export interface Receipt {
  readonly receipt: object;
  /** Whether it was written just now. */
  readonly first: boolean;
}

/** SHA-256 over the value as JSON with its members in the order of their names. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, (_, member: unknown) => (isRecord(member) ? sorted(member) : member)))
    .digest('hex');
}

/** Whether something has become of an identity, be it a receipt or a refusal, for whatever request. */
export function hasIdentity(database: Database, caller: Caller, { clientMutationId }: Identity): boolean {
  return (
    database.first(
      'SELECT 1 FROM mutations WHERE account_id = ? AND client_mutation_id = ?',
      caller.accountId,
      clientMutationId,
    ) !== undefined
  );
}

/** Keeps a refusal as what became of an identity: the same request gets it again. */
export function recordRefusal(
  database: Database,
  caller: Caller,
  identity: Identity,
  { status, code, message, details, issues }: ProtectedError,
  at: string,
): void {
  insert(database, 'mutations', {
    account_id: caller.accountId,
    client_mutation_id: identity.clientMutationId,
    operation: identity.operation,
    fingerprint: identity.fingerprint,
    refusal: JSON.stringify({ status, code, message, details, issues }),
    created_at: at,
  });
}

const keptRefusal = z.object({
  status: z.int(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  issues: z.array(z.object({ code: z.string(), message: z.string(), path: z.array(z.string()) })),
});

/**
 * The receipt of an identity that was used before.
 * @throws ProtectedError 409 when it was used for something else, or the refusal that it ended with.
 */
export function firstReceipt(database: Database, caller: Caller, identity: Identity): object | undefined {
  if (identity.clientMutationId === null) return undefined;
  const found = database.first(
    'SELECT operation, fingerprint, receipt, refusal FROM mutations WHERE account_id = ? AND client_mutation_id = ?',
    caller.accountId,
    identity.clientMutationId,
  );
  if (found === undefined) return undefined;
  if (found.text('operation') !== identity.operation || found.text('fingerprint') !== identity.fingerprint) {
    const { clientMutationId } = identity;
    const message = 'This clientMutationId stands for another request.';
    throw refused(409, 'client_mutation.reused', message, ['clientMutationId'], {
      clientMutationId,
      operation: found.text('operation'),
    });
  }
  const refusal = found.textOrNull('refusal');
  if (refusal !== null) {
    const { status, code, message, details, issues } = keptRefusal.parse(JSON.parse(refusal));
    throw new ProtectedError(status, code, message, { details, issues });
  }
  const receipt: object = JSON.parse(found.text('receipt'));
  return receipt;
}

/**
 * Applies a mutation once per identity, in one transaction with its receipt: of two requests with one
 * identity, in whichever processes, one applies it and both get that one's receipt. Without an identity it
 * is applied each time. What `apply` refuses leaves the identity unused.
 */
export function applyOnce(
  database: Database,
  caller: Caller,
  identity: Identity,
  at: string,
  apply: () => object,
): Receipt {
  return database.transaction(() => {
    const before = firstReceipt(database, caller, identity);
    if (before !== undefined) return { receipt: before, first: false };
    const receipt = apply();
    if (identity.clientMutationId !== null) {
      insert(database, 'mutations', {
        account_id: caller.accountId,
        client_mutation_id: identity.clientMutationId,
        operation: identity.operation,
        fingerprint: identity.fingerprint,
        receipt: JSON.stringify(receipt),
        created_at: at,
      });
    }
    return { receipt, first: true };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  );
}
