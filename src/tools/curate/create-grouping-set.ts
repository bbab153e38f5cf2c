import { createGroupingSet } from '../../mutations/operations/create-grouping-set.ts';
import { adding, carryOut, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';

export const createGroupingSetTool = defineTool({
  ...toolOf(createGroupingSet, {
    titleBase: 'title as people will read it',
    entryTargetKind: '"person" or "category"; not for a brand_set',
    entryTargetId: 'id of that person or category',
    networkIds: 'brand_set only',
    companyIds: 'brand_set only',
  }),
  title: 'Create a Talent, Brand or Category Set',
  description:
    'Creates a Set of standalone artwork about a person (talent_set), networks and companies (brand_set) or a category (category_set). expectedUpdatedAt is "none". It can\'t be deleted afterwards, and a lost answer is never repeated: check with get_mutation_status. Fill it with assign_grouping_assets.',
  annotations: adding,
  instead: findIdsIn,
  run: (args, context) => carryOut(createGroupingSet.name, args, context),
});
