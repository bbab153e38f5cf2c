import { z } from 'zod';
import type { Context } from '../../mcp/context.ts';
import { writeCursor } from '../../mcp/pages.ts';
import type { ToolAnnotations } from '../../mcp/surface.ts';
import { defineTool, type Tool, type ToolAnswer } from '../../mcp/tool.ts';
import type { MutationResult } from '../../mutations/answer/result.ts';
import type { OperationName } from '../../mutations/operations/index.ts';
import type { Operation } from '../../mutations/operations/operation.ts';

// A tool that makes a change takes its arguments from the operation, where they are spelt once. Beside them it has words.

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

interface ChangeTexts extends Pick<Tool, 'title' | 'description' | 'searchHint' | 'annotations'> {
  /** Of arguments whose names don't say enough, by these names: `items.slot` within a list. */
  readonly words?: Readonly<Record<string, string>>;
}

/** The tool that makes the change of one operation. */
export function changeTool(operation: Operation<OperationName>, { words = {}, ...texts }: ChangeTexts): Tool {
  const { name, revision, sends } = operation;
  return defineTool({
    ...texts,
    name,
    toolset: 'curate',
    input: z.strictObject(argumentsOf(operation)).meta({ words }),
    output: mutationResult,
    revision,
    async run(args, context) {
      const { mutations } = await context.account();
      const roots = sends === 'json' ? [] : await context.roots();
      const guarded = { ...args, ...guard.parse(args) };
      return answerOfChange(await mutations.perform(name, guarded, { ...callOf(context), roots }));
    },
  });
}

/**
 * The arguments that guard every change: its id, the expected revision, the dry run.
 * @param expected what expectedUpdatedAt is for the tool, in a few words
 */
export function guardedArguments(expected = 'updatedAt last read, or `none`') {
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

/** Tells types of the guard what the arguments of an operation that is not named don't. */
const guard = z.object(guardedArguments());

/** The arguments of an operation, the guard's in the words for callers. */
export function argumentsOf<Shape extends z.ZodRawShape>({
  arguments: { shape },
}: Operation<OperationName, z.ZodObject<Shape>>) {
  const { clientMutationId: _, expectedUpdatedAt: __, ...own } = shape;
  return { ...guardedArguments(), ...own };
}

/** What a change is told of the call that makes it. */
export function callOf({ deadline, progress }: Context) {
  return {
    deadline,
    progress: (done: number, total: number | null, message: string): void => {
      // The transport notices a host that has gone.
      progress(done, total, message).catch(() => undefined);
    },
  };
}

/** What became of a change, as its tool answers it. */
export function answerOfChange(result: MutationResult): Answer {
  return answerOfMutation(result, { clientMutationId: result.clientMutationId });
}

/**
 * What became of a change or a submission, with the cursor of its next items, and its long requests last.
 * @param identity the arguments of get_mutation_status that name it
 */
export function answerOfMutation(
  { nextItems, requests, ...result }: Pick<MutationResult, 'outcome' | 'says' | 'nextItems' | 'requests'>,
  identity: Readonly<Record<string, string | boolean>>,
): Answer {
  const cursor = nextItems == null ? null : writeCursor('get_mutation_status', identity, { from: nextItems });
  return { structured: { ...result, nextCursor: nextItems === undefined ? undefined : cursor, requests } };
}
