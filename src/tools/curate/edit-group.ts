import { z } from 'zod';
import { extra, guarded, integerId, integerIds, languageCode } from '../../mcp/arguments.ts';
import { ofOwned } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';

const input = z.strictObject({
  ...guarded,
  extra,
  groupId: integerId('the group'),
  title: z.string().min(1).max(500).optional().describe('as people will read it'),
  description: z.string().max(5_000).nullable().optional().describe('null clears it'),
  languageCode: languageCode.nullable().optional().describe('null clears it'),
  setIds: integerIds(1_000).optional().describe('the complete membership afterwards'),
});

export const editGroupTool = defineTool({
  name: 'edit_group',
  title: 'Edit a Boxset or Loadout',
  toolset: 'curate',
  description:
    "Changes title, description, language or membership of a group of your own; what you leave out stays. setIds is the complete membership afterwards: Sets you leave out of it are taken out. expectedUpdatedAt is the group's updatedAt from get_owned.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: ofOwned('group', 'groupId'),
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.editGroup(args, mutationCall(context)));
  },
});
