import { z } from 'zod';
import type { OmittedSection } from '../../mcp/arguments.ts';
import { paging } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { answerOf, fitting, readAnswer } from '../answer.ts';

const tool = 'find_upload_destinations';

export const findUploadDestinations = defineTool({
  name: tool,
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
    const { cursor: _, ...asked } = args;
    const { kind, family, q } = asked;
    const all = await owned.findUploadDestinations({ kind, family, q }, context.deadline);
    const total = all.length;
    const offset = readCursor(tool, args, z.int().min(0)) ?? 0;
    const data = fitting(all.slice(offset), room);
    context.shownPaths.learn(data);
    const end = offset + data.length;
    const nextCursor = end < total ? writeCursor(tool, args, end) : null;
    const omitted: OmittedSection[] = [];
    if (nextCursor !== null) {
      const next = { tool, arguments: { ...asked, cursor: nextCursor } };
      omitted.push({ section: 'data', total, returned: data.length, next });
    } else if (total >= fewest) {
      omitted.push({ section: 'data', total: null, returned: total, next: null });
    }
    return answerOf({ data, omitted, nextCursor, warnings: total < fewest ? [] : [limitWords(total)] });
  },
});

/** Characters of JSON; stays well below the limit of a result. */
const room = 14_000;

/**
 * The interface document (Limits) limits how many are returned, does not say to how many, and shows no pages here.
 * A limit below ten would serve nobody, so fewer are taken for all.
 */
const fewest = 10;

function limitWords(total: number): string {
  return `The service returned ${total}, and does not say whether there are more. To find others, give q a word of the title, or one letter.`;
}
