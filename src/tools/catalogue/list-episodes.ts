import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { paging } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { feedPosition, readFeedPart } from './feed-pages.ts';

export const listEpisodes = defineTool({
  name: 'list_episodes',
  title: 'List all episodes',
  toolset: 'catalogue',
  description: 'Browse every episode of every show, whole. For one show: get_entity with include seasons.',
  searchHint: 'all whole entire complete catalogue index browse',
  annotations: readOnly,
  input: z.strictObject(paging),
  output: readAnswer,
  async run(args, { catalogue, deadline }) {
    const { cursor, ...again } = args;
    try {
      const { items, next, facts } = await readFeedPart({
        start: readCursor('list_episodes', args, feedPosition),
        limit: args.limit,
        read: (page) => readPage(page, (path) => catalogue.readEpisodesPage(path, deadline)),
        passes: () => true,
      });
      const nextCursor = next === null ? null : writeCursor('list_episodes', args, next);
      return answerOf({ data: items, omitted: [], nextCursor, ...facts });
    } catch (error) {
      const isGone = error instanceof ArtworkError && error.category === 'snapshot_expired';
      if (!isGone || cursor === undefined) throw error;
      const message = 'The index of episodes has changed, and no longer has what was read last.';
      const why = 'This starts again at the first page. Episodes that you have read come again.';
      const next = { tool: 'list_episodes', arguments: again, why };
      throw new ArtworkError('snapshot_expired', message, { status: error.status, next });
    }
  },
});

/** The index has no snapshots: where it has shrunk, a later page of it is not found. */
async function readPage<Page>(
  page: string | null,
  read: (page: string | null) => Promise<Page>,
): Promise<Page> {
  try {
    return await read(page);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found' || page === null) throw error;
    throw new ArtworkError('snapshot_expired', error.message, { status: error.status });
  }
}
