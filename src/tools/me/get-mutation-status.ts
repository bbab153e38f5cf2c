import { z } from 'zod';
import { paging } from '../../mcp/arguments.ts';
import { readCursor } from '../../mcp/cursor.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { firstItems } from '../../mutations/submissions/report.ts';
import { answered } from '../curate/guarded-call.ts';

const position = z.object({ rank: z.int().min(0).max(2), index: z.int().min(0) });

export const getMutationStatus = defineTool({
  name: 'get_mutation_status',
  title: 'Get the status of a mutation',
  toolset: 'me',
  description:
    "Tells what is known of a change by its clientMutationId, also one that another process or an earlier day made: asks the service where it keeps a record, else reads the resource back and compares, and says which and how sure it is (`evidence`). Waits up to 40 s for news. Follow `next` until there is none. A Set's items come in pages, unsettled and failed ones first.",
  annotations: readOnly,
  input: z.strictObject({ clientMutationId: z.uuid().describe('of the change'), ...paging }),
  output: z.looseObject({ outcome: z.string(), clientMutationId: z.string(), next: z.unknown().optional() }),
  async run(args, context) {
    const { clientMutationId, limit } = args;
    const { mutations } = await context.account();
    const bound = { ...args, clientMutationId: clientMutationId.toLowerCase() };
    const after = readCursor('get_mutation_status', bound, position);
    const page = after === null && limit === firstItems.limit ? undefined : { after, limit };
    return answered(await mutations.status(clientMutationId, context.call(), page));
  },
});
