import { assignGroupingAssets } from '../../mutations/operations/assign-grouping-assets.ts';
import { carryOut, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';

export const assignGroupingAssetsTool = defineTool({
  ...toolOf(assignGroupingAssets, {
    setId: 'the Set',
    items: { about: 'one for each Asset', of: {} },
  }),
  title: 'Assign artwork to a grouping Set',
  description:
    "Puts standalone Assets of your own into a Talent, Brand or Category Set of your own. expectedUpdatedAt is the Set's updatedAt, expectedAssetUpdatedAt each Asset's, all from get_owned. The service's document does not show this request: dryRun shows what would be sent.",
  annotations: replacing,
  instead: findIdsIn,
  run: (args, context) => carryOut(assignGroupingAssets.name, args, context),
});
