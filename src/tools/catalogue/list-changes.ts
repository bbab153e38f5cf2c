import { z } from 'zod';
import { findOwnSets } from '../../curation/audit/which-sets.ts';
import { listChanges as list, startOfPage } from '../../curation/changes/list-changes.ts';
import { keepLastAsked, keepWatches } from '../../curation/changes/watches.ts';
import { changesAskedFor, scopes } from '../../curation/changes/whose.ts';
import {
  integerWithin,
  paging,
  readResult,
  since,
  slotName,
  slotOfTarget,
  today,
} from '../../mcp/arguments.ts';
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
      description: 'most changes to return',
      brief: 'most changes',
    }),
  })
  .superRefine(slotOfTarget);

const output = readResult.extend({
  since: z.string(),
  today: z.string(),
  coverage: z.object({ oldest: z.string().nullable(), newest: z.string().nullable(), complete: z.boolean() }),
  until: z.string().nullable(),
  warnings: z.array(z.string()).optional(),
});

/** One call reads no more of the service's pages. */
const mostPages = 100;
/** Milliseconds after which a call begins nothing new: what was read has to be told in time. */
const patienceMs = 25_000;

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
    const endsAt = performance.now() + patienceMs;
    const start = readCursor('list_changes', args, startOfPage);
    const account = await context.account();
    const { catalogue, deadline } = context;
    const whose = await changesAskedFor(args.scope, {
      watched: async () => keepWatches(await account.state('watch')).list(),
      owned: account.owned,
      ownSets: async () => {
        const index = context.titles.mode === 'off' ? null : await context.titles.index();
        return findOwnSets({ ...account, deadline, index });
      },
      deadline,
    });
    let pages = 0;
    const hasTime = () => performance.now() < endsAt;
    const page = await list(
      {
        ...{ catalogue, whose, deadline, hasTime },
        lastAsked: keepLastAsked(await account.state('looks')),
        pages: {
          async read(feed, next) {
            await context.progress(pages, null, 'pages of the feeds read');
            return catalogue.readFeedPage(feed, next, deadline);
          },
          takePage() {
            pages += 1;
            return pages <= mostPages && hasTime();
          },
          now: Date.now,
        },
      },
      {
        since: args.since === undefined ? null : new Date(args.since).toISOString(),
        changeType: args.changeType ?? null,
        slot: args.slot ?? null,
        createdBy: args.createdBy ?? null,
        start,
        limit: args.limit ?? 200,
      },
    );
    const warnings = [...page.warnings, ...unknownTypeWords(args.changeType, page.data.length)];
    return {
      structured: {
        data: page.data,
        omitted: [],
        nextCursor: page.next === null ? null : writeCursor('list_changes', args, page.next),
        since: page.since,
        today: today(),
        coverage: page.coverage,
        until: page.until,
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    };
  },
});

/** The types that the feeds are known to give, and what is told apart from them by a replacement. */
const knownTypes = ['added', 'updated', 'replaced'];

/** The service may have further types: one that it gives is told, one that only nothing matches is explained. */
function unknownTypeWords(changeType: string | undefined, found: number): string[] {
  if (changeType === undefined || found > 0 || knownTypes.includes(changeType)) return [];
  const type = JSON.stringify(changeType);
  return [`No change of the type ${type} was found. The known types are ${knownTypes.join(', ')}.`];
}
