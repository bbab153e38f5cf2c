import { z } from 'zod';
import type { Owned } from '../../catalogue/owned.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { TargetKind } from '../targets/targets.ts';

/** A picture that a Set has. */
export interface OwnSetAsset {
  readonly assetId: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  /** Null where the Set does not show it. */
  readonly updatedAt: string | null;
}

export interface OwnSet {
  readonly id: number;
  /** The word of the admissions; null where the record does not tell. */
  readonly setKind: SetKindWord | null;
  readonly updatedAt: string;
  /** What the Set is for, where it says so. */
  readonly target: { readonly kind: string; readonly id: number } | null;
  readonly assets: readonly OwnSetAsset[];
}

export const setKinds = ['media_set', 'talent_set', 'brand_set', 'category_set'] as const;
export type SetKindWord = (typeof setKinds)[number];

// The interface document shows of an owned Set its id and revision alone. That it lists its Assets is assumed, in
// the words of its other records; where it does not, nothing can be compared.
const reference = z.looseObject({ kind: z.string(), id: z.int() });
const where = z.union([
  z.looseObject({ target: reference }).transform(({ target: { kind, id } }) => ({ kind, id })),
  z
    .looseObject({ targetKind: z.string(), targetId: z.int() })
    .transform(({ targetKind: kind, targetId: id }) => ({ kind, id })),
]);
const listed = z.looseObject({ id: z.guid(), slot: z.string(), updatedAt: z.string().min(1).nullish() });
const shown = z.looseObject({
  assets: z.array(z.unknown()),
  target: reference.nullish().catch(null),
  setKind: z.string().nullish().catch(null),
  kind: z.string().nullish().catch(null),
});

/**
 * A Set of the connected account's own, with what it holds.
 * @throws ArtworkError as `readSet`; `bad_response` where the Set does not show what it holds
 */
export async function readOwnSet(
  owned: Pick<Owned, 'readSet'>,
  setId: number,
  deadline: Deadline,
): Promise<OwnSet> {
  const record = await owned.readSet(setId, deadline);
  const parsed = shown.safeParse(record);
  if (!parsed.success) throw opaque(setId);
  const { assets, target, setKind, kind } = parsed.data;
  return {
    id: setId,
    setKind: wordOf(setKind ?? kind ?? ''),
    updatedAt: revisionOf(record),
    target: target ? { kind: target.kind, id: target.id } : null,
    assets: assets.map((asset) => heldAsset(asset, setId)),
  };
}

/** What can't be read might conflict with anything, so nothing is compared then. */
function heldAsset(asset: unknown, setId: number): OwnSetAsset {
  const [own, place] = [listed.safeParse(asset), where.safeParse(asset)];
  if (!own.success || !place.success) throw opaque(setId);
  const { id, slot, updatedAt } = own.data;
  const { kind: targetKind, id: targetId } = place.data;
  return { assetId: id, targetKind, targetId, slot, updatedAt: updatedAt ?? null };
}

/** The word for a Set of something, where its record does not say it. */
export function setKindFor(kind: TargetKind): SetKindWord {
  switch (kind) {
    case 'person':
      return 'talent_set';
    case 'company':
    case 'network':
      return 'brand_set';
    case 'category':
      return 'category_set';
    default:
      return 'media_set';
  }
}

function wordOf(kind: string): SetKindWord | null {
  const isOfWork = ['movie_set', 'show_set', 'game_set', 'collection_set'].includes(kind);
  return isOfWork ? 'media_set' : (setKinds.find((word) => word === kind) ?? null);
}

function opaque(setId: number): ArtworkError {
  return new ArtworkError(
    'bad_response',
    `The service does not show what the Set ${setId} holds, so no edit of it can be planned: name the items to edit_set one by one.`,
  );
}
