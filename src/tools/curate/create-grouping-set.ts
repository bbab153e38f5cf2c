import { z } from 'zod';
import { editionId, extra, guarded, integerId, integerIds, languageCode } from '../../mcp/arguments.ts';
import { openKind } from '../../mcp/kinds.ts';
import { ofNothing } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { adding, answered, mutationCall, mutationResult } from './guarded-call.ts';

const input = z.strictObject({
  ...guarded,
  extra,
  setKind: z.enum(['talent_set', 'brand_set', 'category_set']),
  titleBase: z.string().min(1).max(500).describe('title as people will read it'),
  entryTargetKind: openKind.optional().describe('"person" or "category"; not for a brand_set'),
  entryTargetId: integerId('id of that person or category').optional(),
  networkIds: integerIds(500).optional().describe('brand_set only'),
  companyIds: integerIds(500).optional().describe('brand_set only'),
  description: z.string().max(5_000).nullable().optional().describe('as people will read it'),
  languageCode: languageCode.nullable().optional().describe('e.g. "en"'),
  editionId: editionId.nullable().optional().describe('of the catalogue'),
});

export const createGroupingSetTool = defineTool({
  name: 'create_grouping_set',
  title: 'Create a Talent, Brand or Category Set',
  toolset: 'curate',
  description:
    'Creates a Set of standalone artwork about a person (talent_set), networks and companies (brand_set) or a category (category_set). expectedUpdatedAt is "none". It can\'t be deleted afterwards, and a lost answer is never repeated: check with get_mutation_status. Fill it with assign_grouping_assets.',
  annotations: adding,
  input,
  output: mutationResult,
  revision: ofNothing,
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.createGroupingSet(args, mutationCall(context)));
  },
});
