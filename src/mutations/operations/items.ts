import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import {
  type ItemId,
  itemId,
  type JsonObject,
  position,
  slot,
  sparseFields,
  targetId,
  targetKind,
} from '../../catalogue/request.ts';
import type { DeclaredFile, DeclaredItem } from '../change.ts';
import type { Placement } from './operation.ts';

/** What an item of a list says of its place, with an id and a position that may be left out. */
export const placed = {
  targetKind,
  targetId,
  slot,
  itemId: itemId.optional(),
  position: position.optional(),
};

interface Placed {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

interface Numbers {
  readonly itemId: ItemId;
  readonly position: number;
}

/**
 * Items with an id and a position each. The same call is the same intent: what is left out follows from the identity and
 * the place in the call.
 */
export function numbered<Item extends { [Name in keyof Numbers]?: Numbers[Name] | undefined }>(
  clientMutationId: string,
  items: readonly Item[],
): (Item & Numbers)[] {
  return items.map((item, index) => {
    const at = item.position ?? index;
    const id = item.itemId ?? itemId.parse(deriveUuid(clientMutationId, String(at)));
    return { ...item, position: at, itemId: id };
  });
}

/** UUIDv5 (RFC 9562) of a name within what another UUID stands for: the same ones give the same id. */
export function deriveUuid(within: string, name: string): string {
  const namespace = Buffer.from(within.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** An item as far as it names an Asset of the service's. */
interface Naming {
  readonly operation?: string;
  readonly existingAssetId?: string;
  readonly expectedPreviousAssetId?: string;
}

/** The Asset that an item puts aside, moves or edits; null: it depends on none. */
export function assetOf({ existingAssetId, expectedPreviousAssetId }: Naming): string | null {
  return existingAssetId ?? expectedPreviousAssetId ?? null;
}

/** Reports every item that takes what an earlier one of the list has: its id, its position, its place, its Asset. */
export function requireDistinct(
  list: string,
  items: readonly (Placed & Numbers & Naming)[],
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const first = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const { itemId, position, targetKind, targetId, slot, operation } = item;
    // The metadata of an Asset may be edited where another item fills the place.
    const place = operation === 'asset_metadata' ? undefined : `${slot} of ${targetKind} ${targetId}`;
    const takes = { itemId, position, slot: place, existingAssetId: assetOf(item)?.toLowerCase() };
    for (const [argument, value] of Object.entries(sparseFields(takes))) {
      const before = first.get(`${argument} ${value}`);
      const message = `is that of item ${before} too: ${value}`;
      if (before === undefined) first.set(`${argument} ${value}`, index);
      else context.addIssue({ code: 'custom', message, path: [list, index, argument] });
    }
  }
}

/** Where the items of a list are to go. */
export function placementsOf(items: readonly Placed[]): Placement[] {
  return items.map(({ targetKind: kind, targetId: id, slot }) => ({ target: { kind, id }, slot }));
}

/** An item as a run sends it. */
export function declaredItem(item: Placed & Numbers & { readonly file?: DeclaredFile }): DeclaredItem {
  const { itemId, position, targetKind: kind, targetId: id, slot, file = null } = item;
  return { itemId, position, target: { kind, id }, slot, file };
}

// Keys: two changes that are under way at the same time can't have the same one.

/** A slot of a target in a Set. */
export function keyOfPlaceIn(setId: number, { targetKind, targetId, slot }: Placed): string {
  return `set ${setId} ${targetKind} ${targetId} ${slot}`;
}

/** An Asset, which is replaced, moved or edited with a Set once. */
export function keyOfAsset(assetId: string): string {
  return `asset ${assetId.toLowerCase()}`;
}

type WithFile = Placed & { readonly file: DeclaredFile };

/** The same bytes for the same place. */
export function keyOfBytes({ targetKind, targetId, slot, file }: WithFile): string {
  return `bytes ${file.sha256} ${targetKind} ${targetId} ${slot}`;
}

/** Something new of a title. */
export function keyOfTitle(kind: string, title: string): string {
  return `new ${kind} ${titleKey(title)}`;
}

/** A title without what services change in it when they save it: spaces, case and composition. */
function titleKey(title: string): string {
  return title.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** A Set of the same work with the same pictures, whatever its title. */
export function keyOfPictures(
  { kind, id }: { readonly kind: string; readonly id: number },
  items: readonly WithFile[],
): string {
  const pictures = canonicalDigest(canonicalJson(items.map(keyOfBytes).sort()));
  return `new set ${kind} ${id} ${pictures}`;
}

/** How a file is declared in an admission: its digest is ours alone. */
export function declarationOf({ filename, contentType, contentLength }: DeclaredFile): JsonObject {
  return { filename, contentType, contentLength };
}
