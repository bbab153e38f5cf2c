import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../http.ts';
import { type Database, insert } from '../store/database.ts';
import type { MutationResult } from './assumed.ts';
import type { Caller } from './authorize.ts';
import type { ProtectedContext } from './context.ts';
import { protectedAnswer, ProtectedError, refusal } from './protected-error.ts';

interface JsonMutation {
  readonly operation: string;
  readonly clientMutationId: string | null;
  /** Everything that the request asks for: the ids in its path and its body. */
  readonly parameters: unknown;
  /** The status of the first answer: 201 where something is created. */
  readonly success: 200 | 201;
  /**
   * Checks the stored state and changes it, in a transaction. Returns the receipt without its identity.
   * @param record - stores an effect on a resource
   */
  apply(now: Date, record: (resource: Effect['resource']) => void): MutationResult;
}

/** Applies a mutation once per identity; a repeated request gets the first receipt with 200. */
export function mutate(context: ProtectedContext, caller: Caller, mutation: JsonMutation): Answer {
  const { operation, clientMutationId, parameters: asks, success, apply } = mutation;
  const now = context.now();
  const at = now.toISOString();
  const identity = { operation, clientMutationId };
  const once = { ...identity, fingerprint: fingerprintOf(asks) };
  const { receipt, first } = applyOnce(context.database, caller, once, at, () => ({
    ...identity,
    ...apply(now, (resource) => recordEffect(context.database, caller, { ...identity, resource }, at)),
  }));
  return protectedAnswer(first ? success : 200, { data: receipt });
}

/** What identifies a mutation. */
export interface MutationIdentity {
  /** Such as `asset.add`; a repeated request must have the same. */
  readonly operation: string;
  /** Unique per account over all operations; null where the request has none. */
  readonly clientMutationId: string | null;
  /** Of everything that the request asks for. */
  readonly fingerprint: string;
}

interface AppliedMutation {
  readonly receipt: object;
  /** Whether this call has written it. */
  readonly first: boolean;
}

/** SHA-256 of the value as JSON with sorted members. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, (_, member: unknown) => (isRecord(member) ? sorted(member) : member)))
    .digest('hex');
}

/** Whether a receipt or a refusal is stored under this `clientMutationId`, for any request. */
export function isIdentityUsed(
  database: Database,
  caller: Caller,
  { clientMutationId }: MutationIdentity,
): boolean {
  return (
    database.first(
      'SELECT 1 FROM mutations WHERE account_id = ? AND client_mutation_id = ?',
      caller.accountId,
      clientMutationId,
    ) !== undefined
  );
}

/** Stores a refusal under an identity: the same request gets it again. */
export function recordRefusal(
  database: Database,
  caller: Caller,
  identity: MutationIdentity,
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

const storedRefusal = z.object({
  status: z.int(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  issues: z.array(z.object({ code: z.string(), message: z.string(), path: z.array(z.string()) })),
});

/**
 * The receipt stored under an identity.
 * @throws ProtectedError 409 when the identity belongs to another request, or the stored refusal.
 */
export function findReceipt(
  database: Database,
  caller: Caller,
  identity: MutationIdentity,
): object | undefined {
  if (identity.clientMutationId === null) return undefined;
  const found = database.first(
    'SELECT operation, fingerprint, receipt, refusal FROM mutations WHERE account_id = ? AND client_mutation_id = ?',
    caller.accountId,
    identity.clientMutationId,
  );
  if (found === undefined) return undefined;
  if (found.text('operation') !== identity.operation || found.text('fingerprint') !== identity.fingerprint) {
    const { clientMutationId } = identity;
    const message = 'This clientMutationId belongs to another request.';
    throw refusal(409, 'client_mutation.reused', message, ['clientMutationId'], {
      clientMutationId,
      operation: found.text('operation'),
    });
  }
  const ended = found.textOrNull('refusal');
  if (ended !== null) {
    const { status, code, message, details, issues } = storedRefusal.parse(JSON.parse(ended));
    throw new ProtectedError(status, code, message, { details, issues });
  }
  const receipt: object = JSON.parse(found.text('receipt'));
  return receipt;
}

/**
 * Applies a mutation once per identity, in one transaction with its receipt. Of two requests with one
 * identity, in any processes, one applies it and both get the same receipt. Without an identity it is applied
 * each time. When `apply` throws, the identity stays unused.
 */
export function applyOnce(
  database: Database,
  caller: Caller,
  identity: MutationIdentity,
  at: string,
  apply: () => object,
): AppliedMutation {
  return database.transaction(() => {
    const before = findReceipt(database, caller, identity);
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

/** One change that a mutation has made. */
interface Effect {
  /** Such as `asset.add` or `group.edit`. */
  readonly operation: string;
  readonly clientMutationId: string | null;
  readonly resource: { readonly kind: string; readonly id: string | number };
}

/** Call it in the transaction that makes the change, so that both are stored or neither. */
export function recordEffect(database: Database, { accountId }: Caller, effect: Effect, at: string): void {
  insert(database, 'effects', {
    at,
    account_id: accountId,
    operation: effect.operation,
    client_mutation_id: effect.clientMutationId,
    resource_kind: effect.resource.kind,
    resource_id: String(effect.resource.id),
  });
}
