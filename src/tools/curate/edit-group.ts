import { defineTool } from '../../mcp/tool.ts';
import { editGroup } from '../../mutations/operations/edits.ts';
import { carryOutChange, replacing, toolOf } from './guarded-call.ts';

export const editGroupTool = defineTool({
  ...toolOf(editGroup, {
    addSetIds: 'Sets that come in',
    removeSetIds: 'Sets that leave',
  }),
  title: 'Edit or rename a Boxset or Loadout, add or remove Sets',
  description:
    'Rename a Boxset or Loadout of your own, add Sets or take Sets out, change its description or language. What you leave out stays.',
  searchHint: 'change title name text another drop membership members',
  annotations: replacing,
  run: (args, context) => carryOutChange(editGroup.name, args, context),
});
