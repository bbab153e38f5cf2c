import { z } from 'zod';
import { paging, since } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { nextOfOpen } from '../../mutations/answer/next.ts';
import type { ListedMutation, MutationPage } from '../../mutations/answer/result.ts';
import { answerOf, readAnswer, roomOfList } from '../answer.ts';

const [ended, open] = [
  ['succeeded', 'partial', 'failed', 'rolled_back', 'refused', 'not_sent'],
  ['open', 'processing', 'interrupted', 'unresolved'],
] as const;

const position = z.object({ createdAt: z.number(), id: z.string() });

export const listMutations = defineTool({
  name: 'list_mutations',
  title: 'History of your uploads and changes',
  toolset: 'me',
  description:
    'List your uploads and changes, newest first; state open lists the unsettled. undo is the call that puts a change back. get_mutation_status looks one up.',
  searchHint:
    'history log past previous earlier unfinished interrupted failed today yesterday what did i do revert undo',
  annotations: { ...readOnly, openWorldHint: false },
  input: z.strictObject({
    state: z
      .enum([...open, ...ended])
      .optional()
      .meta({ inWords: true, description: 'open, or an outcome such as failed' }),
    since: since.optional(),
    ...paging,
  }),
  output: readAnswer,
  async run(args, context) {
    const { mutations } = await context.account();
    const { state: standing, limit } = args;
    const since = args.since === undefined ? undefined : Date.parse(args.since);
    const after = readCursor('list_mutations', args, position) ?? undefined;
    const page = await fittingPage(limit, (fewer) =>
      mutations.list({ standing, since, after, limit: fewer }),
    );
    const own = page.mutations.filter(({ account }) => account !== 'other');
    return answerOf({
      counts: { unsettled: await mutations.countOpen() },
      data: page.mutations.map(told),
      nextCursor: page.next === null ? null : writeCursor('list_mutations', args, page.next),
      next: standing === 'open' ? nextOfOpen(own) : undefined,
    });
  },
});

/** A change without what `says` and `id` tell already. */
function told({ target: _, ...one }: ListedMutation) {
  return Object.fromEntries(Object.entries(one).filter(([, member]) => member !== null && member !== false));
}

/** Changes differ in length, and only the ledger knows where the next page starts: fewer are asked for until they fit. */
async function fittingPage(
  limit: number,
  list: (limit: number) => Promise<MutationPage>,
): Promise<MutationPage> {
  const page = await list(limit);
  const fits = limit === 1 || JSON.stringify(page.mutations).length <= roomOfList;
  return fits ? page : await fittingPage(Math.floor(limit / 2), list);
}
