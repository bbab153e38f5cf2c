import { createGroup } from '../../mutations/operations/create-group.ts';
import { adding, carryOut, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';

export const createGroupTool = defineTool({
  ...toolOf(createGroup, { setIds: 'ids of the Sets in it' }),
  title: 'Create a Boxset or Loadout',
  description:
    'Creates a Boxset (of movie, show and collection Sets) or a Loadout (of game Sets). expectedUpdatedAt is "none". It can\'t be deleted afterwards. The service promises nothing for its identity, so it is never sent again after a lost answer: check with get_mutation_status. Give it a poster with upload_asset and groupId.',
  annotations: adding,
  instead: findIdsIn,
  run: (args, context) => carryOut(createGroup.name, args, context),
});
