import { z } from 'zod';
import type { Plan } from '../../curation/plan/plan.ts';
import { wrongPlanError } from '../../curation/plan/send-plan.ts';
import { type ArtworkError, invalidArguments } from '../../errors.ts';
import { defineTool } from '../../mcp/tool.ts';
import { createMediaSet } from '../../mutations/operations/create-media-set.ts';
import { adding, argumentsOf, mutationResult } from './change-tool.ts';
import { makePlannedChange, planArguments } from './planned.ts';

const { declaredFiles, ...own } = argumentsOf(createMediaSet);

export const createMediaSetTool = defineTool({
  name: createMediaSet.name,
  title: 'Create and publish a Set with all its pictures',
  toolset: 'curate',
  description:
    "Create a new Set for a show, movie, collection or game with all its pictures, from the planId of plan_set or from declaredFiles. It can't be deleted: dryRun first. Answers within 45 s. While processing, get_mutation_status waits for it. After an interruption, resume_mutation goes on.",
  searchHint: 'make submit new upload whole complete title cards titlecards posters series film',
  annotations: adding,
  input: z
    .strictObject({
      ...own,
      planId: planArguments.planId,
      declaredFiles: declaredFiles.optional(),
      leaveOut: planArguments.leaveOut,
    })
    .meta({
      words: {
        entryTargetKind: 'e.g. show',
        finalised: 'is it complete? Ask the person',
        destination: 'a record of find_upload_destinations',
        declaredFiles: 'beside planId: what the person answered',
        'declaredFiles.file': 'absolute path, or as in the plan',
        'declaredFiles.targetKind': 'e.g. episode',
        'declaredFiles.slot': 'e.g. titlecard',
      },
    }),
  output: mutationResult,
  revision: createMediaSet.revision,
  async run({ planId, leaveOut, declaredFiles: given, ...args }, context) {
    if (planId === undefined && given === undefined) throw noFiles();
    const { name } = createMediaSet;
    const requireFit = (plan: Plan) => requireCreation(plan, args);
    const change = { name, args, list: 'declaredFiles', given, planId, leaveOut, requireFit };
    return makePlannedChange(change, context);
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
