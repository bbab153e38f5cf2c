import { z } from 'zod';
import { paging } from '../../mcp/arguments.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { answerOf, pageOf, readAnswer } from '../answer.ts';

export const findUploadDestinations = defineTool({
  name: 'find_upload_destinations',
  title: 'Find your own Sets to upload to',
  toolset: 'me',
  description:
    'Find your own Sets and groups that artwork can be uploaded into. The service returns only some: q narrows. create_media_set takes a record unchanged as destination. Other tools take its id.',
  searchHint: 'search my boxsets loadouts target where into which can existing',
  annotations: readOnly,
  input: z.strictObject({
    kind: z.enum(['talent_set', 'media_set', 'boxset']),
    family: z.literal('game').optional().describe('game, else other media'),
    q: z.string().max(200).optional().describe('a word of the title'),
    cursor: paging.cursor,
  }),
  output: readAnswer,
  async run(args, context) {
    const { owned } = await context.account();
    const { kind, family, q } = args;
    const all = await owned.findUploadDestinations({ kind, family, q }, context.deadline);
    const total = all.length;
    const { data, nextCursor, next } = pageOf('find_upload_destinations', args, all);
    return answerOf({
      data,
      omitted: nextCursor === null ? [] : [{ section: 'data', total, returned: data.length, next }],
      nextCursor,
    });
  },
});
