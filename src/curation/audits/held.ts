import { z } from 'zod';
import { slotsOf } from '../../catalogue/slots.ts';
import { shortName } from '../../catalogue/target-names.ts';
import { pathOfListedAsset } from '../own-artwork.ts';
import type { TargetKind } from '../matching/targets.ts';
import type { AuditedSet } from './audit.ts';
import { assetIdIn, type SetFacts, type WorkOfSet } from './set-facts.ts';
import { isRecord } from '../../catalogue/records/read-member.ts';

/** One picture of a Set, with what is known of it. */
export interface HeldPicture {
  readonly target: { readonly kind: TargetKind; readonly id: number };
  readonly slot: string;
  /** In lower case; null where nothing shows it. */
  readonly assetId: string | null;
  /** Root-relative; null where nothing shows it. */
  readonly path: string | null;
  /** Null: it has none, as pictures without text. Undefined: nothing shows it. */
  readonly language: string | null | undefined;
  /** Pixels; null where nothing shows them. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly changedAt: string | null;
}

/** What a Set holds, from whichever read shows most. */
export interface HeldSet {
  readonly set: AuditedSet;
  readonly work: WorkOfSet | null;
  readonly language: string | null;
  readonly pictures: readonly HeldPicture[];
}

type Json = Readonly<Record<string, unknown>>;

// The interface document shows neither what an owned Set lists nor the elements of `assets`. The words of its other
// records are tried; what is found nowhere is not known, and then not judged.
const number = z.int().min(1).max(100_000);
const facts = z.looseObject({
  languageCode: z.string().max(35).nullish().catch(undefined),
  width: number.nullish().catch(null),
  height: number.nullish().catch(null),
  updatedAt: z.string().max(100).nullish().catch(null),
  dateUpdated: z.string().max(100).nullish().catch(null),
});

export interface PictureFacts extends Pick<HeldPicture, 'language' | 'size' | 'changedAt'> {
  readonly path: string | null;
  readonly assetId: string | null;
}

/** What the element of a list tells of an Asset. */
export function factsOfAsset(asset: unknown): PictureFacts {
  const path = pathOfListedAsset(asset);
  const record: Json = isRecord(asset) ? asset : {};
  const { languageCode, width, height, updatedAt, dateUpdated } = facts.parse(record);
  const id = typeof record.id === 'string' && record.id.length <= 100 ? record.id.toLowerCase() : null;
  return {
    path,
    assetId: id ?? (path === null ? null : assetIdIn(path)),
    language: 'languageCode' in record ? languageCode : undefined,
    size: width != null && height != null ? { width, height } : null,
    changedAt: updatedAt ?? dateUpdated ?? null,
  };
}

/** A Set as public reads show it; what its pictures are like is told by the lists of what they are of. */
export function heldPublicly(
  set: SetFacts,
  own: boolean,
  listed: ReadonlyMap<string, PictureFacts>,
): HeldSet {
  const { kind, id, title, by, changedAt, work, language } = set;
  return {
    set: { kind, id, title, by, own, changedAt },
    work,
    language,
    pictures: set.pictures.map(({ target, slot, path }) => {
      const known = listed.get(path);
      return {
        ...{ target, slot, path },
        assetId: known?.assetId ?? assetIdIn(path),
        language: known?.language,
        size: known?.size ?? null,
        changedAt: known?.changedAt ?? null,
      };
    }),
  };
}

const reference = z.looseObject({ kind: z.string(), id: z.int() });
const owned = z.looseObject({
  kind: z.string().max(60).nullish().catch(null),
  setKind: z.string().max(60).nullish().catch(null),
  target: reference.nullish().catch(null),
  languageCode: z.string().max(35).nullish().catch(null),
  updatedAt: z.string().max(100).nullish().catch(null),
  assets: z.array(z.unknown()),
});

/**
 * A Set of the connected account's, with what is not published yet.
 * @param record of `readSet`
 * @returns null where it does not show what it holds
 */
export function heldByOwner(id: number, record: Json): HeldSet | null {
  const parsed = owned.safeParse(record);
  if (!parsed.success) return null;
  const { kind, setKind, target, languageCode, updatedAt, assets } = parsed.data;
  const pictures = assets.flatMap((asset) => heldAsset(asset));
  if (pictures.length < assets.length) return null;
  const by = shortName(record.createdBy);
  const of = target == null || !isTargetKind(target.kind) ? null : target.kind;
  return {
    set: {
      kind: kind ?? setKind ?? 'set',
      id,
      title: shortName(record.title),
      by: by === '' ? null : by,
      own: true,
      changedAt: updatedAt ?? null,
    },
    work: target == null || of === null ? null : { kind: of, id: target.id, title: titleOf(target) },
    language: languageCode ?? null,
    pictures,
  };
}

/** What can't be read might be in any place, so that nothing could be called missing: then none is returned. */
function heldAsset(asset: unknown): HeldPicture[] {
  if (!isRecord(asset)) return [];
  const { target, slot } = asset;
  const kind = isRecord(target) ? target.kind : asset.targetKind;
  const id = isRecord(target) ? target.id : asset.targetId;
  if (typeof kind !== 'string' || !isTargetKind(kind) || typeof slot !== 'string') return [];
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return [];
  return [{ target: { kind, id }, slot: slot.slice(0, 60), ...factsOfAsset(asset) }];
}

function isTargetKind(kind: string): kind is TargetKind {
  return Object.hasOwn(slotsOf, kind);
}

function titleOf(work: Json): string {
  const title = shortName(work.title);
  return title !== '' && typeof work.year === 'number' ? `${title} (${work.year})` : title;
}
