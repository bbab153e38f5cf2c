import { z } from 'zod';
import { defineTool, readOnly } from '../../mcp/tool.ts';

export const getMutationStatus = defineTool({
  name: 'get_mutation_status',
  title: 'Get the status of a mutation',
  toolset: 'me',
  description:
    'Tells what is known of a change by its clientMutationId, also one that another process or an earlier day made: asks the service where it keeps a record, else reads the resource back and compares, and says which and how sure it is (`evidence`). Waits up to 40 s for news. Follow `next` until there is none.',
  annotations: readOnly,
  input: z.strictObject({ clientMutationId: z.uuid().describe('of the change') }),
  output: z.looseObject({ outcome: z.string(), clientMutationId: z.string(), next: z.unknown().optional() }),
  async run({ clientMutationId }, context) {
    const { mutations } = await context.account();
    return { structured: { ...(await mutations.status(clientMutationId, context.call())) } };
  },
});
