import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { paging, readResult } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { pageFacts, readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { feedPosition, readFeedPart } from './feed-reading.ts';

const input = z.strictObject(paging);

export const listEpisodes = defineTool({
  name: 'list_episodes',
  title: 'List all episodes',
  toolset: 'catalogue',
  description:
    'Browse every episode of every show. Pages may shift: drop repeated ids. For one show: get_entity.',
  searchHint: 'all every whole entire complete catalogue index browse',
  annotations: readOnly,
  input,
  output: readResult.extend(pageFacts),
  async run(args, context) {
    const start = readCursor('list_episodes', args, feedPosition);
    const { items, next, facts } = await readPart(args, start, context);
    const nextCursor = next === null ? null : writeCursor('list_episodes', args, next);
    return { structured: { data: items, omitted: [], nextCursor, ...facts } };
  },
});

/** If a page is gone, the index has shrunk: the reading continues behind the last item that it passed. */
async function readPart(
  args: z.output<typeof input>,
  start: z.output<typeof feedPosition> | null,
  { catalogue, deadline }: Context,
) {
  try {
    return await readFeedPart({
      start,
      limit: args.limit,
      async read(page) {
        try {
          return await catalogue.readEpisodesPage(page, deadline);
        } catch (error) {
          if (!(error instanceof ArtworkError) || error.category !== 'not_found' || page === null)
            throw error;
          throw new ArtworkError('snapshot_expired', error.message, { status: error.status });
        }
      },
      passes: () => true,
    });
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'snapshot_expired') throw error;
    const { cursor, ...again } = args;
    if (cursor === undefined) throw error;
    const message =
      'The index of episodes has another order or fewer pages by now, and what was read last is not in it any more.';
    const why = 'It starts again at the first page; episodes that were read before come again.';
    const next = { tool: 'list_episodes', arguments: again, why };
    throw new ArtworkError('snapshot_expired', message, { status: error.status, next });
  }
}
