import { z } from 'zod';
import { editItemsOf } from '../../curation/plan/expand.ts';
import { ofPlan } from '../../curation/plan/of-plan.ts';
import { itemsToSend, leavesNothingOut, openPlan, wrongPlan } from '../../curation/plan/open.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { createPlanStore } from '../../curation/plan/store.ts';
import { guardedArguments, leftOutFiles } from '../../mcp/arguments.ts';
import { formsOf } from '../../mcp/forms.ts';
import { answered, carryOut, mutationCall, mutationResult, replacing } from '../../mcp/guarded-call.ts';
import { oneOf } from '../../mcp/kinds.ts';
import { defineTool } from '../../mcp/tool.ts';
import { editSet } from '../../mutations/operations/edit-set.ts';
import { mostItems } from '../../mutations/operations/split-edit.ts';
import { findIdsIn } from '../find-ids.ts';

const { items, ...edit } = formsOf(editSet.arguments, {
  setId: 'a Set of your own',
  setKind: oneOf(editSet.arguments.shape.setKind, (given) =>
    isMediaSet(given)
      ? { meant: 'media_set', why: 'movie, show, game and collection Sets are media Sets' }
      : null,
  ),
  metadata: {
    about: 'what changes of the Set itself; the rest stays',
    of: { titleBase: null, description: null, editionId: null },
  },
  items: {
    of: {
      targetKind: 'e.g. "episode"',
      slot: 'e.g. "titlecard"',
      file: 'add and replace: as in create_media_set',
      expectedPreviousAssetId: 'replace: the Asset that goes',
      existingAssetId: 'assign and asset_metadata: the Asset',
      expectedAssetUpdatedAt: "all but add: that Asset's updatedAt",
      languageCode: 'asset_metadata',
      editionId: 'asset_metadata',
    },
  },
});

/** What public reads call it. */
function isMediaSet(given: unknown): boolean {
  return typeof given === 'string' && /^(movie|show|game|collection)[\s_-]?sets?$/i.test(given.trim());
}

const input = z.strictObject({
  ...guardedArguments,
  ...edit,
  planId: z.uuid().optional().describe('of plan_set with setId: its items'),
  // More are answered with how to split them, which a schema can't.
  items: items
    .meta({ maxItems: mostItems })
    .describe(
      'what changes of its artwork; the rest stays. Beside planId: the answers of the person, which win',
    ),
  leaveOut: leftOutFiles,
});

export const editSetTool = defineTool({
  name: editSet.name,
  title: 'Edit a Set and its artwork',
  toolset: 'curate',
  description:
    "Edits a Set of your own in one step: its metadata, and pictures that are added, replaced, assigned (standalone Assets) or given other metadata, as items or by the planId of plan_set. Nothing shows before all is sent; an item that fails leaves the others (partial). expectedUpdatedAt is the Set's updatedAt, from get_owned. At most 300 items; more go in several edits, each with the updatedAt that the one before left. Long work goes on as with create_media_set.",
  annotations: replacing,
  input,
  output: mutationResult,
  revision: editSet.revision,
  instead: findIdsIn,
  async run({ planId, leaveOut, ...edit }, context) {
    if (planId === undefined) {
      if (leaveOut !== undefined) throw leavesNothingOut();
      return carryOut(editSet.name, edit, context);
    }
    const { mutations, owned, records } = await context.account();
    const call = { ...mutationCall(context), roots: await context.roots() };
    const store = createPlanStore(await records('plans'));
    const found = await openPlan(planId, edit.clientMutationId, store, mutations);
    requireEdit(found.plan, edit.setId);
    const { items, planned } = itemsToSend(found, editItemsOf(found), {
      given: edit.items ?? [],
      list: 'items',
      leaveOut: leaveOut ?? [],
    });
    const editing = mutations.perform(editSet.name, { ...edit, items }, { ...call, planned });
    return answered(await ofPlan(found.plan, { store, owned, call: () => context.call() }, editing));
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
