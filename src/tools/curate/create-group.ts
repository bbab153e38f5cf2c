import { defineTool } from '../../mcp/tool.ts';
import { createGroup } from '../../mutations/operations/creations.ts';
import { adding, carryOutChange, toolOf } from './guarded-call.ts';

export const createGroupTool = defineTool({
  ...toolOf(createGroup, { setIds: 'Sets in it' }),
  title: 'Create a Boxset or Loadout: bundle Sets',
  description:
    'Make a new Boxset of movie, show and collection Sets, or a Loadout of game Sets. Then upload_asset with groupId gives it a picture.',
  searchHint: 'build start combine collect gather several together',
  annotations: adding,
  run: (args, context) => carryOutChange(createGroup.name, args, context),
});
