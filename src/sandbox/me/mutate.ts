import type { Caller } from '../access/caller.ts';
import type { Answer } from '../http.ts';
import type { OwnerSide } from './owner-side.ts';
import { privateAnswer } from './protected-error.ts';
import { applyOnce, fingerprintOf } from './receipts.ts';

export interface JsonMutation {
  readonly operation: string;
  readonly clientMutationId: string | null;
  /** Everything that the request asks for: its path's ids and its body. */
  readonly asks: unknown;
  /** Of the first answer: 201 for what makes something. */
  readonly success: 200 | 201;
  /** Checks against what is there and changes it; runs in a transaction. Answers the receipt. */
  apply(now: Date): object;
}

/** Applies a mutation once per identity; the same again is answered with the first receipt, as 200. */
export function mutate(side: OwnerSide, caller: Caller, mutation: JsonMutation): Answer {
  const { operation, clientMutationId, asks, success, apply } = mutation;
  const now = side.now();
  const identity = { operation, clientMutationId, fingerprint: fingerprintOf(asks) };
  const { receipt, first } = applyOnce(side.database, caller, identity, now.toISOString(), () => apply(now));
  return privateAnswer(first ? success : 200, { data: receipt });
}
