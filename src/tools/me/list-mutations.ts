import { z } from 'zod';
import type { Next } from '../../errors.ts';
import { type OmittedSection, paging, readResult, since } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { shortenAnswer } from '../../mcp/shorten.ts';
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
    const page = await fittingPage(limit, async (fewer) => {
      const { mutations: listed, next } = await mutations.list({ state, since, after, limit: fewer });
      return { listed, ...shownOf(listed), next };
    });
    context.shownPaths.learn(page.listed.map(({ earlier }) => earlier));
    const nextCursor = page.next === null ? null : writeCursor('list_mutations', args, page.next);
    const next = state === 'open' ? nextOfOpen(page) : undefined;
    return {
      structured: {
        data: page.data,
        omitted: page.omitted,
        nextCursor,
        ...(next === undefined ? {} : { next }),
      },
    };
  },
});

/** What no process works on goes on only when it is asked for. Undefined where nothing is open. */
function nextOfOpen({ listed }: ShownPage): Next | undefined {
  const own = listed.filter(({ account }) => account !== 'other');
  const one = own.find(({ live }) => !live) ?? own[0];
  if (one === undefined) return undefined;
  const { clientMutationId } = one;
  return nextIn({ is: own.length === 1 ? 'open alone' : 'open among others', clientMutationId });
}

interface ShownPage extends Pick<MutationPage, 'next'> {
  readonly listed: MutationPage['mutations'];
  readonly data: readonly object[];
  readonly omitted: OmittedSection[];
}

/** Characters of JSON that one change may take for what stood there before. */
const roomForEarlier = 1_500;

/** The changes without members that are null; of what is long the beginning, with the call that tells all of it. */
function shownOf(listed: MutationPage['mutations']): Pick<ShownPage, 'data' | 'omitted'> {
  const omitted: OmittedSection[] = [];
  const data = listed.map(({ earlier, ...one }, index) => {
    const { clientMutationId } = one;
    const { value, cut } = shortenAnswer({ ...(earlier === undefined ? {} : { earlier }) }, roomForEarlier);
    for (const { section, total, returned } of cut) {
      const next = { tool: 'get_mutation_status', arguments: { clientMutationId } };
      omitted.push({ section: `data.${index}.${section}`, total, returned, next });
    }
    const told = Object.entries({ ...one, ...value }).filter(([, member]) => member !== null);
    return Object.fromEntries(told);
  });
  return { data, omitted };
}

/** Characters of JSON; stays well below the limit of a result. */
const pageBudget = 14_000;

/** Entries differ in length, and only a page knows where the next one starts: fewer are asked for until they fit. */
async function fittingPage(limit: number, list: (limit: number) => Promise<ShownPage>): Promise<ShownPage> {
  const page = await list(limit);
  const fits = limit === 1 || JSON.stringify([page.data, page.omitted]).length <= pageBudget;
  return fits ? page : await fittingPage(Math.floor(limit / 2), list);
}
