import { z } from 'zod';
import { revisionOf } from '../../catalogue/records/owned.ts';
import { paging, readResult } from '../../mcp/arguments.ts';
import { collectPages, cursorPosition, readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const input = z.strictObject(paging);

export const listRelationships = defineTool({
  name: 'list_relationships',
  title: 'List whom you follow, and what is hidden',
  toolset: 'me',
  description:
    'List the users you follow or have hidden, with the `updatedAt` that change_relationship takes.',
  searchHint:
    'who whom do i follow following followed hide hidden blocked creators users artists people relations',
  annotations: readOnly,
  input,
  output: readResult,
  async run(args, context) {
    const { owned } = await context.account();
    const { items, next } = await collectPages({
      start: readCursor('list_relationships', args, cursorPosition) ?? { page: null, offset: 0 },
      limit: args.limit,
      read: ({ page }) => owned.readRelationships(page, context.deadline),
      keep: () => true,
    });
    const nextCursor = next === null ? null : writeCursor('list_relationships', args, next);
    const data = items.map((item) => ({ ...item, updatedAt: revisionOf(item) }));
    return { structured: { data, omitted: [], nextCursor } };
  },
});
