import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
import { wrongPlanError } from '../../curation/plan/send-plan.ts';
import { type ArtworkError, invalidArguments } from '../../errors.ts';
import { defineTool } from '../../mcp/tool.ts';
import { createMediaSet } from '../../mutations/operations/create-media-set.ts';
import {
  adding,
  formsOf,
  guardedArguments,
  leftOutFiles,
  mutationResult,
  revisionInShort,
} from './guarded-call.ts';
import { carryOutPlanned } from './planned.ts';

const { declaredFiles, ...set } = formsOf(createMediaSet.arguments, {
  entryTargetKind: 'e.g. show',
  finalised: 'is it complete? Ask the person',
  destination: 'a record of find_upload_destinations',
  'declaredFiles.file': 'absolute path, or as in the plan',
  'declaredFiles.targetKind': 'e.g. episode',
  'declaredFiles.slot': 'e.g. titlecard',
});

export const createMediaSetTool = defineTool({
  name: createMediaSet.name,
  title: 'Create and publish a Set with all its pictures',
  toolset: 'curate',
  description:
    "Create a new Set for a show, movie, collection or game with all its pictures, from the planId of plan_set or from declaredFiles. It can't be deleted: dryRun first. Answers within 45 s. While processing, get_mutation_status waits for it. After an interruption, resume_mutation goes on.",
  searchHint: 'make submit new upload whole complete title cards titlecards posters series film',
  annotations: adding,
  input: z.strictObject({
    ...guardedArguments(revisionInShort({ of: 'nothing' })),
    ...set,
    planId: z.uuid().optional().describe('of plan_set'),
    declaredFiles: declaredFiles.optional().describe('beside planId: what the person answered'),
    leaveOut: leftOutFiles,
  }),
  output: mutationResult,
  revision: createMediaSet.revision,
  async run({ planId, leaveOut, declaredFiles: given, ...args }, context) {
    if (planId === undefined && given === undefined) throw noFiles();
    return carryOutPlanned(
      {
        ...{ name: createMediaSet.name, args, list: 'declaredFiles', given, planId, leaveOut },
        requireFit: (plan) => requireCreation(plan, args),
      },
      context,
    );
  },
});

/** Without a folder nothing can be planned, and without files there is no Set. */
function noFiles(): ArtworkError {
  const message = 'is missing: give the planId of plan_set, declaredFiles, or both';
  const why = 'Ask the person for the folder with the pictures. plan_set reads it and answers a planId.';
  const issues = [{ code: 'missing', message, path: ['planId'] }];
  return invalidArguments('create_media_set lacks its files', issues, { why });
}

/** @throws ArtworkError `invalid_arguments` where the plan is for something else */
function requireCreation(
  { set, work }: Plan,
  { entryTargetKind, entryTargetId }: { readonly entryTargetKind: string; readonly entryTargetId: number },
): void {
  if (set !== null)
    throw wrongPlanError(`edits the Set ${set.id}, so edit_set takes it: for a new Set, plan without setId`);
  if (work.kind === entryTargetKind && work.id === entryTargetId) return;
  const [planned, called] = [`${work.kind} ${work.id}`, `${entryTargetKind} ${entryTargetId}`];
  throw wrongPlanError(
    `is for the ${planned}, not for the ${called}: give what was planned for, or plan again`,
  );
}
