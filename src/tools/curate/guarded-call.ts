import { z } from 'zod';
import type { RevisionRule } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { writeCursor } from '../../mcp/pages.ts';
import type { ToolAnnotations } from '../../mcp/surface.ts';
import type { ToolAnswer } from '../../mcp/tool.ts';
import type { MutationResult } from '../../mutations/answer/result.ts';
import type { Warning } from '../../mutations/change.ts';
import type { MutationCall } from '../../mutations/mutations.ts';
import { findOperation, type Guarded, type OperationName } from '../../mutations/operations/index.ts';
import type { Operation } from '../../mutations/operations/operation.ts';

/** Every answer about a change (MutationResult). To spell it out in each tool's schema costs more than it tells. */
export const mutationResult = z.looseObject({ outcome: z.string(), says: z.string() });
type Answer = ToolAnswer<z.input<typeof mutationResult>>;

/** Adds to the catalogue and takes nothing away. */
export const adding: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Puts something in the place of something else. The same call again, under its id, changes nothing more. */
export const replacing: ToolAnnotations = { ...adding, destructiveHint: true };

/**
 * The arguments that guard every change: its id, the expected revision, the dry run.
 * @param expected what expectedUpdatedAt is for the tool, in a few words
 */
export function guardedArguments(expected: string) {
  return {
    clientMutationId: z.uuid().meta({
      description:
        'the id of this change: a new one from new_mutation_ids; the same one to ask for its outcome',
      brief: 'from new_mutation_ids',
    }),
    expectedUpdatedAt: z.string().min(1).max(500).nullable().meta({
      description: 'the updatedAt that you read last of what this changes; "none" where nothing exists yet',
      brief: expected,
    }),
    dryRun: z.boolean().optional().meta({
      description:
        'true: checks file, place, scopes and revisions, and shows the requests; claims and sends nothing',
      brief: '',
    }),
  };
}

/** What expectedUpdatedAt has to be, in the few words of a definition. */
export function revisionInShort(revision: RevisionRule): string {
  switch (revision.of) {
    case 'nothing':
      return '`none`';
    case 'asset':
    case 'set':
    case 'group':
      return 'updatedAt from get_owned';
    case 'relationship':
      return 'from list_relationships, or `none`';
    case 'first_call':
      return 'as in the first call: the revision, or `none`';
  }
}

/** `leaveOut` of the tools that take a plan. */
export const leftOutFiles = z.array(z.string().min(1).max(4_096)).max(2_000).optional().meta({
  description: 'beside planId: files that the person wants left out, as the plan shows them',
  brief: 'planned files the person wants left out',
});

/** Of arguments, by their names (`items.slot` within a list). */
type Words = Readonly<Record<string, string>>;

/**
 * What a tool takes from the operation that it makes. Beside it the tool only has words.
 * @param words of arguments whose names don't say enough
 * @param expected what expectedUpdatedAt is, where the arguments decide which revision a call rests on
 */
export function toolOf<const Name extends OperationName, Shape extends z.ZodRawShape>(
  { name, arguments: args, revision }: Operation<Name, z.ZodObject<Shape>>,
  words: Words,
  expected = revisionInShort(revision({})),
) {
  const input = z.strictObject({ ...guardedArguments(expected), ...formsOf(args, words) });
  return { name, toolset: 'curate', input, output: mutationResult, revision } as const;
}

/** The arguments of an operation, without the guard's, with a tool's words. */
export function formsOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  words: Words,
): Omit<Shape, keyof Guarded> {
  const { clientMutationId: _, expectedUpdatedAt: __, ...own } = shape;
  const all: [string, z.core.$ZodType][] = Object.entries(own);
  const worded = all.map(([name, field]) => [name, wordedField(field, name, words)]);
  // Words change no type.
  return Object.fromEntries(worded) as Omit<Shape, keyof Guarded>;
}

function wordedField(field: z.core.$ZodType, name: string, words: Words): z.core.$ZodType {
  if (!(field instanceof z.ZodType)) return field;
  const own = words[name];
  const within = Object.entries(words).flatMap(([place, said]) =>
    place.startsWith(`${name}.`) ? [[place.slice(name.length + 1), said]] : [],
  );
  return field.meta({
    ...field.meta(),
    ...(own === undefined ? {} : { description: own, brief: own }),
    ...(within.length === 0 ? {} : { words: Object.fromEntries(within) }),
  });
}

/** Makes the change, and answers what became of it. */
export async function carryOutChange(
  name: OperationName,
  args: Guarded & Readonly<Record<string, unknown>>,
  context: Context,
  warnings: readonly Warning[] = [],
): Promise<Answer> {
  const { mutations } = await context.account();
  const roots = findOperation(name)?.sends === 'json' ? [] : await context.roots();
  return answerOfMutation(await mutations.perform(name, args, { ...mutationCall(context), roots, warnings }));
}

/** What a change is told of the call that makes it. */
export function mutationCall(context: Context): MutationCall {
  return {
    deadline: context.deadline,
    progress: (done, total, message) => {
      // The transport notices a host that has gone.
      context.progress(done, total, message).catch(() => undefined);
    },
  };
}

/** The result of a change as a tool's answer, paged by its items. */
export function answerOfMutation(
  result: MutationResult,
  identity: Readonly<Record<string, string | boolean>> = { clientMutationId: result.clientMutationId },
): Answer {
  return { structured: { ...paged(result, identity), clientMutationId: result.clientMutationId } };
}

/**
 * A result with the cursor of its next items, and its long requests last.
 * @param identity the arguments of get_mutation_status that name the change
 */
export function paged<
  Report extends Pick<MutationResult, 'outcome' | 'says' | 'items' | 'nextItems' | 'requests'>,
>({ nextItems, requests, ...result }: Report, identity: Readonly<Record<string, string | boolean>>) {
  const last = requests === undefined ? {} : { requests };
  if (nextItems === undefined) return { ...result, ...last };
  if (nextItems === null) return { ...result, nextCursor: null, ...last };
  const cursor = writeCursor('get_mutation_status', identity, { from: nextItems });
  return { ...result, nextCursor: cursor, ...last };
}
