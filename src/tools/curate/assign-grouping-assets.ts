import { defineTool } from '../../mcp/tool.ts';
import { assignGroupingAssets } from '../../mutations/operations/edits.ts';
import { carryOutChange, replacing, toolOf } from './guarded-call.ts';

export const assignGroupingAssetsTool = defineTool({
  ...toolOf(assignGroupingAssets, {
    'items.expectedAssetUpdatedAt': 'its updatedAt',
  }),
  title: 'Put pictures into a Talent, Brand or Category Set',
  description:
    'Put single pictures (Assets) of your own into a Talent, Brand or Category Set of your own. get_owned shows the updatedAt of each.',
  searchHint: 'move sort existing loose portraits photos logos posters person network',
  annotations: replacing,
  run: (args, context) => carryOutChange(assignGroupingAssets.name, args, context),
});
