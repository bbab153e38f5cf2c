import type { Entity } from '../catalogue/records/kinds.ts';
import { idAt, isRecord, type JsonRecord, textAt, wordAt } from '../catalogue/records/members.ts';
import type { OwnedAsset } from '../catalogue/records/owned.ts';
import { listOfSlot, type Slot } from './slots.ts';
import { lineOf } from './target.ts';
import { idOf, targetNamedBy } from './work.ts';

/** What an element of a list of Assets tells. */
export type ListedAsset = ReturnType<typeof listedAssetOf>;

/**
 * An element of a list of Assets, as far as it can be read; null for what it does not tell. The interface document does
 * not show its shape: the names of its other records are tried.
 */
export function listedAssetOf(element: unknown) {
  const path = pathOfAsset(element);
  const record: JsonRecord = isRecord(element) ? element : {};
  const [width, height] = [pixels(record.width), pixels(record.height)];
  return {
    /** In lower case. */
    assetId: idAt(record, 'id')?.toLowerCase() ?? (path === null ? null : assetIdIn(path)),
    /** Root-relative. */
    path,
    /** Null: it has none, as pictures without text. Undefined: the list does not tell. */
    language: record.languageCode === null ? null : (wordAt(record, 'languageCode') ?? undefined),
    size: width === null || height === null ? null : { width, height },
    changedAt: textAt(record, 'updatedAt', 'dateUpdated'),
    createdBy: lineOf(record.createdBy) || null,
    /** The Set that it stands in. */
    setId: idOf(record.setId),
  };
}

/** The Assets that an entity lists in a slot. */
export function assetsInSlot(record: Entity, slot: Slot): ListedAsset[] {
  const list = listOfSlot(slot);
  const lists = new Map(Object.entries(record.assets ?? {}));
  return (lists.get(list) ?? []).map(listedAssetOf);
}

/** All Assets that an entity lists, whatever their slots. */
export function assetsOf(record: Entity): ListedAsset[] {
  return Object.values(record.assets ?? {}).flatMap((list) => (list ?? []).map(listedAssetOf));
}

/**
 * The entity's own images, absolute URLs (interface document, Conventions: `metadataImages`), by their names, in its
 * order. Most names are those of slots; a person's is `profile`.
 */
export function imagesOf(record: Entity): ReadonlyMap<string, string> {
  const images = Object.entries(record.metadataImages ?? {});
  return new Map(images.flatMap(([name, url]) => (url == null ? [] : [[name, url] as const])));
}

/**
 * An Asset of the account's own. The interface document shows its id, revision and language alone (Protected-side
 * records). The other members are assumed, in the words of the other records. Null without a usable id.
 */
export function ownAssetOf(record: OwnedAsset) {
  const id = idAt(record, 'id');
  return id === null ? null : { id, slot: wordAt(record, 'slot'), target: targetNamedBy(record.target) };
}

/** The path of an Asset as a list shows it: any root-relative path among its members serves. */
export function pathOfAsset(element: unknown): string | null {
  const values: unknown[] = isRecord(element) ? Object.values(element) : [element];
  return values.find((value): value is string => typeof value === 'string' && /^\/[^/]/.test(value)) ?? null;
}

/** The Asset's id in a path, in lower case: the interface document only says that paths are root-relative, so this is a hint. */
export function assetIdIn(path: string): string | null {
  const found = path.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi);
  return found?.at(-1)?.toLowerCase() ?? null;
}

function pixels(value: unknown): number | null {
  const count = idOf(value);
  return count !== null && count >= 1 && count <= 100_000 ? count : null;
}
