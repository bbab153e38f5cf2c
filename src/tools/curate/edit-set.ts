import { z } from 'zod';
import { metadataChanges } from '../../catalogue/request.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { wrongPlanError } from '../../curation/plan/send-plan.ts';
import { defineTool } from '../../mcp/tool.ts';
import { slotsWords } from '../../model/slots.ts';
import { editSet } from '../../mutations/operations/edit-set.ts';
import { argumentsOf, mutationResult, replacing } from './change-tool.ts';
import { makePlannedChange, planArguments } from './planned.ts';

const { items, ...own } = argumentsOf(editSet);

export const editSetTool = defineTool({
  name: editSet.name,
  title: 'Edit a Set: change details, add or replace several pictures',
  toolset: 'curate',
  description: `Edit a Set of your own: add, replace or assign ${slotsWords('titlecard')} and other pictures, correct their metadata, or rename it. It takes items (at most 300) or the planId of plan_set. An item that fails doesn't stop the others. While processing: get_mutation_status.`,
  searchHint: 'my existing swap many posters titlecards name description finalise finished language update',
  annotations: replacing,
  input: z
    .strictObject({ ...own, planId: planArguments.planId, items, leaveOut: planArguments.leaveOut })
    .meta({
      words: {
        setKind: 'media_set: of a film, show, game or collection',
        metadata: 'the rest stays',
        'metadata.finalised': 'complete?',
        items: 'beside planId: what the person answered',
        'items.operation': 'what to do',
        'items.targetKind': 'e.g. episode',
        'items.slot': 'e.g. titlecard',
        'items.file': 'add, replace',
        'items.expectedPreviousAssetId': 'replace',
        'items.existingAssetId': 'assign, asset_metadata',
        'items.expectedAssetUpdatedAt': 'all but add',
        ...Object.fromEntries(
          Object.keys(metadataChanges).map((name) => [`items.${name}`, 'asset_metadata']),
        ),
      },
    }),
  output: mutationResult,
  revision: editSet.revision,
  async run({ planId, leaveOut, items: given, ...args }, context) {
    const { name } = editSet;
    const requireFit = (plan: Plan) => requireEdit(plan, args.setId);
    return makePlannedChange({ name, args, list: 'items', given, planId, leaveOut, requireFit }, context);
  },
});

/** @throws ArtworkError `invalid_arguments` where the plan is for something else */
function requireEdit({ set }: Plan, setId: number): void {
  if (set === null)
    throw wrongPlanError('is for a new Set, so create_media_set takes it: for an edit, plan with its setId');
  if (set.id === setId) return;
  throw wrongPlanError(`edits the Set ${set.id}, not ${setId}: give that setId, or plan with this one`);
}
