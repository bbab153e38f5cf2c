import { z } from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { answerOfChange, callOf, guardedArguments, mutationResult, replacing } from './change-tool.ts';

export const resumeMutation = defineTool({
  name: 'resume_mutation',
  title: 'Resume an interrupted upload or change: go on where it stopped',
  toolset: 'curate',
  description:
    'Resume an upload or other change that was interrupted, under its first id and with its files, where the `next` of an answer names this.',
  searchHint: 'continue finish rest retry try again restart stopped broke crashed power lost unfinished half',
  annotations: replacing,
  input: z.strictObject({
    ...guardedArguments('as in the first call, or `none`'),
    clientMutationId: z.uuid().describe('of the change that was interrupted'),
  }),
  output: mutationResult,
  revision: () => ({ of: 'first_call' }),
  async run(args, context) {
    const { mutations } = await context.account();
    const roots = await context.roots();
    return answerOfChange(await mutations.resume(args, { ...callOf(context), roots }));
  },
});
