import { z } from 'zod';
import type { Arguments } from '../mutations/arguments.ts';
import { type OperationName, findOperation } from '../mutations/operations/find-operation.ts';
import type { Operation } from '../mutations/operations/operation.ts';
import { guardedArguments } from './arguments.ts';
import type { Context } from './context.ts';
import { formsOf } from './forms.ts';
import { revisionInShort } from './revision-source.ts';
import { writeCursor } from './cursor.ts';
import type { ToolAnnotations } from './surface.ts';
import type { ToolAnswer } from './tool.ts';
import type { MutationCall } from '../mutations/mutations.ts';
import type { MutationResult } from '../mutations/result.ts';

/** Whatever the operation, here stands what it made or touched (Touched). */
export const touched = z.unknown().optional().describe('what it made or touched: {kind, id, title}');

/** Every answer about a mutation (MutationResult); spelling it out in each tool's schema would cost more than it tells. */
export const mutationResult = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  id: touched,
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

/**
 * What a tool takes from the operation that it makes, beside which it only has words.
 * @param words of the arguments that are not called as usual
 * @param expected what expectedUpdatedAt is, where the arguments decide which revision a call rests on
 */
export function toolOf<const Name extends OperationName, Shape extends z.ZodRawShape>(
  { name, arguments: args, revision }: Operation<Name, z.ZodObject<Shape>>,
  words: Parameters<typeof formsOf<Shape>>[1],
  expected = revisionInShort(revision({})),
) {
  const input = z.strictObject({ ...guardedArguments(expected), ...formsOf(args, words) });
  return { name, toolset: 'curate', input, output: mutationResult, revision } as const;
}

/** Makes the change, and answers what became of it. */
export async function carryOutChange<Name extends OperationName>(
  name: Name,
  args: Arguments<Name>,
  context: Context,
): Promise<ToolAnswer<z.input<typeof mutationResult>>> {
  const { mutations } = await context.account();
  const readsFile = findOperation(name)?.strategy.by !== 'request';
  const roots = readsFile ? await context.roots() : [];
  return answerOfMutation(await mutations.perform(name, args, { ...mutationCall(context), roots }));
}

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

/** A mutation's result as a tool's answer, paged by its items. */
export function answerOfMutation(result: MutationResult): ToolAnswer<z.input<typeof mutationResult>> {
  return pagedItems(result, { clientMutationId: result.clientMutationId });
}

/**
 * Where items are left out, with the call that shows them; `identity`: what that call asks by. Nothing is kept of a dry
 * run that a later call could page through.
 */
export function pagedItems<Report extends Omit<Partial<MutationResult>, 'items'>>(
  { nextItems, requests, ...result }: Report & { readonly items?: readonly unknown[] },
  identity: Readonly<Record<string, string>>,
): ToolAnswer<Omit<Report, 'nextItems' | 'requests'>> {
  const last = requests === undefined ? {} : { requests };
  if (nextItems === undefined) return { structured: { ...result, ...last } };
  const isDry = result.outcome === 'dry_run';
  if (nextItems === null) return { structured: { ...result, ...(isDry ? last : { nextCursor: null }) } };
  const { counts = {}, items = [] } = result;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const left = { section: 'items', total, returned: items.length };
  if (isDry) return { structured: { ...result, omitted: [{ ...left, next: null }], ...last } };
  const cursor = writeCursor('get_mutation_status', identity, nextItems);
  const next = { tool: 'get_mutation_status', arguments: { ...identity, cursor } };
  return { structured: { ...result, omitted: [{ ...left, next }], nextCursor: cursor } };
}
