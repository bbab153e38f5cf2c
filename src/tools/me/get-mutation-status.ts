import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { paging } from '../../mcp/arguments.ts';
import { answerOfMutation, mutationResult, paged } from '../../mcp/guarded-call.ts';
import { readCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const position = z.object({ from: z.int().min(0) });

export const getMutationStatus = defineTool({
  name: 'get_mutation_status',
  title: 'Status: has an upload, creation or edit finished or failed?',
  toolset: 'me',
  description:
    'Did an upload, creation or edit go through? Waits up to 40 s for news. Follow `next` until there is none.',
  searchHint:
    'creation created set successfully did my upload go went gone through work worked succeed success successful done finish finished complete completed ready progress outcome result state of a change edit still processing pending stuck fail failed yet check how is it',
  annotations: readOnly,
  input: z.strictObject({
    clientMutationId: z.uuid().optional().describe('or submissionId and kind'),
    submissionId: z.string().min(1).max(200).optional(),
    kind: z.enum(['creation', 'edit']).optional(),
    items: z.boolean().optional().describe('true: each file'),
    receipt: z.boolean().optional().describe('as kept'),
    ...paging,
  }),
  output: mutationResult.partial({ clientMutationId: true }),
  async run(args, context) {
    const { clientMutationId: id, submissionId, kind, limit, items = false, receipt = false } = args;
    const { mutations } = await context.account();
    const call = { deadline: context.deadline };
    const pageFor = (identity: Readonly<Record<string, string | boolean>>) => {
      const { cursor } = args;
      const from = readCursor('get_mutation_status', { ...identity, cursor }, position)?.from ?? 0;
      return { all: items, from, limit, receipt };
    };
    const shown = { ...(items ? { items } : {}), ...(receipt ? { receipt } : {}) };
    if (id !== undefined && submissionId === undefined && kind === undefined) {
      const identity = { clientMutationId: id.toLowerCase(), ...shown };
      return answerOfMutation(await mutations.status(id, call, pageFor(identity)), identity);
    }
    if (id === undefined && submissionId !== undefined && kind !== undefined) {
      const identity = { submissionId, kind, ...shown };
      const report = await mutations.submissionStatus({ submissionId, kind }, call, pageFor(identity));
      return { structured: paged(report, identity) };
    }
    throw wrongIdentity(id !== undefined && submissionId !== undefined);
  },
});

function wrongIdentity(both: boolean): ArtworkError {
  const message =
    'Give either clientMutationId alone, or submissionId together with kind ("creation" or "edit").';
  return new ArtworkError('invalid_arguments', message, {
    issues: [
      { code: 'identity', message: both ? 'excludes submissionId' : 'is needed', path: ['clientMutationId'] },
    ],
  });
}
