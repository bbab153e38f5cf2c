import { z } from 'zod';
import { invalidArguments } from '../../errors.ts';
import { paging } from '../../mcp/arguments.ts';
import { readCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { firstItems } from '../../mutations/answer/items.ts';
import { answerOfMutation, mutationResult } from '../curate/change-tool.ts';

const position = z.object({ from: z.int().min(0) });

export const getMutationStatus = defineTool({
  name: 'get_mutation_status',
  title: 'Status: has an upload, creation or edit finished or failed?',
  toolset: 'me',
  description:
    'Did an upload, creation or edit go through? Waits up to 40 s for news. Follow `next` until there is none.',
  searchHint:
    'how is it worked went succeed success successful done complete completed ready progress result still processing pending stuck fail yet check',
  annotations: readOnly,
  input: z.strictObject({
    clientMutationId: z.uuid().optional().describe('or submissionId with kind'),
    submissionId: z.string().min(1).max(200).optional(),
    kind: z.enum(['creation', 'edit']).optional(),
    items: z.boolean().optional().describe('true: each file'),
    receipt: z.boolean().optional().describe("true: the service's own, as kept"),
    ...paging,
  }),
  output: mutationResult,
  async run(args, context) {
    const { clientMutationId: id, submissionId, kind, limit, cursor, items = false, receipt = false } = args;
    const { mutations } = await context.account();
    const { deadline } = context;
    const shown = { ...(items ? { items } : {}), ...(receipt ? { receipt } : {}) };
    const pageFor = (identity: Readonly<Record<string, string | boolean>>) => {
      const from = readCursor('get_mutation_status', { ...identity, cursor }, position)?.from ?? 0;
      // What failed or is open is told unasked, so briefly: the limit is for who asks for the files.
      return { all: items, from, limit: items ? limit : Math.min(limit, firstItems.limit), receipt };
    };
    if (id !== undefined && submissionId === undefined && kind === undefined) {
      const identity = { clientMutationId: id.toLowerCase(), ...shown };
      return answerOfMutation(await mutations.status(id, { deadline }, pageFor(identity)), identity);
    }
    if (id === undefined && submissionId !== undefined && kind !== undefined) {
      const identity = { submissionId, kind, ...shown };
      const found = await mutations.submissionStatus({ submissionId, kind }, { deadline }, pageFor(identity));
      return answerOfMutation(found, identity);
    }
    throw invalidArguments('get_mutation_status takes clientMutationId alone, or submissionId with kind', [
      { code: 'identity', message: 'names the change', path: ['clientMutationId'] },
    ]);
  },
});
