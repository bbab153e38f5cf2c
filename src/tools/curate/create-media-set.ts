import { z } from 'zod';
import { declaredFilesOf } from '../../curation/plan/items.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import {
  itemsToSend,
  leaveOutWithoutPlanError,
  ofPlan,
  openPlan,
  wrongPlanError,
} from '../../curation/plan/send-plan.ts';
import { createPlanStore } from '../../curation/plan/store.ts';
import { type ArtworkError, invalidArguments } from '../../errors.ts';
import { guardedArguments, leftOutFiles, revisionInShort } from '../../mcp/arguments.ts';
import {
  adding,
  answerOfMutation,
  carryOutChange,
  formsOf,
  mutationCall,
  mutationResult,
} from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { createMediaSet } from '../../mutations/operations/create-media-set.ts';

const { declaredFiles, ...set } = formsOf(createMediaSet.arguments, {
  entryTargetKind: 'e.g. show',
  finalised: 'is it complete? Ask the person',
  destination: 'a record of find_upload_destinations',
  'declaredFiles.file': 'absolute path, or as in the plan',
  'declaredFiles.targetKind': 'e.g. episode',
  'declaredFiles.slot': 'e.g. titlecard',
});

const input = z.strictObject({
  ...guardedArguments(revisionInShort({ of: 'nothing' })),
  ...set,
  planId: z.uuid().optional().describe('of plan_set'),
  declaredFiles: declaredFiles.optional().describe('beside planId: what the person answered'),
  leaveOut: leftOutFiles,
});

export const createMediaSetTool = defineTool({
  name: createMediaSet.name,
  title: 'Create and publish a Set with all its pictures',
  toolset: 'curate',
  description:
    "Create a new Set for a show, movie, collection or game with all its pictures, from the planId of plan_set or from declaredFiles. It can't be deleted: dryRun first. Answers within 45 s; while processing, get_mutation_status waits for it; resume_mutation goes on after an interruption.",
  searchHint: 'make submit new upload whole complete title cards titlecards posters series film',
  annotations: adding,
  input,
  output: mutationResult,
  revision: createMediaSet.revision,
  readsHostFolders: () => true,
  async run({ planId, declaredFiles, leaveOut, ...set }, context) {
    if (planId === undefined) {
      if (declaredFiles === undefined) throw noFiles();
      if (leaveOut !== undefined) throw leaveOutWithoutPlanError();
      return carryOutChange(createMediaSet.name, { ...set, declaredFiles }, context);
    }
    const { mutations, owned, records } = await context.account();
    const call = { ...mutationCall(context), roots: await context.roots() };
    const store = createPlanStore(await records('plans'));
    const found = await openPlan(planId, set.clientMutationId, store, mutations);
    requireCreation(found.plan, set);
    const { items, planned } = itemsToSend(found, declaredFilesOf(found), {
      given: declaredFiles ?? [],
      list: 'declaredFiles',
      leaveOut: leaveOut ?? [],
    });
    const args = { ...set, declaredFiles: items };
    const creation = mutations.perform(createMediaSet.name, args, { ...call, planned });
    return answerOfMutation(await ofPlan(found.plan, { store, owned, deadline: context.deadline }, creation));
  },
});

/** Without a folder nothing can be planned, and without files there is no Set. */
function noFiles(): ArtworkError {
  const message = 'is missing: give the planId of plan_set, declaredFiles, or both';
  const issues = [{ code: 'missing', message, path: ['planId'] }];
  const why =
    'A Set is made of its pictures. Ask the person which folder they lie in: plan_set reads it and answers the planId.';
  return invalidArguments('create_media_set was called with wrong arguments', issues, { why });
}

/** @throws ArtworkError `invalid_arguments` where the plan is for something else */
function requireCreation(
  { set, work }: Plan,
  { entryTargetKind, entryTargetId }: { entryTargetKind: string; entryTargetId: number },
): void {
  if (set !== null) {
    throw wrongPlanError(
      `This plan edits the Set ${set.id}: edit_set takes it. For a new Set plan without setId.`,
    );
  }
  if (work.kind === entryTargetKind && work.id === entryTargetId) return;
  throw wrongPlanError(
    `This plan is for the ${work.kind} ${work.id}, and the Set for the ${entryTargetKind} ${entryTargetId}: give the one that was planned for, or plan again for the other.`,
  );
}
