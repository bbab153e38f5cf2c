import type { z } from 'zod';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import { ArtworkError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Mutation } from '../mutation.ts';
import * as table from './index.ts';
import type { Operation } from './operation.ts';

type AnyOperation = (typeof table)[keyof typeof table];

export type OperationName = AnyOperation['name'];

/** What the schema of an operation's call takes. */
type CallOf<Name extends OperationName> = z.input<Extract<AnyOperation, { name: Name }>['arguments']>;

const byName: ReadonlyMap<string, Operation> = new Map(
  Object.values(table).map((operation) => [operation.name, operation]),
);

/** The operation of this name. Null: an operation that this version does not know. */
export function findOperation(name: string): Operation | null {
  return byName.get(name) ?? null;
}

/** The operation whose submissions are of this kind. */
export function operationOfSubmissions(kind: SubmissionKind): OperationName {
  const found = Object.values(table).find(({ run }) => run.by === 'submission' && run.kind === kind);
  if (found === undefined) throw new TypeError(`No operation makes a submission of kind ${kind}.`);
  return found.name;
}

/** Whether what an entry stands for is sent as a submission: an admission, the files, the completion. */
export function isSubmission({ operation }: Pick<LedgerEntry, 'operation'>): boolean {
  return findOperation(operation)?.run.by === 'submission';
}

/** The mutation that an entry stands for; null for one whose intent can't be read. */
export function rehydrateMutation({
  operation,
  clientMutationId,
  intent,
}: Pick<LedgerEntry, 'operation' | 'clientMutationId' | 'intent'>): Mutation | null {
  try {
    const args = { ...JSON.parse(intent), clientMutationId };
    return findOperation(operation)?.mutation(args) ?? null;
  } catch (error) {
    if (error instanceof ArtworkError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What every mutation is called with. */
export interface Guarded {
  /** A UUID: the identity of the mutation, in the ledger and, where the interface document shows it, on the wire. */
  readonly clientMutationId: string;
  /** The revision that the caller has seen; null, or "none", where there is none. */
  readonly expectedUpdatedAt: string | null;
  /** Checks everything and shows the requests, claims and sends nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What an operation is called with: its own arguments, as its file defines them, and the guard. */
export type Arguments<Name extends OperationName> = Given<CallOf<Name>> & Guarded;

/** An item of a Set's creation, and one of a Set's edit: a file by its path. */
export type NamedItem = Arguments<'create_media_set'>['declaredFiles'][number];
export type EditedItem = NonNullable<Arguments<'edit_set'>['items']>[number];

/**
 * What a caller may hand over where a schema takes a value: to be read only, and where the schema takes one of several
 * objects, the fields of any of them. Which fields belong together is checked when they are parsed.
 */
export type Given<Value> = Exclude<Value, object> | GivenObject<Extract<Value, object>>;

type GivenObject<Value> = [Value] extends [never]
  ? never
  : [Value] extends [readonly (infer Element)[]]
    ? readonly Given<Element>[]
    : Fields<Pick<Value, keyof Value>> & Partial<Fields<OwnFields<Value>>>;

type Fields<Value> = { readonly [Name in keyof Value]: Given<Value[Name]> };

/** The fields that some of several objects have and others don't. */
type OwnFields<Value> = {
  [Name in Exclude<NamesIn<Value>, keyof Value>]: ValueIn<Value, Name> | undefined;
};

type NamesIn<Value> = Value extends unknown ? keyof Value : never;
type ValueIn<Value, Name> = Value extends unknown ? (Name extends keyof Value ? Value[Name] : never) : never;
