import { z } from 'zod';
import { guardedArguments } from '../../mcp/arguments.ts';
import { defineTool } from '../../mcp/tool.ts';
import { answered, mutationCall, mutationResult, replacing } from '../../mcp/guarded-call.ts';

const input = z.strictObject({
  ...guardedArguments,
  clientMutationId: z.uuid().describe('of the change that was interrupted'),
});

export const resumeMutation = defineTool({
  name: 'resume_mutation',
  title: 'Resume a mutation',
  toolset: 'curate',
  description:
    "Goes on with a change that was interrupted, under its first identity and with its first bytes: sends only what the service provably lacks. Use it where an answer's next names it. expectedUpdatedAt is the value of the first call.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: () => ({ of: 'first_call' }),
  async run(args, context) {
    const { mutations } = await context.account();
    const roots = await context.roots();
    return answered(await mutations.resume(args, { ...mutationCall(context), roots }));
  },
});
