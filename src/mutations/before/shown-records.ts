import { z } from 'zod';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import type { Deadline } from '../../deadline.ts';
import { type AdmissionKind, admissionOf } from '../../model/kinds.ts';
import { isSameTarget } from '../../model/target.ts';
import type { OwnedReads, PublicReads } from '../ports.ts';
import type { GuardName } from './guard.ts';
import type { EntityTarget, FoundTargets } from './targets.ts';

/** Records of the account's own that were just read, by the names of guards. */
export type ReadRecords = ReadonlyMap<GuardName, JsonRecord>;

/** What a check looks at: all of it was read just now, or is read when it asks. */
export interface CheckContext {
  /** What the guards have read; a check adds what it reads beside them. */
  readonly records: Map<GuardName, JsonRecord>;
  /** Targets that were looked for before; left out: none. */
  readonly targets?: FoundTargets | undefined;
  readonly owned: OwnedReads;
  readonly catalogue: PublicReads;
  /** What the connection may read. */
  readonly scopes: readonly string[];
  readonly deadline: Deadline;
}

/** What a guard has read of an Asset. */
export function shownAssetOf({ records }: CheckContext, assetId: string): ShownAsset {
  return readShownAsset(records.get(`Asset ${assetId}`));
}

// The interface document shows of an owned Asset, Set or group its id and revision alone. What else it shows is
// assumed, in the words of the other records: what is not there, or not so, is undefined and objects to nothing.

const reference = z.looseObject({ kind: z.string(), id: z.int() });
const shown = <Value extends z.ZodType>(value: Value) => value.optional().catch(undefined);

const asset = z.object({
  slot: shown(z.string()),
  target: shown(reference.nullable()),
  setId: shown(z.int().nullable()),
  replacedByAssetId: shown(z.guid().nullable()),
  frames: shown(z.int()),
  updatedAt: shown(z.string().min(1)),
});

/** What an Asset's record shows of its place, and of what became of it. */
export type ShownAsset = z.output<typeof asset>;

/** What the record of an owned Asset shows of its place. */
export function readShownAsset(record: unknown): ShownAsset {
  const parsed = asset.safeParse(record);
  return parsed.success ? parsed.data : {};
}

const where = z.union([
  z.looseObject({ target: reference }).transform(({ target: { kind, id } }) => ({ kind, id })),
  z
    .looseObject({ targetKind: z.string(), targetId: z.int() })
    .transform(({ targetKind: kind, targetId: id }) => ({ kind, id })),
]);
const listed = z.object({ id: z.guid(), slot: z.string(), updatedAt: shown(z.string().min(1)) });

/** A picture that a Set or group shows, in its place. */
interface SetAsset {
  readonly assetId: string;
  readonly target: EntityTarget;
  readonly slot: string;
  readonly updatedAt: string | null;
}

const set = z.object({
  kind: shown(z.string()),
  setKind: shown(z.string()),
  target: shown(reference.nullable()),
  networks: shown(z.array(z.looseObject({ id: z.int() }))),
  companies: shown(z.array(z.looseObject({ id: z.int() }))),
  group: shown(z.looseObject({ id: z.int(), title: shown(z.string()) }).nullable()),
  assets: shown(z.array(z.unknown())),
});

export interface ShownSet extends Omit<z.output<typeof set>, 'assets'> {
  /** Undefined where the record lists none, or one that can't be read: then nothing is known of any place. */
  readonly assets: readonly SetAsset[] | undefined;
}

/** What the record of an owned Set shows of its pictures. */
export function readShownSet(record: unknown): ShownSet {
  const parsed = set.safeParse(record);
  if (!parsed.success) return { assets: undefined };
  const assets = parsed.data.assets?.map(heldAsset);
  const known = assets?.filter((one) => one !== null);
  return { ...parsed.data, assets: known?.length === assets?.length ? known : undefined };
}

function heldAsset(record: unknown): SetAsset | null {
  const [own, target] = [listed.safeParse(record), where.safeParse(record)];
  if (!own.success || !target.success) return null;
  const { id, slot, updatedAt } = own.data;
  return { assetId: id, target: target.data, slot, updatedAt: updatedAt ?? null };
}

/** The picture in a place of a Set; undefined where there is none, or none is shown. */
export function shownAssetInPlace(
  { assets }: ShownSet,
  target: EntityTarget,
  slot: string,
): SetAsset | undefined {
  return assets?.find((one) => one.slot === slot && isSameTarget(one.target, target));
}

const group = z.object({ poster: shown(listed.nullable()) });

/** A group's poster; null where it has none, undefined where it does not show it. */
export function shownPosterOf(record: unknown): z.output<typeof listed> | null | undefined {
  const parsed = group.safeParse(record);
  return parsed.success ? parsed.data.poster : undefined;
}

/** The word that admissions have for a Set, as far as its record says it. */
export function setKindIn({ setKind, kind }: ShownSet): AdmissionKind | null {
  return admissionOf(setKind ?? kind ?? '');
}
