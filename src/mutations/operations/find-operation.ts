import type { SubmissionKind } from '../../catalogue/records/submission.ts';
import * as table from './index.ts';
import type { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Mutation } from '../mutation.ts';
import type { Operation } from './operation.ts';

type AnyOperation = (typeof table)[keyof typeof table];

export type OperationName = AnyOperation['name'];

/** What the schema of an operation's call takes. */
export type CallOf<Name extends OperationName> = z.input<Extract<AnyOperation, { name: Name }>['arguments']>;

const byName: ReadonlyMap<string, Operation> = new Map(
  Object.values(table).map((operation) => [operation.name, operation]),
);

/** The operation of this name. Null: an operation that this version does not know. */
export function findOperation(name: string): Operation | null {
  return byName.get(name) ?? null;
}

/** The operation whose submissions are of this kind. */
export function operationOfSubmissions(kind: SubmissionKind): OperationName {
  const found = Object.values(table).find(
    ({ strategy }) => strategy.by === 'batch' && strategy.kind === kind,
  );
  if (found === undefined) throw new TypeError(`No operation makes a submission of kind ${kind}.`);
  return found.name;
}

/** Whether what an entry stands for is sent as a submission: an admission, the files, the completion. */
export function isSubmission({ operation }: Pick<LedgerEntry, 'operation'>): boolean {
  return findOperation(operation)?.strategy.by === 'batch';
}

/** The mutation that an entry stands for; null for one that this version does not understand. */
export function rehydrateMutation({
  operation,
  clientMutationId,
  intent,
}: Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'intent'>): Mutation | null {
  try {
    const args = { ...JSON.parse(intent), clientMutationId };
    return findOperation(operation)?.mutation(args) ?? null;
  } catch (error) {
    // What a newer version wrote is not this one's to judge.
    if (error instanceof ArtworkError || error instanceof SyntaxError) return null;
    throw error;
  }
}
