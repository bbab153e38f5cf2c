import { carryOutChange, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { assignGroupingAssets } from '../../mutations/operations/grouping-sets.ts';

export const assignGroupingAssetsTool = defineTool({
  ...toolOf(assignGroupingAssets, {
    'items.expectedAssetUpdatedAt': 'its updatedAt',
  }),
  title: 'Put pictures into a Talent, Brand or Category Set',
  description:
    'Put pictures (standalone Assets) of your own into a Talent, Brand or Category Set of your own. get_owned shows each updatedAt.',
  searchHint:
    'put add move sort standalone loose single existing portraits photos pictures posters logos artwork into talent brand category set person network',
  annotations: replacing,
  run: (args, context) => carryOutChange(assignGroupingAssets.name, args, context),
});
