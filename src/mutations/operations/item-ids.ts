import type { z } from 'zod';
import { itemId, type ItemId } from '../../catalogue/requests/fields.ts';
import { deriveItemId } from '../derive-id.ts';

interface Placed {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

export type PositionedItem<Item> = Item & { readonly itemId: ItemId; readonly position: number };

/**
 * Items with an id and a position each, whatever was left out. The same call is the same intent: what is left out
 * follows from the identity and the place in the call.
 */
export function withItemIds<Item extends { itemId?: ItemId | undefined; position?: number | undefined }>(
  clientMutationId: string,
  items: readonly Item[],
): PositionedItem<Item>[] {
  return items.map((item, index) => {
    const position = item.position ?? index;
    const derived = () => itemId.parse(deriveItemId(clientMutationId, position));
    return { ...item, position, itemId: item.itemId ?? derived() };
  });
}

/** What an item takes for itself: no two items may have the same. */
export interface DistinctValue {
  /** The argument that says so. */
  readonly name: string;
  readonly value: string;
}

/** What no two items of a submission may share: the id, the position, and the target's slot. */
export function distinctItemValuesOf(item: PositionedItem<Placed>): DistinctValue[] {
  const { targetKind, targetId, slot } = item;
  return [...distinctItemIdsOf(item), { name: 'slot', value: `${slot} of ${targetKind} ${targetId}` }];
}

/** What no two items without a slot may share: the id and the position. */
export function distinctItemIdsOf({
  itemId,
  position,
}: {
  itemId: string;
  position: number;
}): DistinctValue[] {
  return [
    { name: 'itemId', value: itemId },
    { name: 'position', value: String(position) },
  ];
}

/** Reports every item that takes what an earlier one has. */
export function requireDistinctItems(
  items: readonly (readonly DistinctValue[])[],
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
  list: string,
): void {
  const first = new Map<string, number>();
  for (const [index, taken] of items.entries()) {
    for (const { name, value } of taken) {
      const key = `${name} ${value}`;
      const before = first.get(key);
      if (before === undefined) first.set(key, index);
      else {
        const message = `is that of item ${before} too: ${value}`;
        context.addIssue({ code: 'custom', message, path: [list, index, name] });
      }
    }
  }
}
