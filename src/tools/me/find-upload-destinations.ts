import { z } from 'zod';
import { readResult } from '../../mcp/arguments.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const input = z.strictObject({
  kind: z.enum(['talent_set', 'media_set', 'boxset']),
  family: z.literal('game').optional().describe('game destinations; left out: media'),
  q: z.string().max(200).optional().describe('search text'),
});

export const findUploadDestinations = defineTool({
  name: 'find_upload_destinations',
  title: 'Find upload destinations',
  toolset: 'me',
  description:
    'Finds Sets or groups of the connected account that artwork can go into. The service limits how many it returns, and does not say that it did: narrow with q. Pass a record on verbatim as the destination of create_media_set, or take its id for setId or groupId.',
  annotations: readOnly,
  input,
  output: readResult,
  async run(args, context) {
    const { owned } = await context.account();
    const { kind, family, q } = args;
    const destinations = await owned.findUploadDestinations({ kind, family, q }, context.call());
    const data = withinBudget(destinations);
    context.shownPaths.learn(data);
    const { length: total } = destinations;
    // The service has no pages here: only a narrower `q` shows the others, and which one the caller knows.
    const rest = { section: 'data', total, returned: data.length, next: null };
    const omitted = data.length < total ? [rest] : [];
    return { structured: { data, omitted, nextCursor: null } };
  },
});

/** Characters of JSON; stays well below the limit of a result. */
const budget = 14_000;

/** As many of the first ones as an answer has room for. */
function withinBudget<Item>(items: readonly Item[]): Item[] {
  let left = budget;
  const end = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
