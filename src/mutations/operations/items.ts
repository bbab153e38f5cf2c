import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import {
  type ItemId,
  itemId,
  type JsonObject,
  position,
  slot,
  targetId,
  targetKind,
} from '../../catalogue/request.ts';
import type { DeclaredFile } from '../change.ts';
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

type Numbered<Item> = Item & { readonly itemId: ItemId; readonly position: number };

/**
 * Items with an id and a position each. The same call is the same intent: what is left out follows from the identity and
 * the place in the call.
 */
export function numbered<Item extends { itemId?: ItemId | undefined; position?: number | undefined }>(
  clientMutationId: string,
  items: readonly Item[],
): Numbered<Item>[] {
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

/**
 * Reports every item that takes what an earlier one of the list has.
 * @param takes what each takes, by the argument that says so
 */
export function requireDistinct(
  takes: readonly (readonly (readonly [argument: string, value: string])[])[],
  list: string,
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const first = new Map<string, number>();
  for (const [index, values] of takes.entries()) {
    for (const [argument, value] of values) {
      const before = first.get(`${argument} ${value}`);
      if (before === undefined) first.set(`${argument} ${value}`, index);
      else {
        const message = `is that of item ${before} too: ${value}`;
        context.addIssue({ code: 'custom', message, path: [list, index, argument] });
      }
    }
  }
}

/** What no two items may share: the id and the position. */
export function ownNumbers({ itemId, position }: Numbered<object>): [string, string][] {
  return [
    ['itemId', itemId],
    ['position', String(position)],
  ];
}

/** The place that an item fills, which no two may. */
export function ownPlace({ targetKind, targetId, slot }: Placed): [string, string] {
  return ['slot', `${slot} of ${targetKind} ${targetId}`];
}

/** Where the items of a list are to go. */
export function placementsOf(items: readonly Placed[], list: string): Placement[] {
  return items.map(({ targetKind: kind, targetId: id, slot: of }, index) => ({
    target: { kind, id },
    slot: of,
    at: [list, String(index)],
  }));
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

/** The same bytes for the same place. */
export function keyOfBytes({
  targetKind,
  targetId,
  slot,
  file,
}: Placed & { readonly file: DeclaredFile }): string {
  return `bytes ${file.sha256} ${targetKind} ${targetId} ${slot}`;
}

/** Something new of a title. Services change spaces, case and composition when they save one. */
export function keyOfTitle(kind: string, title: string): string {
  return `new ${kind} ${titleKey(title)}`;
}

/** A title without what services change in it when they save it. */
export function titleKey(title: string): string {
  return title.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** A Set of the same work with the same pictures, whatever its title. */
export function keyOfPictures(
  work: { readonly kind: string; readonly id: number },
  items: readonly (Placed & { readonly file: DeclaredFile })[],
): string {
  const pictures = canonicalDigest(canonicalJson(items.map(keyOfBytes).sort()));
  return `new set ${work.kind} ${work.id} ${pictures}`;
}

/** How a file is declared in an admission: its digest is ours alone. */
export function declarationOf({ filename, contentType, contentLength }: DeclaredFile): JsonObject {
  return { filename, contentType, contentLength };
}
