import type { Call } from '../../catalogue/request-time.ts';
import { revisionOf } from '../../catalogue/revision.ts';
import { ArtworkError } from '../../errors.ts';
import type { OwnedReads, PublicReads } from '../ports.ts';
import type { GuardName } from './guard.ts';
import type { FoundTargets } from './targets.ts';
import { occupiedCode, type Objection, replacedCode, type Occupant } from './objection.ts';
import { readShownAsset, type ShownAsset } from './shown-records.ts';

/** What a check looks at: all of it was read just now, or is read when it asks. */
export interface CheckContext {
  /** What the guards have read, by their names. */
  readonly records: ReadonlyMap<GuardName, Readonly<Record<string, unknown>>>;
  /** Targets that were looked for before; left out: none. */
  readonly targets?: FoundTargets | undefined;
  readonly owned: OwnedReads;
  readonly catalogue: PublicReads;
  /** What the connection may read. */
  readonly scopes: readonly string[];
  readonly call: Call;
}

/** What a guard has read of an Asset. */
export function shownAssetOf({ records }: CheckContext, assetId: string): ShownAsset {
  return readShownAsset(records.get(`Asset ${assetId}`));
}

/** So many replacements of replacements are followed. */
const mostFollowed = 20;

/** The last of the chain of replacements that an Asset is in; null where it can't be read. */
export async function readLastReplacement(seen: CheckContext, first: string): Promise<Occupant> {
  let assetId = first;
  for (let followed = 0; ; followed += 1) {
    const record = await readIfMay(seen, assetId);
    if (record === null) return { assetId, updatedAt: null };
    const { replacedByAssetId } = readShownAsset(record);
    if (!replacedByAssetId || followed === mostFollowed) return { assetId, updatedAt: revisionOf(record) };
    assetId = replacedByAssetId;
  }
}

/**
 * Reads the Asset that stands in a place. With its revision, which is only read where the list that named it does
 * not show it.
 */
export async function readOccupant(seen: CheckContext, { assetId, updatedAt }: Occupant): Promise<Occupant> {
  if (updatedAt !== null) return { assetId, updatedAt };
  const record = await readIfMay(seen, assetId);
  return { assetId, updatedAt: record === null ? null : revisionOf(record) };
}

async function readIfMay({ owned, call }: CheckContext, assetId: string) {
  try {
    return await owned.readAsset(assetId, call);
  } catch (error) {
    // What stands there is known all the same.
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

/**
 * The objection that something stands already in the place that is to be filled.
 * @param put what would be right, where the revision of what stands there is known
 */
export function occupiedObjection(
  { assetId, updatedAt }: Occupant,
  path: readonly string[],
  at: readonly string[],
  put: ((updatedAt: string) => Readonly<Record<string, unknown>>) | null,
): Objection {
  const how = put === null ? '' : ': what stands there is replaced, not added to';
  return {
    category: 'conflict',
    code: occupiedCode,
    message: `is taken by Asset ${assetId}${revisionWords(updatedAt)}${how}`,
    path,
    at,
    occupant: { assetId, updatedAt },
    ...(updatedAt === null || put === null ? {} : { put: put(updatedAt) }),
  };
}

/** The objection that the Asset which is named was replaced by another one. */
export function replacedObjection(
  previous: string,
  { assetId, updatedAt }: Occupant,
  path: readonly string[],
  at: readonly string[],
  put: (updatedAt: string) => Readonly<Record<string, unknown>>,
): Objection {
  return {
    category: 'conflict',
    code: replacedCode,
    message: `names Asset ${previous}, which was replaced: Asset ${assetId}${revisionWords(updatedAt)} stands there now`,
    path,
    at,
    occupant: { assetId, updatedAt },
    ...(updatedAt === null ? {} : { put: put(updatedAt) }),
  };
}

function revisionWords(updatedAt: string | null): string {
  return updatedAt === null ? '' : ` (updatedAt ${updatedAt})`;
}
