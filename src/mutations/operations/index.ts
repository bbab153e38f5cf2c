import type { Json } from '../../canonical-json.ts';
import { ArtworkError } from '../../errors.ts';
import type { MutationRecord } from '../../ledger/rows.ts';
import { createMediaSet } from './create-media-set.ts';
import { createGroup, createGroupingSet } from './creations.ts';
import { editSet } from './edit-set.ts';
import {
  assignGroupingAssets,
  changeRelationship,
  editAssetMetadata,
  editGroup,
  selectPreviewFrame,
} from './edits.ts';
import type { Intended, Operation } from './operation.ts';
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
