import { z } from 'zod';
import { revisionOf } from '../../catalogue/revision.ts';
import { paging, readResult } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/cursor.ts';
import { collectPages, cursorPosition } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const input = z.strictObject(paging);

export const listRelationships = defineTool({
  name: 'list_relationships',
  title: 'List follows and hides',
  toolset: 'me',
  description:
    'Lists whom or what the connected account follows and hides. `updatedAt` of each is what change_relationship must name as expectedUpdatedAt; "none" there where nothing is listed yet.',
  annotations: readOnly,
  input,
  output: readResult,
  async run(args, context) {
    const { owned } = await context.account();
    const { items, next } = await collectPages({
      start: readCursor('list_relationships', args, cursorPosition) ?? { page: null, offset: 0 },
      limit: args.limit,
      read: ({ page }) => owned.readRelationships(page, context.call()),
      keep: () => true,
    });
    const nextCursor = next === null ? null : writeCursor('list_relationships', args, next);
    const data = items.map((item) => ({ ...item, updatedAt: revisionOf(item) }));
    return { structured: { data, omitted: [], nextCursor } };
  },
});
