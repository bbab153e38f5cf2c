import { z } from 'zod';
import type { Next } from '../../errors.ts';
import { paging, readResult, since } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { nextIn } from '../../mutations/answer/table.ts';
import type { MutationPage } from '../../mutations/list-mutations.ts';

const states = [
  'open',
  'succeeded',
  'partial',
  'failed',
  'rolled_back',
  'processing',
  'unresolved',
  'refused',
  'not_sent',
] as const;

const input = z.strictObject({
  state: z.enum(states).optional().meta({ inWords: true, description: 'open, or an outcome such as failed' }),
  since: since.optional(),
  ...paging,
});

const position = z.object({ createdAt: z.string(), key: z.string() });

export const listMutations = defineTool({
  name: 'list_mutations',
  title: 'History of your uploads and changes',
  toolset: 'me',
  description:
    'List the history of your uploads and changes on this machine, newest first, also interrupted ones; state open: the unfinished. get_mutation_status tells more of each.',
  searchHint:
    'my uploads uploaded upload changes edits changed history log past previous earlier unfinished open pending interrupted failed today yesterday what did i do made so far',
  annotations: { ...readOnly, openWorldHint: false },
  input,
  output: readResult.extend({ next: z.unknown().optional() }),
  async run(args, context) {
    const { mutations } = await context.account();
    const { state, limit } = args;
    const since = args.since === undefined ? undefined : new Date(args.since).toISOString();
    const after = readCursor('list_mutations', args, position) ?? undefined;
    const page = await fittingPage(limit, (fewer) => mutations.list({ state, since, after, limit: fewer }));
    const nextCursor = page.next === null ? null : writeCursor('list_mutations', args, page.next);
    const next = state === 'open' ? nextOfOpen(page) : undefined;
    return {
      structured: { data: page.mutations, omitted: [], nextCursor, ...(next === undefined ? {} : { next }) },
    };
  },
});

/** What no process works on goes on only when it is asked for. Undefined where nothing is open. */
function nextOfOpen({ mutations }: MutationPage): Next | undefined {
  const own = mutations.filter(({ account }) => account !== 'other');
  const one = own.find(({ live }) => !live) ?? own[0];
  if (one === undefined) return undefined;
  const { clientMutationId } = one;
  return nextIn({ is: own.length === 1 ? 'open alone' : 'open among others', clientMutationId });
}

/** Characters of JSON; stays well below the limit of a result. */
const pageBudget = 14_000;

/** Entries differ in length, and only a page knows where the next one starts: fewer are asked for until they fit. */
async function fittingPage(
  limit: number,
  list: (limit: number) => Promise<MutationPage>,
): Promise<MutationPage> {
  const page = await list(limit);
  const fits = limit === 1 || JSON.stringify(page.mutations).length <= pageBudget;
  return fits ? page : await fittingPage(Math.floor(limit / 2), list);
}
