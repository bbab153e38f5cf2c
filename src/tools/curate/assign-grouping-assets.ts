import { assignGroupingAssets } from '../../mutations/operations/edits.ts';
import { changeTool, replacing } from './change-tool.ts';

export const assignGroupingAssetsTool = changeTool(assignGroupingAssets, {
  title: 'Put pictures into a Talent, Brand or Category Set',
  description:
    'Put single pictures (Assets) of your own into a Talent, Brand or Category Set of your own. get_owned shows the updatedAt of each.',
  searchHint: 'move sort existing loose portraits photos logos posters person network',
  annotations: replacing,
  words: {
    'items.expectedAssetUpdatedAt': 'its updatedAt',
  },
});
