import { z } from 'zod';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import type { Deadline } from '../../deadline.ts';
import type { OwnedReads, PublicReads } from '../ports.ts';
import type { GuardName } from './guard.ts';

/** Records of the account's own that were just read, by the names of guards. */
export type ReadRecords = ReadonlyMap<GuardName, JsonRecord>;

/** What a check looks at: all of it was read just now, or is read when it asks. */
export interface CheckContext {
  /** What the guards have read. */
  readonly records: ReadRecords;
  readonly owned: OwnedReads;
  readonly catalogue: PublicReads;
  readonly deadline: Deadline;
}

/** What a guard has read of an Asset. */
export function shownAssetOf({ records }: CheckContext, assetId: string): ShownAsset {
  return readShownAsset(records.get(`Asset ${assetId}`));
}

// The interface document shows of an owned Asset its id, revision, language and edition. What else it shows is assumed,
// in the words of the other records: what is not there, or not so, is undefined and objects to nothing.

const reference = z.looseObject({ kind: z.string(), id: z.int() });
const shown = <Value extends z.ZodType>(value: Value) => value.optional().catch(undefined);

const asset = z.object({
  slot: shown(z.string()),
  target: shown(reference.nullable()),
  setId: shown(z.int().nullable()),
  replacedByAssetId: shown(z.guid().nullable()),
  frames: shown(z.int()),
});

/** What an Asset's record shows of its place, and of what became of it. */
export type ShownAsset = z.output<typeof asset>;

/** What the record of an owned Asset shows of its place. */
export function readShownAsset(record: unknown): ShownAsset {
  const parsed = asset.safeParse(record);
  return parsed.success ? parsed.data : {};
}
