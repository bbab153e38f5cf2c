import { z } from 'zod';
import { paging, readResult } from '../../mcp/arguments.ts';
import {
  collectPages,
  cursorPosition,
  factsOfPage,
  noPage,
  pageFacts,
  readCursor,
  writeCursor,
} from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const input = z.strictObject(paging);

export const listEpisodes = defineTool({
  name: 'list_episodes',
  title: 'List all episodes',
  toolset: 'catalogue',
  description:
    "Browse every episode of every show in the catalogue. Pages may shift: drop repeated ids. For one show's episodes get_entity is shorter.",
  searchHint: 'all every whole entire complete catalogue index browse',
  annotations: readOnly,
  input,
  output: readResult.extend(pageFacts),
  async run(args, context) {
    let facts = noPage;
    const { items, next } = await collectPages({
      start: readCursor('list_episodes', args, cursorPosition) ?? { page: null, offset: 0 },
      limit: args.limit,
      async read({ page }) {
        const read = await context.catalogue.readEpisodesPage(page, context.deadline);
        facts = factsOfPage(read);
        return read;
      },
      keep: () => true,
    });
    const nextCursor = next === null ? null : writeCursor('list_episodes', args, next);
    return { structured: { data: items, omitted: [], nextCursor, ...facts } };
  },
});
