import { carryOutChange, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { editGroup } from '../../mutations/operations/groups.ts';

export const editGroupTool = defineTool({
  ...toolOf(editGroup, {
    addSetIds: 'Sets that come in',
    removeSetIds: 'Sets that leave',
  }),
  title: 'Edit or rename a Boxset or Loadout, add or remove Sets',
  description:
    'Rename a Boxset or Loadout of your own, add Sets to it or take Sets out, change its description or language. What you leave out stays.',
  searchHint:
    'rename change boxset loadout title name description text language add another remove take out drop set sets membership members',
  annotations: replacing,
  run: (args, context) => carryOutChange(editGroup.name, args, context),
});
