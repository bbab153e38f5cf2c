import { z } from 'zod';
import { extra, guarded, integerId, slotName, slotOfTarget } from '../../mcp/arguments.ts';
import { targetKind } from '../../mcp/kinds.ts';
import { ofOwned } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';

const item = z
  .strictObject({
    existingAssetId: z.uuid(),
    expectedAssetUpdatedAt: z.string().min(1).max(500),
    targetKind,
    targetId: integerId('id of the target'),
    slot: slotName,
    itemId: z.uuid().optional().describe('left out: derived'),
    position: integerId('left out: its place in the list').optional(),
  })
  .superRefine(slotOfTarget);

const input = z.strictObject({
  ...guarded,
  extra,
  setId: integerId('the Set'),
  items: z.array(item).min(1).max(300).describe('one for each Asset'),
});

export const assignGroupingAssetsTool = defineTool({
  name: 'assign_grouping_assets',
  title: 'Assign artwork to a grouping Set',
  toolset: 'curate',
  description:
    "Puts standalone Assets of your own into a Talent, Brand or Category Set of your own. expectedUpdatedAt is the Set's updatedAt, expectedAssetUpdatedAt each Asset's, all from get_owned. The service's document does not show this request: dryRun shows what would be sent.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: ofOwned('set', 'setId'),
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.assignGroupingAssets(args, mutationCall(context)));
  },
});
