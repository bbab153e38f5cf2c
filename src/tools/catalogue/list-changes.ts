import { z } from 'zod';
import { findOwnSets } from '../../curation/audit/own-sets.ts';
import { changesByCreator } from '../../curation/changes/answer.ts';
import { scopes } from '../../curation/changes/change.ts';
import {
  keepLastAsked,
  type ListedChanges,
  readChanges,
  startOfPage,
} from '../../curation/changes/list-changes.ts';
import { createNaming } from '../../curation/changes/naming.ts';
import { creatorsAskedFor, keepWatches } from '../../curation/changes/whose.ts';
import {
  integerWithin,
  paging,
  since,
  slotName,
  slotOfTarget,
  readResult,
  today,
} from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

const input = z
  .strictObject({
    since: since.optional(),
    scope: z.enum(scopes).default('all').meta({
      description:
        "mine: the account's own; watched: what watch lists; followed: by creators whom it follows; all: by everybody, the account too",
      brief: 'followed: by creators you follow',
    }),
    createdBy: z.string().min(1).max(200).optional().describe('a creator'),
    changeType: z.string().min(1).max(60).optional().describe('replaced, added or updated'),
    slot: slotName.optional().describe('e.g. poster'),
    ...paging,
    limit: integerWithin(1, 200).optional().meta({
      description: 'most changes to return; left out: those of 25 creators',
      brief: 'most changes',
    }),
  })
  .superRefine(slotOfTarget);

type Arguments = z.output<typeof input>;

const output = readResult.extend({
  since: z.string(),
  today: z.string(),
  coverage: z.object({ oldest: z.string().nullable(), newest: z.string().nullable(), complete: z.boolean() }),
  until: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
});

/** Reads of Sets and entities that one call makes for names. */
const mostNamed = 120;
/** Milliseconds after which a call begins nothing new: what was read has to be told in time. */
const patienceMs = 25_000;
/** Of a page, where no limit is given: what is new is read by creator. */
const usualCreators = 25;
/** Characters of JSON for the lines of a page. */
const pageBudget = 14_000;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'What is new: list recent changes',
  toolset: 'catalogue',
  description:
    'Tell the news: posters and other artwork added, replaced or updated, since a date or the last time you asked, by creator. Next: view_artwork, get_set.',
  searchHint:
    'what is new news newest latest changed happened lately recently recent since yesterday today last week month day days ago look visit missed updates updated replaced added uploaded posters title cards mine watched followed creators anybody anyone past',
  annotations: readOnly,
  input,
  output,
  async run(args, context) {
    const page = await listed(args, context);
    const nextCursor = page.next === null ? null : writeCursor('list_changes', args, page.next);
    const warnings = [...page.warnings, ...unknownTypeWords(args, page)];
    return {
      structured: {
        data: changesByCreator(page.lines),
        omitted: [],
        nextCursor,
        since: page.since,
        today: today(),
        coverage: { ...page.coverage },
        until: page.until,
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    };
  },
});

async function listed(args: Arguments, context: Context): Promise<ListedChanges> {
  const start = readCursor('list_changes', args, startOfPage);
  const endsAt = performance.now() + patienceMs;
  const account = await context.account();
  const { catalogue } = context;
  const { scope, changeType = null, slot = null, createdBy = null } = args;
  const asked = { scope, changeType, slot, createdBy };
  const { deadline } = context;
  const hasTime = () => performance.now() < endsAt;
  return readChanges(
    {
      lastAsked: keepLastAsked(await account.state('looks')),
      naming: createNaming({ catalogue, deadline }, mostNamed),
      whose: () =>
        creatorsAskedFor(scope, {
          watched: async () => keepWatches(await account.state('watch')).list(),
          owned: account.owned,
          ownSets: async () => {
            const index = context.titles.mode === 'off' ? null : await context.titles.index();
            return findOwnSets({ ...account, deadline, index });
          },
          deadline,
        }),
      readPage: (feed, page) => catalogue.readFeedPage(feed, page, deadline),
      now: Date.now,
      hasTime,
      progress: (done, message) => context.progress(done, null, message),
    },
    {
      asked,
      since: args.since === undefined ? null : new Date(args.since).toISOString(),
      start,
      fits(lines) {
        const data = changesByCreator(lines);
        const changes = data.flatMap(({ targets }) => targets.flatMap((target) => target.changes));
        const isWithin =
          args.limit === undefined ? data.length <= usualCreators : changes.length <= args.limit;
        return isWithin && JSON.stringify(data).length <= pageBudget;
      },
    },
  );
}

/** The types that the feeds are known to give, and what is told apart from them by a replacement. */
const knownTypes = ['added', 'updated', 'replaced'];

/** The service may have further types: one that it gives is told, one that only nothing matches is explained. */
function unknownTypeWords({ changeType }: Arguments, { lines }: ListedChanges): string[] {
  if (changeType === undefined || lines.length > 0 || knownTypes.includes(changeType)) return [];
  return [
    `No change of the type ${JSON.stringify(changeType)} was found, and none such is known: the types are ${knownTypes.join(', ')}. Nothing can be deleted on the service.`,
  ];
}
