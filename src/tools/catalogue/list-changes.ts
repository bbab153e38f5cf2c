import { z } from 'zod';
import { findOwnSets } from '../../curation/audit/which-sets.ts';
import { listChanges as list, startOfPage } from '../../curation/changes/list-changes.ts';
import { keepLastAsked, keepWatches } from '../../curation/changes/watches.ts';
import { changesAskedFor, scopes } from '../../curation/changes/whose.ts';
import { integerWithin, paging, since, slotOfTarget, today } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { answerOf, readAnswer } from '../answer.ts';

const input = z.strictObject({
  since: since.optional(),
  scope: z
    .enum(scopes)
    .default('all')
    .describe('followed: by creators you follow; watched: of what you watch'),
  createdBy: z.string().min(1).max(200).optional().describe('a creator'),
  changeType: z.string().min(1).max(60).optional().describe('replaced, added or updated'),
  slot: slotOfTarget.optional().describe('e.g. poster'),
  ...paging,
  limit: integerWithin(1, 200).optional().describe('most changes'),
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
    'Tell the news: posters and other artwork added, replaced or updated since a date, or since you last asked, by creator. Then view_artwork or get_set.',
  searchHint:
    'newest latest changed happened lately recently yesterday today week month missed updates uploaded past',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const endsAt = performance.now() + patienceMs;
    const hasTime = () => performance.now() < endsAt;
    const start = readCursor('list_changes', args, startOfPage);
    const account = await context.account();
    const { catalogue, deadline, titles } = context;
    const whose = await changesAskedFor(args.scope, {
      watched: async () => keepWatches(await account.state('watch')).list(),
      owned: account.owned,
      ownSets: async () =>
        findOwnSets({ ...account, deadline, index: titles.mode === 'off' ? null : await titles.index() }),
      deadline,
    });
    let pages = 0;
    const lastAsked = keepLastAsked(await account.state('looks'));
    const page = await list(
      {
        ...{ catalogue, whose, deadline, hasTime, lastAsked },
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
    return answerOf({
      data: page.data,
      nextCursor: page.next === null ? null : writeCursor('list_changes', args, page.next),
      ...{ since: page.since, today: today(), coverage: page.coverage, until: page.until },
      warnings: page.warnings,
    });
  },
});
