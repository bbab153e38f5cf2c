import { z } from 'zod';
import type { Context } from '../../mcp/context.ts';
import { writeCursor } from '../../mcp/cursor.ts';
import type { ToolAnnotations, ToolAnswer } from '../../mcp/tool.ts';
import type { MutationCall } from '../../mutations/mutations.ts';
import type { MutationResult } from '../../mutations/result.ts';

/** Every answer about a mutation (MutationResult); spelling it out in each tool's schema would cost more than it tells. */
export const mutationResult = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  next: z.unknown().optional(),
});

/** Adds to the catalogue and takes nothing away. */
export const adding: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Puts something in the place of something else. Repeating it under its identity changes nothing more. */
export const replacing: ToolAnnotations = { ...adding, destructiveHint: true };

/** What a mutation is told of the call that makes it. */
export function mutationCall(context: Context): MutationCall {
  return {
    ...context.call(),
    progress: (done, total, message) => {
      // A host that is gone by now is noticed by the transport.
      context.progress(done, total, message).catch(() => undefined);
    },
  };
}

export function answered(result: MutationResult): ToolAnswer<z.input<typeof mutationResult>> {
  return pagedItems(result, { clientMutationId: result.clientMutationId });
}

/** Where items are left out, with the call that shows them; `identity`: what that call asks by. */
export function pagedItems<Report extends Pick<MutationResult, 'counts' | 'nextItems' | 'outcome'>>(
  { nextItems, ...result }: Report & { readonly items?: readonly unknown[] },
  identity: Readonly<Record<string, string>>,
): ToolAnswer<Omit<Report, 'nextItems'>> {
  if (nextItems === undefined) return { structured: result };
  const { counts = {}, items = [] } = result;
  if (nextItems === null) return { structured: { ...result, nextCursor: null } };
  const cursor = writeCursor('get_mutation_status', identity, nextItems);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const next = { tool: 'get_mutation_status', arguments: { ...identity, cursor } };
  const omitted = [{ section: 'items', total, returned: items.length, next }];
  return { structured: { ...result, omitted, nextCursor: cursor } };
}
