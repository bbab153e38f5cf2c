import { z } from 'zod';
import { declaredFilesOf } from '../../curation/plan/expand.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import { editionId, guarded, integerId, languageCode, slotName, slotOfTarget } from '../../mcp/arguments.ts';
import { targetKind } from '../../mcp/kinds.ts';
import { type ArtworkError, invalidArguments } from '../../errors.ts';
import { ofNothing } from '../../mcp/revision-source.ts';
import { defineTool } from '../../mcp/tool.ts';
import { findIdsIn } from '../find-ids.ts';
import { adding, answered, mutationCall, mutationResult } from './guarded-call.ts';
import { itemsToSend, leavesNothingOut, leftOutFiles, openPlan, wrongPlan } from './open-plan.ts';
import { ofPlan } from './plan-outdated.ts';

const plainFile = z.strictObject({
  file: z
    .string()
    .min(1)
    .max(4_096)
    .describe('absolute path or file: URI; with planId also as the plan shows it'),
  targetKind: targetKind.describe('e.g. "episode"'),
  targetId: integerId('id of the target'),
  slot: slotName.describe('e.g. "titlecard"'),
  itemId: z.uuid().optional().describe('left out: derived'),
  position: integerId('left out: its place in the list').optional(),
  filename: z.string().max(200).optional().describe('to announce instead of its own name'),
  selectedSourceFrame: z.int().min(0).nullable().optional().describe('of an animated picture'),
});

const file = plainFile.superRefine(slotOfTarget);

/** Without a folder nothing can be planned, and without files there is no Set. */
function noFiles(): ArtworkError {
  const message = 'is missing: give the planId of plan_set, declaredFiles, or both';
  const issues = [{ code: 'missing', message, path: ['planId'] }];
  const why =
    'A Set is made of its pictures. Ask the person which folder they lie in: plan_set reads it and answers the planId.';
  return invalidArguments("create_media_set can't be called so", issues, { why });
}

const input = z.strictObject({
  ...guarded,
  entryTargetKind: targetKind.describe('what the Set is for: e.g. "show", "movie"'),
  entryTargetId: integerId('id of that target'),
  titleBase: z.string().min(1).max(500).describe('title as people will read it'),
  languageCode: languageCode.describe('e.g. "en"'),
  finalised: z.boolean().describe('whether the Set is complete; ask the person'),
  description: z.string().max(5_000).nullable().optional().describe('as people will read it'),
  editionId: editionId.nullable().optional().describe('of the catalogue'),
  destination: z
    .record(z.string(), z.unknown())
    .nullable()
    .optional()
    .describe('a record of find_upload_destinations, unchanged'),
  planId: z.uuid().optional().describe('of plan_set: its files'),
  declaredFiles: z
    .array(file)
    .min(1)
    .optional()
    .describe('where each picture goes; beside planId: the answers of the person, which win'),
  leaveOut: leftOutFiles,
});

export const createMediaSetTool = defineTool({
  name: 'create_media_set',
  title: 'Create a Set with its artwork',
  toolset: 'curate',
  description:
    'Creates a movie, show, collection or game Set with all its pictures in one call, as declaredFiles or by the planId of plan_set: checks every file, keeps private copies, sends them, completes, reports item by item. expectedUpdatedAt is "none". Nothing can be deleted afterwards: use dryRun first. Answers within 45 s; while outcome is processing it goes on, and get_mutation_status waits for it (more items: its cursor). After an interruption resume_mutation goes on where it stopped.',
  annotations: adding,
  input,
  output: mutationResult,
  revision: ofNothing,
  instead: findIdsIn,
  async run(args, context) {
    const { mutations } = await context.account();
    const { planId, declaredFiles, leaveOut, ...set } = args;
    const call = { ...mutationCall(context), roots: await context.roots() };
    if (planId === undefined) {
      if (declaredFiles === undefined) throw noFiles();
      if (leaveOut !== undefined) throw leavesNothingOut();
      return answered(await mutations.createMediaSet({ ...set, declaredFiles }, call));
    }
    const found = await openPlan(planId, args.clientMutationId, context);
    requireCreation(found.plan, set);
    const { items, planned } = itemsToSend(found, declaredFilesOf(found), {
      given: declaredFiles ?? [],
      list: 'declaredFiles',
      leaveOut: leaveOut ?? [],
    });
    const creation = mutations.createMediaSet({ ...set, declaredFiles: items }, { ...call, planned });
    return answered(await ofPlan(found.plan, context, creation));
  },
});

/** @throws ArtworkError `invalid_arguments` where the plan is for something else */
function requireCreation(
  { set, work }: Plan,
  { entryTargetKind, entryTargetId }: { entryTargetKind: string; entryTargetId: number },
): void {
  if (set !== null) {
    throw wrongPlan(
      `This plan edits the Set ${set.id}: edit_set takes it. For a new Set plan without setId.`,
    );
  }
  if (work.kind === entryTargetKind && work.id === entryTargetId) return;
  throw wrongPlan(
    `This plan is for the ${work.kind} ${work.id}, and the Set for the ${entryTargetKind} ${entryTargetId}: give the one that was planned for, or plan again for the other.`,
  );
}
