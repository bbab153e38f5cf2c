import { z } from 'zod';
import { extra, guarded, integerIds, languageCode } from '../../mcp/arguments.ts';
import { ofNothing } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { adding, answered, mutationCall, mutationResult } from './guarded-call.ts';

const input = z.strictObject({
  ...guarded,
  extra,
  kind: z.enum(['boxset', 'loadout']),
  title: z.string().min(1).max(500).describe('as people will read it'),
  description: z.string().max(5_000).nullable().optional().describe('as people will read it'),
  languageCode: languageCode.nullable().optional().describe('e.g. "en"'),
  setIds: integerIds(1_000).optional().describe('ids of the Sets in it'),
});

export const createGroupTool = defineTool({
  name: 'create_group',
  title: 'Create a Boxset or Loadout',
  toolset: 'curate',
  description:
    'Creates a Boxset (of movie, show and collection Sets) or a Loadout (of game Sets). expectedUpdatedAt is "none". It can\'t be deleted afterwards. The service promises nothing for its identity, so it is never sent again after a lost answer: check with get_mutation_status. Give it a poster with upload_asset and groupId.',
  annotations: adding,
  input,
  output: mutationResult,
  revision: ofNothing,
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.createGroup(args, mutationCall(context)));
  },
});
