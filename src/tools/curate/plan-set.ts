import path from 'node:path';
import { z } from 'zod';
import { afterPlan, countsOf } from '../../curation/plan/after-plan.ts';
import { makePlan } from '../../curation/plan/make-plan.ts';
import { matchedIn, picturesIn, rowsOf } from '../../curation/plan/page.ts';
import { namesOfWork, type Plan } from '../../curation/plan/plan.ts';
import { createPlanStore } from '../../curation/plan/store.ts';
import { catalogueId, languageCodeArgument, pageArgument, paging, slotName } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { namedKind } from '../../mcp/kinds.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { slotsWords } from '../../model/slots.ts';
import { answerOf, fitting, readAnswer } from '../answer.ts';
import { pageSaver, type SavePage } from '../save-page.ts';
import { callOf } from './change-tool.ts';

const input = z.strictObject({
  folder: z.string().min(1).max(4_096).describe('absolute path or file: URI'),
  entryTargetKind: namedKind.meta({ description: 'what the files are for', brief: 'e.g. show' }),
  entryTargetId: catalogueId,
  setId: catalogueId.optional().meta({ brief: 'edit this Set of yours' }),
  slot: slotName.optional().describe('only this one'),
  alsoCalled: namesOfWork.optional().describe('other names of the work, confirmed by the person'),
  languageCode: languageCodeArgument.optional().meta({ brief: 'of a new Set, else en' }),
  ...paging,
  page: pageArgument,
});
type Args = z.output<typeof input>;

const position = z.object({ planId: z.uuid(), offset: z.int().min(0) });

export const planSet = defineTool({
  name: 'plan_set',
  title: 'Plan a Set: match a folder of pictures to episodes',
  toolset: 'curate',
  description: `Plan a Set from a folder of pictures: matches ${slotsWords('titlecard')}, ${slotsWords('poster')} and others by file name to episodes, seasons or films, and sends nothing. Ask the person what is ambiguous, and show the pictures with the call in view. Then follow next: create_media_set or edit_set with planId, first with dryRun.`,
  searchHint:
    'directory disk files images scans titlecards matching assign sort which file belongs season build prepare turn',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const { records, mutations, owned } = await context.account();
    const save = await pageSaver(args, context);
    const store = createPlanStore(await records('plans'));
    const at = readCursor('plan_set', args, position);
    // Pages are of the plan as it was made: the folder is not read again. What the first answer has said is not said again.
    if (at !== null) {
      const plan = await store.find(at.planId);
      return answerOf({ planId: plan.id, ...pageOf(args, plan, at.offset, args.limit) });
    }
    const { catalogue, settings, deadline } = context;
    const made = await makePlan(
      {
        ...{ catalogue, store, owned, deadline },
        roots: { configured: settings.uploadRoots, host: await context.roots() },
        knownBytes: () => mutations.knownBytes(),
        progress: callOf(context).progress,
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
    return 'plan' in made ? firstOfPlan(args, made.plan, save, context) : stillReading(args, made.reading);
  },
});

/** The arguments that a plan is made with. */
function askedIn({ cursor: _, limit: __, page: ___, ...asked }: Args): Plan['asked'] {
  return Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function stillReading(args: Args, { done, of }: { readonly done: number; readonly of: number }) {
  const why = `There was time to read ${done} of ${of} files. The same call goes on from there.`;
  const next = { tool: 'plan_set', arguments: args, why };
  return answerOf({ planId: null, counts: { files: of, read: done }, data: [], view: [], next });
}

/** Characters of JSON for a page, and for the call that shows its pictures; the rest of an answer fits beside them. */
const room = 8_000;
const roomForView = 3_000;
/** So many matched files are told one by one with the first answer. */
const fewMatched = 5;
/** What one contact sheet shows at most. */
const mostOnSheet = 24;

/** Begins with what a person decides; of many matched files the counts will do, and their rows are on the next pages. */
async function firstOfPlan(args: Args, plan: Plan, save: SavePage | null, context: Context) {
  const counts = countsOf(plan);
  const { open, matched } = rowsOf(plan);
  const files = picturesIn(plan).map((file) => ({ file }));
  const items = fitting(files.slice(0, mostOnSheet), roomForView);
  const why = 'This shows the first pictures, those with questions before the others.';
  const view = { tool: 'view_artwork', arguments: { planId: plan.id, items }, why };
  return answerOf({
    planId: counts.toSend + counts.ambiguous === 0 ? null : plan.id,
    counts,
    matched: matchedIn(plan),
    ...pageOf(args, plan, 0, matched.length > fewMatched ? open.length : args.limit),
    folder: plan.folder,
    work: { ...plan.work, alsoCalled: plan.asked.alsoCalled },
    set: plan.set ?? undefined,
    warnings: plan.unread === undefined ? [] : [plan.unread],
    view: items.length === 0 ? [] : [view],
    page: save === null ? undefined : await savePageOf(plan, save, context),
    next: afterPlan(plan, counts, args.languageCode ?? 'en'),
  });
}

/** @param most rows */
function pageOf(args: Args, plan: Plan, offset: number, most: number) {
  const { open, matched } = rowsOf(plan);
  const rows = [...open, ...matched];
  const data = fitting(rows.slice(offset, offset + Math.min(most, args.limit)), room);
  const [total, end] = [rows.length, offset + data.length];
  const nextCursor = end < total ? writeCursor('plan_set', args, { planId: plan.id, offset: end }) : null;
  const next = nextCursor === null ? null : { tool: 'plan_set', arguments: { ...args, cursor: nextCursor } };
  const left = { section: 'entries', total, returned: data.length, next };
  return { data, omitted: data.length === total ? [] : [left], nextCursor };
}

async function savePageOf(plan: Plan, save: SavePage, context: Context): Promise<string> {
  const [{ planPage }, { readChosen }] = await Promise.all([
    import('../../curation/show/plan-page.ts'),
    import('../catalogue/looks.ts'),
  ]);
  const saved = await save(planPage(plan), (ref) =>
    readChosen({ ref, file: path.join(plan.folder, ref), label: ref }, context),
  );
  return saved.uri;
}
