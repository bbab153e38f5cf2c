import { ArtworkError } from '../errors.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { Mutation } from './mutation.ts';
import { operationNamed } from './operations/named.ts';

/** The mutation that an entry stands for; null for one that this version does not understand. */
export function rehydrate({
  operation,
  clientMutationId,
  intent,
}: Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'intent'>): Mutation | null {
  try {
    const args = { ...JSON.parse(intent), clientMutationId };
    return operationNamed(operation)?.mutation(args) ?? null;
  } catch (error) {
    // What a newer version wrote is not this one's to judge.
    if (error instanceof ArtworkError || error instanceof SyntaxError) return null;
    throw error;
  }
}
