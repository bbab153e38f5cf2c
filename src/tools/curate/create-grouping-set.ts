import { adding, carryOutChange, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { createGroupingSet } from '../../mutations/operations/grouping-sets.ts';

export const createGroupingSetTool = defineTool({
  ...toolOf(createGroupingSet, {
    entryTargetKind: 'person or category; not for a brand_set',
    networkIds: 'brand_set only',
    companyIds: 'brand_set only',
  }),
  title: 'Create a Talent, Brand or Category Set',
  description:
    'Create a Set of artwork about an actor or other person (talent_set), networks and companies (brand_set) or a category (category_set). Then fill it by assign_grouping_assets.',
  searchHint:
    'make new start about actor actress director person people talent brand studio network channel company category genre',
  annotations: adding,
  run: (args, context) => carryOutChange(createGroupingSet.name, args, context),
});
