import { createGroupingSet } from '../../mutations/operations/creations.ts';
import { adding, changeTool } from './change-tool.ts';

export const createGroupingSetTool = changeTool(createGroupingSet, {
  title: 'Create a Talent, Brand or Category Set',
  description:
    'Make a new Set of artwork about a person (talent_set), networks and companies (brand_set) or a category (category_set). Then assign_grouping_assets fills it.',
  searchHint: 'start actor actress director studio channel genre',
  annotations: adding,
  words: {
    entryTargetKind: 'e.g. person, category',
    networkIds: 'brand_set only',
    companyIds: 'brand_set only',
  },
});
