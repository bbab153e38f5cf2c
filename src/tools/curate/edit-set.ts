import { z } from 'zod';
import { editItemsOf } from '../../curation/plan/expand.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { editionId, guarded, integerId, languageCode, slotName, slotOfTarget } from '../../mcp/arguments.ts';
import { oneOf, targetKind } from '../../mcp/kinds.ts';
import { ofOwned } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';
import { itemsToSend, leavesNothingOut, leftOutFiles, openPlan, wrongPlan } from './open-plan.ts';
import { ofPlan } from './plan-outdated.ts';

const metadata = z.strictObject({
  titleBase: z.string().min(1).max(500).optional(),
  description: z.string().max(5_000).nullable().optional(),
  languageCode: languageCode.nullable().optional().describe('null clears it'),
  editionId: editionId.nullable().optional(),
  finalised: z.boolean().optional(),
});

const item = z
  .strictObject({
    operation: z.enum(['add', 'replace', 'assign', 'asset_metadata']),
    targetKind: targetKind.describe('e.g. "episode"'),
    targetId: integerId('id of the target'),
    slot: slotName.describe('e.g. "titlecard"'),
    itemId: z.uuid().optional().describe('left out: derived'),
    position: integerId('left out: its place in the list').optional(),
    file: z.string().min(1).max(4_096).optional().describe('add and replace: as in create_media_set'),
    expectedPreviousAssetId: z.uuid().optional().describe('replace: the Asset that goes'),
    existingAssetId: z.uuid().optional().describe('assign and asset_metadata: the Asset'),
    expectedAssetUpdatedAt: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("all but add: that Asset's updatedAt"),
    languageCode: languageCode.nullable().optional().describe('asset_metadata'),
    editionId: editionId.nullable().optional().describe('asset_metadata'),
  })
  .superRefine(slotOfTarget);

/** What public reads call it. */
function isMediaSet(given: unknown): boolean {
  return typeof given === 'string' && /^(movie|show|game|collection)[\s_-]?sets?$/i.test(given.trim());
}

const input = z.strictObject({
  ...guarded,
  setId: integerId('a Set of your own'),
  setKind: oneOf(['media_set', 'talent_set', 'brand_set', 'category_set'], (given) =>
    isMediaSet(given)
      ? { meant: 'media_set', why: 'movie, show, game and collection Sets are media Sets' }
      : null,
  ),
  metadata: metadata.optional().describe('what changes of the Set itself; the rest stays'),
  planId: z.uuid().optional().describe('of plan_set with setId: its items'),
  // More are answered with how to split them, which a schema can't.
  items: z
    .array(item)
    .optional()
    .meta({ maxItems: 300 })
    .describe(
      'what changes of its artwork; the rest stays. Beside planId: the answers of the person, which win',
    ),
  leaveOut: leftOutFiles,
});

export const editSetTool = defineTool({
  name: 'edit_set',
  title: 'Edit a Set and its artwork',
  toolset: 'curate',
  description:
    "Edits a Set of your own in one step: its metadata, and pictures that are added, replaced, assigned (standalone Assets) or given other metadata, as items or by the planId of plan_set. Nothing shows before all is sent; an item that fails leaves the others (partial). expectedUpdatedAt is the Set's updatedAt, from get_owned. At most 300 items; more go in several edits, each with the updatedAt that the one before left. Long work goes on as with create_media_set.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: ofOwned('set', 'setId'),
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    const { planId, leaveOut, ...edit } = args;
    const call = { ...mutationCall(context), roots: await context.roots() };
    if (planId === undefined) {
      if (leaveOut !== undefined) throw leavesNothingOut();
      return answered(await mutations.editSet(edit, call));
    }
    const found = await openPlan(planId, args.clientMutationId, context);
    requireEdit(found.plan, edit.setId);
    const { items, planned } = itemsToSend(found, editItemsOf(found), {
      given: edit.items ?? [],
      list: 'items',
      leaveOut: leaveOut ?? [],
    });
    const editing = mutations.editSet({ ...edit, items }, { ...call, planned });
    return answered(await ofPlan(found.plan, context, editing));
  },
});

/** @throws ArtworkError `invalid_arguments` where the plan is for something else */
function requireEdit({ set }: Plan, setId: number): void {
  if (set === null) {
    throw wrongPlan(
      'This plan is for a new Set: create_media_set takes it. For an edit of this one plan with its setId.',
    );
  }
  if (set.id === setId) return;
  throw wrongPlan(`This plan edits the Set ${set.id}, not ${setId}: give that setId, or plan with this one.`);
}
