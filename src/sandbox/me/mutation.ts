import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { publicFrom } from '../context.ts';
import { type Answer, privateJson, readJson } from '../http.ts';
import type { Row } from '../store.ts';
import type { Call } from './authorize.ts';
import { refuse } from './refusals.ts';

/** What a request asks to change, under which identity. */
export interface Wish {
  /** Such as `asset.add`. */
  readonly operation: string;
  /** Unique in an account; null: the request has none, and is applied each time. */
  readonly clientMutationId: string | null;
  /** All that the request asks for: its path, its query, its body. */
  readonly asked: unknown;
}

/** A change that is being made, in its transaction. */
export interface Change extends Call {
  readonly operation: string;
  readonly clientMutationId: string | null;
  readonly at: string;
  /** When public reads show it. */
  readonly publicFrom: string;
}

/** How the processing of a single upload ends, for its status. */
export interface Ending {
  readonly assetId: string | null;
  readonly processedAt: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Makes the change that a JSON body asks for, and answers with a receipt. `apply` gives its members. */
export async function mutate<Body extends object>(
  call: Call,
  operation: string,
  status: 200 | 201,
  schema: z.ZodType<Body>,
  apply: (change: Change, body: Body) => object,
): Promise<Answer> {
  const body = await readJson(call.request, schema);
  const given = 'clientMutationId' in body ? body.clientMutationId : null;
  const clientMutationId = typeof given === 'string' ? given : null;
  const wish = { operation, clientMutationId, asked: { path: call.path, body } };
  return applyOnce(call, wish, status, (change) => ({
    data: { operation, clientMutationId, ...apply(change, body) },
  }));
}

/**
 * Applies a change once for each identity, in one transaction with its receipt: the same request is answered with the
 * first receipt. If `apply` throws, nothing is changed and the identity stays free.
 * @throws Refusal 409 if the identity belongs to another request; what `apply` throws
 */
export function applyOnce(
  call: Call,
  wish: Wish,
  status: number,
  apply: (change: Change) => object,
  ending?: Ending,
): Answer {
  return call.store.transaction(
    () => answerBefore(call, wish) ?? remember(call, wish, status, apply(changeOf(call, wish)), ending),
  );
}

export function changeOf(call: Call, { operation, clientMutationId }: Omit<Wish, 'asked'>): Change {
  const now = call.context.now();
  const times = { at: now.toISOString(), publicFrom: publicFrom(call.context, now) };
  return { ...call, operation, clientMutationId, ...times };
}

function mutationUnder({ store, caller }: Call, clientMutationId: string | null): Row | undefined {
  const sql = 'SELECT * FROM mutations WHERE account_id = ? AND client_mutation_id = ?';
  return store.first(sql, caller.accountId, clientMutationId);
}

/** What the same request was answered before. @throws Refusal 409 if its identity belongs to another one */
export function answerBefore(call: Call, { operation, clientMutationId, asked }: Wish): Answer | null {
  const found = mutationUnder(call, clientMutationId);
  if (found === undefined) return null;
  if (found.text('operation') !== operation || found.text('fingerprint') !== fingerprintOf(asked)) {
    const details = { clientMutationId, operation: found.text('operation') };
    const message = 'This clientMutationId belongs to another request.';
    throw refuse(409, 'client_mutation.reused', message, ['clientMutationId'], details);
  }
  const status = found.integer('status');
  return privateJson(status < 300 ? 200 : status, found.json('answer'));
}

/** Stores the answer of an identity that has none, which may be a refusal. */
export function remember(call: Call, wish: Wish, status: number, body: object, ending?: Ending): Answer {
  const { operation, clientMutationId, asked } = wish;
  if (clientMutationId !== null && mutationUnder(call, clientMutationId) === undefined) {
    call.store.insert('mutations', {
      account_id: call.caller.accountId,
      client_mutation_id: clientMutationId,
      operation,
      fingerprint: fingerprintOf(asked),
      status,
      answer: JSON.stringify(body),
      asset_id: ending?.assetId ?? null,
      processed_at: ending?.processedAt ?? null,
      error: ending?.error ? JSON.stringify(ending.error) : null,
      created_at: call.context.now().toISOString(),
    });
  }
  return privateJson(status, body);
}

/** Tells tests what was changed. Call it in the transaction of the change. */
export function recordEffect(
  { store, at, caller, clientMutationId, ...change }: Change,
  kind: string,
  id: string | number,
  operation = change.operation,
): void {
  store.insert('effects', {
    at,
    account_id: caller.accountId,
    operation,
    client_mutation_id: clientMutationId,
    resource_kind: kind,
    resource_id: String(id),
  });
}

/** Of the value as JSON with sorted members: their order has no meaning. */
function fingerprintOf(value: unknown): string {
  const sorted = JSON.stringify(value, (_, member: unknown) =>
    member instanceof Object && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
