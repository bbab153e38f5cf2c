import path from 'node:path';
import { z } from 'zod';
import { afterPlan, partsOf, sameWork } from '../../curation/plan/after-plan.ts';
import { makePlan } from '../../curation/plan/make-plan.ts';
import { planPageOf } from '../../curation/plan/page.ts';
import { longestName, mostNames, type Plan, planAgain } from '../../curation/plan/plan.ts';
import { countsOf } from '../../curation/plan/questions.ts';
import { createPlanStore, type PlanPart, type PlanStore } from '../../curation/plan/store.ts';

import { ArtworkError } from '../../errors.ts';
import {
  catalogueId,
  languageCodeArgument,
  pageArgument,
  paging,
  readResult,
  slotName,
} from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { replacing } from '../../mcp/guarded-call.ts';
import { namedKind } from '../../mcp/kinds.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { isOffered } from '../../mcp/surface.ts';
import { defineTool, readOnly, type ToolAnswer } from '../../mcp/tool.ts';
import { keyOfText } from '../../model/names/words.ts';
import { slotsWords } from '../../model/slots.ts';
import type { Shelf } from '../shelf.ts';

const input = z.strictObject({
  folder: z.string().min(1).max(4_096).meta({
    description: 'absolute path or file: URI below an allowed folder',
    brief: 'absolute path or file: URI',
  }),
  entryTargetKind: namedKind.meta({ description: 'what the files are for', brief: 'e.g. show' }),
  entryTargetId: catalogueId,
  setId: catalogueId.optional().meta({ brief: 'edit this Set of yours' }),
  slot: slotName.optional().describe('only this one'),
  alsoCalled: z.array(z.string().min(1).max(longestName)).min(1).max(mostNames).optional().meta({
    description: 'other names of the work in the files, such as short ones: only what the person confirmed',
    brief: 'other names of the work, confirmed by the person',
  }),
  languageCode: languageCodeArgument
    .optional()
    .meta({ description: 'of a new Set; default "en"', brief: 'of a new Set, else en' }),
  ...paging,
  page: pageArgument,
});

const output = readResult.extend({
  page: z.string().optional().describe('file: URI of the page'),
  planId: z.string().nullable().describe('for create_media_set or edit_set'),
  folder: z.string().optional().describe('where each file of data lies'),
  work: z.unknown().optional().describe('what the Set is for'),
  counts: z.record(z.string(), z.int()),
  set: z.unknown().optional().describe('with setId: the Set as it was read'),
  parts: z.array(z.unknown()).optional().describe('an edit of more than 300: one planId each'),
  unfinished: z.array(z.unknown()).optional().describe('what was begun for the same work and has not ended'),
  made: z.array(z.unknown()).optional().describe('Sets of the same work that you made before'),
  view: z.array(z.unknown()).describe('the call that shows the pictures of this page'),
  warnings: z.array(z.string()).optional(),
  next: z.unknown().optional(),
});

type Args = z.output<typeof input>;
type Answer = ToolAnswer<z.input<typeof output>>;

export const planSet = defineTool({
  name: 'plan_set',
  title: 'Plan a Set: match a folder of pictures to episodes',
  toolset: 'curate',
  description: `Plan a Set from a folder of pictures: matches ${slotsWords('titlecard')}, ${slotsWords('poster')} and others by file name to episodes, seasons or films, and sends nothing. Ask the person what is ambiguous, show the pictures by the call in view. Then follow next: create_media_set or edit_set with planId, first as dryRun.`,
  searchHint:
    'directory disk files images scans titlecards matching assign sort which file belongs season build prepare turn',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output,
  readsHostFolders: () => true,
  async run(args, context) {
    const { records, mutations, owned } = await context.account();
    // The page shows the whole plan, whichever part of it an answer does.
    const wantsPage = args.page === true && args.cursor === undefined;
    const shelf = wantsPage ? await (await import('../shelf.ts')).openShelf(context) : null;
    const store = createPlanStore(await records('plans'));
    const position = readCursor('plan_set', args, z.object({ planId: z.uuid(), offset: z.int().min(0) }));
    if (position !== null) {
      const { plan } = await findAgain(store, position.planId, args);
      return pageAnswer(args, plan, position.offset, shelf, context);
    }
    requireUsable(args);
    const roots = { configured: context.settings.uploadRoots, host: await context.roots() };
    const made = await makePlan(
      {
        catalogue: context.catalogue,
        roots,
        store,
        maxBytes: () => mutations.maxFileBytes(),
        owned,
        knownBytes: () => mutations.knownBytes(),
        deadline: context.deadline,
        progress: progressTo(context),
      },
      {
        folder: args.folder,
        entry: { kind: args.entryTargetKind, id: args.entryTargetId },
        slot: args.slot ?? null,
        alsoCalled: args.alsoCalled ?? [],
        setId: args.setId ?? null,
        asked: askedIn(args),
      },
    );
    if (!('plan' in made)) return stillReading(args, made.reading);
    return pageAnswer(args, made.plan, 0, shelf, context);
  },
});

