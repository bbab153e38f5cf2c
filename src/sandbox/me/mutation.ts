import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { later } from '../context.ts';
import { type Answer, privateJson, readJson } from '../http.ts';
import type { Call } from './authorize.ts';
import { refuse } from './refusals.ts';

/** What a request asks to change, under which identity. */
interface Wish {
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

/** Why something was not saved, as a status tells it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What a change is answered with; of a single upload also how its processing ends, for its status. */
interface Applied {
  readonly status: number;
  readonly body: object;
  readonly ending?: {
    readonly assetId: string | null;
    readonly processedAt: string;
    readonly error: Failure | null;
  };
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
  return applyOnce(call, wish, (change) => ({
    status,
    body: { data: { operation, clientMutationId, ...apply(change, body) } },
  }));
}

/**
 * Applies a change once for each identity, in one transaction with its receipt: the same request is answered with the
 * first receipt. If `apply` throws, nothing is changed and the identity stays free.
 * @throws Refusal 409 if the identity belongs to another request; what `apply` throws
 */
export function applyOnce(call: Call, wish: Wish, apply: (change: Change) => Applied): Answer {
  const { store, caller } = call;
  return store.transaction(() => {
    const before = answerBefore(call, wish);
    if (before !== null) return before;
    const change = changeOf(call, wish);
    const { status, body, ending } = apply(change);
    const error = ending?.error ?? null;
    if (wish.clientMutationId !== null) {
      const { clientMutationId } = wish;
      const answered = { status, answer: JSON.stringify(body), fingerprint: fingerprintOf(wish) };
      store.insert('mutations', {
        ...{ accountId: caller.accountId, clientMutationId, ...answered },
        assetId: ending?.assetId ?? null,
        processedAt: ending?.processedAt ?? null,
        error: error && JSON.stringify({ code: error.code, message: error.message }),
      });
    }
    return privateJson(status, body);
  });
}

export function changeOf(call: Call, { operation, clientMutationId }: Omit<Wish, 'asked'>): Change {
  const at = call.context.now();
  const publicFrom = later(at, call.context.publicationLagMs);
  return { ...call, operation, clientMutationId, at, publicFrom };
}

/** What the same request was answered before. @throws Refusal 409 if its identity belongs to another one */
export function answerBefore({ store, caller }: Call, wish: Wish): Answer | null {
  const sql = 'SELECT * FROM mutations WHERE account_id = ? AND client_mutation_id = ?';
  const found = store.first(sql, caller.accountId, wish.clientMutationId);
  if (found === undefined) return null;
  if (found.text('fingerprint') !== fingerprintOf(wish)) {
    const message = 'This clientMutationId belongs to another request.';
    throw refuse(409, 'client_mutation.reused', message, ['clientMutationId']);
  }
  const status = found.integer('status');
  return privateJson(status < 300 ? 200 : status, found.json('answer'));
}

/** Tells tests what was changed. Call it in the transaction of the change. */
export function recordEffect(
  { store, clientMutationId, ...change }: Change,
  kind: string,
  id: string | number,
  operation = change.operation,
): void {
  const resource = { resource_kind: kind, resource_id: String(id) };
  store.insert('effects', { operation, client_mutation_id: clientMutationId, ...resource });
}

/** Of the wish as JSON with sorted members: their order has no meaning. */
function fingerprintOf(wish: Wish): string {
  const sorted = JSON.stringify(wish, (_, member: unknown) =>
    member instanceof Object && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
