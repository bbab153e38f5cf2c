import { adding, carryOutChange, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { createGroup } from '../../mutations/operations/groups.ts';

export const createGroupTool = defineTool({
  ...toolOf(createGroup, { setIds: 'Sets in it' }),
  title: 'Create a Boxset or Loadout: bundle Sets',
  description:
    'Make a new Boxset of movie, show and collection Sets, or a Loadout of game Sets. upload_asset with groupId gives it a picture.',
  searchHint:
    'make new build start boxset box loadout bundle bundles combine collect gather several sets game movie together',
  annotations: adding,
  run: (args, context) => carryOutChange(createGroup.name, args, context),
});
