import { editGroup } from '../../mutations/operations/edit-group.ts';
import { carryOutChange, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';

export const editGroupTool = defineTool({
  ...toolOf(editGroup, {
    groupId: { about: 'the group', brief: '' },
    description: { about: 'null clears it', brief: '' },
    setIds: { about: 'the complete membership afterwards', brief: 'all Sets afterwards' },
  }),
  title: 'Edit or rename a Boxset or Loadout, add or remove Sets',
  description:
    'Rename a Boxset or Loadout of your own, add Sets to it or take Sets out, change its description or language. setIds is all Sets afterwards; what else you leave out stays.',
  searchHint:
    'rename change boxset loadout title name description text language add another remove take out drop set sets membership members',
  annotations: replacing,
  run: (args, context) => carryOutChange(editGroup.name, args, context),
});