function progressTo(context: Context): (done: number, total: number, message: string) => void {
  return (done, total, message) => {
    // A host that is gone by now is noticed by the transport.
    context.progress(done, total, message).catch(() => undefined);
  };
}

/** Pages are of the plan as it was made: the folder is not read again. */
async function findAgain(store: PlanStore, planId: string, args: Args): Promise<PlanPart> {
  try {
    return await store.find(planId);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const { code, message } = error;
    throw new ArtworkError('not_found', message, { code, next: planAgain(askedIn(args)) });
  }
}

/** The arguments that a plan is made with. */
function askedIn({ cursor: _, limit: __, page: ___, ...asked }: Args): Plan['asked'] {
  return Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** @throws ArtworkError `invalid_arguments` for what would be passed over in silence */
function requireUsable({ setId, languageCode: language, alsoCalled = [] }: Args): void {
  const empty = alsoCalled.findIndex((name) => keyOfText(name) === '');
  if (empty >= 0) {
    throw new ArtworkError('invalid_arguments', 'A name in alsoCalled has no letter and no number.', {
      issues: [{ code: 'name', message: 'holds no word', path: ['alsoCalled', String(empty)] }],
    });
  }
  if (setId === undefined || language === undefined) return;
  throw new ArtworkError(
    'invalid_arguments',
    'languageCode is for a new Set; that of an existing one is changed with the metadata of edit_set. Leave it out with setId.',
    { issues: [{ code: 'language', message: 'not with setId', path: ['languageCode'] }] },
  );
}

interface Reading {
  readonly done: number;
  readonly of: number;
}

function stillReading(args: Args, { done, of }: Reading): Answer {
  const again = planAgain(askedIn(args));
  return {
    structured: {
      planId: null,
      counts: { files: of, read: done },
      data: [],
      omitted: [],
      nextCursor: null,
      view: [],
      next: {
        ...again,
        arguments: { ...again.arguments, ...(args.page === true ? { page: true } : {}) },
        why: `The call's time was over after ${done} of ${of} files: the same call goes on from there.`,
      },
    },
  };
}

/** Characters of JSON for a page; the rest of an answer has to fit beside it. */
const pageBudget = 10_000;

async function savePlanPage(plan: Plan, shelf: Shelf, context: Context): ReturnType<Shelf['save']> {
  const [{ planPage }, { readChosen }] = await Promise.all([
    import('../../curation/show/plan-page.ts'),
    import('../catalogue/pictures.ts'),
  ]);
  return shelf.save(planPage(plan), (ref) =>
    readChosen({ ref, file: path.join(plan.folder, ref), label: ref }, context),
  );
}

async function pageAnswer(
  args: Args,
  plan: Plan,
  offset: number,
  shelf: Shelf | null,
  context: Context,
): Promise<Answer> {
  const { mutations } = await context.account();
  const mayResume = isOffered('curate', replacing, context.settings);
  const { unfinished, made } = await sameWork(plan, mutations, mayResume);
  const page = planPageOf(plan, offset, args.limit, pageBudget);
  const counts = countsOf(plan);
  const [planId = ''] = plan.parts;
  const position = { planId, offset: page.nextOffset };
  const nextCursor = page.nextOffset === null ? null : writeCursor('plan_set', args, position);
  const rest = nextCursor === null ? null : { tool: 'plan_set', arguments: { ...args, cursor: nextCursor } };
  const saved = shelf === null ? null : await savePlanPage(plan, shelf, context);
  const { total } = page;
  const returned = page.entries.length;
  return {
    structured: {
      planId: counts.toSend + counts.ambiguous === 0 ? null : planId,
      folder: plan.folder,
      work: {
        ...plan.work,
        ...(plan.asked.alsoCalled === undefined ? {} : { alsoCalled: plan.asked.alsoCalled }),
      },
      counts: { ...counts },
      ...(plan.set === null ? {} : { set: plan.set }),
      ...(plan.parts.length === 1 ? {} : { parts: partsOf(plan) }),
      data: page.entries,
      omitted: returned === total ? [] : [{ section: 'entries', total, returned, next: rest }],
      nextCursor,
      ...(plan.unread === undefined ? {} : { warnings: [plan.unread] }),
      ...(unfinished.length === 0 ? {} : { unfinished: [...unfinished] }),
      ...(made.length === 0 ? {} : { made: [...made] }),
      // A call that the settings have switched off is not named.
      view: isOffered('catalogue', readOnly, context.settings) ? [...page.view] : [],
      ...(saved === null ? {} : { page: saved.uri }),
      next: afterPlan(plan, counts, args.languageCode ?? 'en', { unfinished, made }),
    },
  };
}
