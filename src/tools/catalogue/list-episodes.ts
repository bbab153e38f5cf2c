import { z } from 'zod';
import { paging, readResult } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/cursor.ts';
import { collectPages, factsOf, noPage, pageFacts, cursorPosition } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const input = z.strictObject(paging);

export const listEpisodes = defineTool({
  name: 'list_episodes',
  title: 'List all episodes',
  toolset: 'catalogue',
  description:
    'Pages through the index of every episode in the catalogue, with show and season. The index may shift between pages: drop repeated ids. For one show, get_entity of the show and of its seasons is shorter.',
  annotations: readOnly,
  input,
  output: readResult.extend(pageFacts),
  async run(args, context) {
    let facts = noPage;
    const { items, next } = await collectPages({
      start: readCursor('list_episodes', args, cursorPosition) ?? { page: null, offset: 0 },
      limit: args.limit,
      async read({ page }) {
        const read = await context.catalogue.readEpisodesPage(page, context.call());
        facts = factsOf(read);
        return read;
      },
      keep: () => true,
    });
    const nextCursor = next === null ? null : writeCursor('list_episodes', args, next);
    return { structured: { data: items, omitted: [], nextCursor, ...facts } };
  },
});
