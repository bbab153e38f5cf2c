import type { z } from 'zod';
import * as table from './index.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Operation } from './operation.ts';

type AnyOperation = (typeof table)[keyof typeof table];

export type OperationName = AnyOperation['name'];

/** What the schema of an operation's call takes. */
export type CallOf<Name extends OperationName> = z.input<Extract<AnyOperation, { name: Name }>['arguments']>;

const byName: ReadonlyMap<string, Operation> = new Map(
  Object.values(table).map((operation) => [operation.name, operation]),
);

/** Null: an operation that this version does not know. */
export function operationNamed(name: string): Operation | null {
  return byName.get(name) ?? null;
}

/** Whether what an entry stands for is sent as a submission: an admission, the files, the completion. */
export function isSubmission({ operation }: Pick<LedgerEntry, 'operation'>): boolean {
  return operationNamed(operation)?.strategy.by === 'batch';
}
