import type { z } from 'zod';

/** Items are told apart by their ids, in the answers too: no two may share one. */
export function distinctItems(
  items: readonly { readonly itemId: string }[],
  context: z.core.$RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { itemId }] of items.entries()) {
    if (seen.has(itemId)) {
      context.addIssue({ code: 'custom', message: 'is the itemId of another item', path: [index, 'itemId'] });
    }
    seen.add(itemId);
  }
}
