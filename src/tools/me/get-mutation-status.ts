import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { paging } from '../../mcp/arguments.ts';
import { answerOfMutation, pagedItems, touched } from '../../mcp/guarded-call.ts';
import { readCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { firstItems } from '../../mutations/answer/items.ts';

const position = z.object({ rank: z.int().min(0).max(2), index: z.int().min(0) });

export const getMutationStatus = defineTool({
  name: 'get_mutation_status',
  title: 'Status: has an upload, creation or edit finished or failed?',
  toolset: 'me',
  description:
    'Did an upload, creation or edit go through? Tells its status: finished, failed, processing or unknown. Waits up to 40 s; unfinished items come first. Follow `next` until there is none.',
  searchHint:
    'creation created set successfully did my upload go went gone through work worked succeed success successful done finish finished complete completed ready progress outcome result state of a change edit still processing pending stuck fail failed yet check how is it',
  annotations: readOnly,
  input: z.strictObject({
    clientMutationId: z.uuid().optional().meta({
      description: 'of the change; or give submissionId and kind',
      brief: 'or submissionId and kind',
    }),
    submissionId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: "the service's id of a Set creation or edit", brief: 'of a Set made elsewhere' }),
    kind: z
      .enum(['creation', 'edit'])
      .optional()
      .meta({ description: 'of the submissionId', brief: 'of that' }),
    ...paging,
  }),
  output: z.looseObject({
    outcome: z.string(),
    clientMutationId: z.string().optional(),
    id: touched,
    next: z.unknown().optional(),
  }),
  async run(args, context) {
    const { clientMutationId, submissionId, kind, limit } = args;
    const { mutations } = await context.account();
    const pageFor = (bound: Readonly<Record<string, unknown>>) => {
      const after = readCursor('get_mutation_status', bound, position);
      return after === null && limit === firstItems.limit ? undefined : { after, limit };
    };
    if (clientMutationId !== undefined && submissionId === undefined && kind === undefined) {
      const page = pageFor({ ...args, clientMutationId: clientMutationId.toLowerCase() });
      return answerOfMutation(await mutations.status(clientMutationId, { deadline: context.deadline }, page));
    }
    if (clientMutationId === undefined && submissionId !== undefined && kind !== undefined) {
      const asked = { submissionId, kind };
      return pagedItems(
        await mutations.submissionStatus(asked, { deadline: context.deadline }, pageFor(args)),
        asked,
      );
    }
    throw wrongIdentity(clientMutationId, submissionId);
  },
});

function wrongIdentity(clientMutationId: string | undefined, submissionId: string | undefined): ArtworkError {
  const both = clientMutationId !== undefined && submissionId !== undefined;
  const lacking = submissionId === undefined ? 'submissionId' : 'kind';
  const path =
    both || (clientMutationId === undefined && submissionId === undefined) ? 'clientMutationId' : lacking;
  const message =
    'Give either clientMutationId alone, or submissionId together with kind ("creation" or "edit").';
  return new ArtworkError('invalid_arguments', message, {
    issues: [{ code: 'identity', message: both ? 'excludes submissionId' : 'is needed', path: [path] }],
  });
}
