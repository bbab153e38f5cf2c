import type { Owned } from '../catalogue/owned.ts';
import type { JsonRecord } from '../catalogue/records/members.ts';
import type { OwnedSet } from '../catalogue/records/owned.ts';
import type { Deadline } from '../deadline.ts';
import { unlessRefused } from '../errors.ts';
import { type OwnSet, type OwnType, ownPictureOf, ownSetOf } from '../model/own-set.ts';

type OwnReads = Pick<Owned, 'readSet' | 'readGroup'>;

/**
 * Reads a Set or group of the connected account's own (interface document, Protected reads).
 * @throws ArtworkError as `readSet` and `readGroup`
 */
export async function readOwnSet(
  owned: OwnReads,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnSet> {
  const record = type === 'set' ? await owned.readSet(id, deadline) : await owned.readGroup(id, deadline);
  return ownSetOf(type, id, record);
}

/**
 * A Set or group of the connected account's own; null where it can't be read, whatever the reason.
 * @throws ArtworkError `cancelled` alone
 */
export function findOwnSet(
  account: () => Promise<{ readonly owned: OwnReads }>,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnSet | null> {
  return unlessRefused(async () => readOwnSet((await account()).owned, type, id, deadline));
}

/** Which of a Set's Assets are wanted: all that meet what is given. */
interface WantedAssets {
  readonly slot?: string | undefined;
  readonly targetKind?: string | undefined;
  readonly targetId?: number | undefined;
}

/**
 * The record of an own Set with those of its Assets alone that are wanted. The interface document does not show that an
 * owned Set lists its Assets: a record that does not stays as it is.
 */
export function withAssetsOf(
  record: OwnedSet,
  { slot, targetKind, targetId }: WantedAssets,
): { readonly record: JsonRecord; readonly total: number | null } {
  const json: JsonRecord = record;
  if (!Array.isArray(json.assets)) return { record, total: null };
  if (slot === undefined && targetKind === undefined && targetId === undefined)
    return { record, total: json.assets.length };
  const assets = json.assets.filter((element: unknown) => {
    const picture = ownPictureOf(element);
    return (
      picture !== null &&
      (slot === undefined || picture.slot === slot) &&
      (targetKind === undefined || picture.target?.kind === targetKind) &&
      (targetId === undefined || picture.target?.id === targetId)
    );
  });
  return { record: { ...json, assets }, total: json.assets.length };
}
