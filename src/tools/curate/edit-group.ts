import { editGroup } from '../../mutations/operations/edit-group.ts';
import { carryOut, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';

export const editGroupTool = defineTool({
  ...toolOf(editGroup, {
    groupId: 'the group',
    description: 'null clears it',
    setIds: 'the complete membership afterwards',
  }),
  title: 'Edit a Boxset or Loadout',
  description:
    "Changes title, description, language or membership of a group of your own; what you leave out stays. setIds is the complete membership afterwards: Sets you leave out of it are taken out. expectedUpdatedAt is the group's updatedAt from get_owned.",
  annotations: replacing,
  instead: findIdsIn,
  run: (args, context) => carryOut(editGroup.name, args, context),
});
