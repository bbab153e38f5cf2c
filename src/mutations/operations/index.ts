import type { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import { ArtworkError } from '../../errors.ts';
import type { MutationRecord } from '../../ledger/rows.ts';
import { editAssetMetadata, selectPreviewFrame } from './assets.ts';
import { createMediaSet } from './create-media-set.ts';
import { editSet } from './edit-set.ts';
import { assignGroupingAssets, createGroupingSet } from './grouping-sets.ts';
import { createGroup, editGroup } from './groups.ts';
import type { Intended, Operation } from './operation.ts';
import { changeRelationship } from './relationships.ts';
import { uploadAsset } from './upload-asset.ts';

/** All operations. */
export const operations = {
  uploadAsset,
  editAssetMetadata,
  selectPreviewFrame,
  createGroup,
  editGroup,
  createGroupingSet,
  assignGroupingAssets,
  changeRelationship,
  createMediaSet,
  editSet,
} as const;

type AnyOperation = (typeof operations)[keyof typeof operations];
export type OperationName = AnyOperation['name'];

const byName: ReadonlyMap<string, Operation> = new Map(
  Object.values(operations).map((operation) => [operation.name, operation]),
);

/** The operation of this name; null for one that this version does not know. */
export function findOperation(name: string): Operation | null {
  return byName.get(name) ?? null;
}

/** The change that the ledger kept; null where this version can't read it. */
export function keptChange({ row, body }: MutationRecord): Intended | null {
  try {
    const intent: Json = JSON.parse(body.intent);
    return findOperation(row.operation)?.kept(row.id, intent) ?? null;
  } catch (error) {
    if (error instanceof ArtworkError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What every change is called with. */
export interface Guarded {
  /** A UUID: the identity of the change, in the ledger and, where the interface document shows it, on the wire. */
  readonly clientMutationId: string;
  /** The revision that the caller has seen; null, or "none", where there is none. */
  readonly expectedUpdatedAt: string | null;
  /** Checks everything and shows the requests, claims and sends nothing. */
  readonly dryRun?: boolean | undefined;
}

type CallOf<Name extends OperationName> = z.input<Extract<AnyOperation, { name: Name }>['arguments']>;

/** What an operation is called with: its own arguments, as its file defines them, and the guard. */
export type Arguments<Name extends OperationName> = Given<CallOf<Name>> & Guarded;

/** An item of a Set's creation, and one of a Set's edit: a file by its path. */
export type NamedItem = Arguments<'create_media_set'>['declaredFiles'][number];
export type EditedItem = NonNullable<Arguments<'edit_set'>['items']>[number];

/**
 * What a caller may hand over where a schema takes a value: to be read only, and where the schema takes one of several
 * objects, the fields of any of them. Which belong together is checked when they are parsed.
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
