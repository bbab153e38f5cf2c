import { z } from 'zod';
import { revisionOf } from '../../catalogue/records/owned.ts';
import { paging } from '../../mcp/arguments.ts';
import { collectPages, cursorPosition, readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { answerOf, readAnswer } from '../answer.ts';

export const listRelationships = defineTool({
  name: 'list_relationships',
  title: 'List whom you follow, and what is hidden',
  toolset: 'me',
  description:
    'List the users whom you follow or have hidden, each with the updatedAt that change_relationship takes.',
  searchHint: 'who whom do i following followed blocked creators artists people relations',
  annotations: readOnly,
  input: z.strictObject(paging),
  output: readAnswer,
  async run(args, context) {
    const { owned } = await context.account();
    const { items, next } = await collectPages({
      start: readCursor('list_relationships', args, cursorPosition) ?? { page: null, offset: 0 },
      limit: args.limit,
      read: (page) => owned.readRelationships(page, context.deadline),
    });
    return answerOf({
      data: items.map((item) => ({ ...item, updatedAt: revisionOf(item) })),
      nextCursor: next === null ? null : writeCursor('list_relationships', args, next),
    });
  },
});
