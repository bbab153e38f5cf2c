import { z } from 'zod';
import { paging } from '../../mcp/arguments.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { readPart } from './feed-pages.ts';

export const listEpisodes = defineTool({
  name: 'list_episodes',
  title: 'List all episodes',
  toolset: 'catalogue',
  description: 'Browse every episode of every show. For one show: get_entity with include seasons.',
  searchHint: 'all whole entire complete catalogue index browse',
  annotations: readOnly,
  input: z.strictObject(paging),
  output: readAnswer,
  async run(args, { catalogue, deadline }) {
    const { items, nextCursor, facts } = await readPart({
      tool: 'list_episodes',
      args,
      read: (page) => catalogue.readEpisodesPage(page, deadline),
      passes: () => true,
    });
    return answerOf({ data: items, nextCursor, ...facts });
  },
});
