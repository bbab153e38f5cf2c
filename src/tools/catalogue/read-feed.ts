import { z } from 'zod';
import type { FeedItem } from '../../catalogue/records/kinds.ts';
import { textAt } from '../../catalogue/records/members.ts';
import { spanOfTimes } from '../../curation/changes/feeds.ts';
import { invalidArguments } from '../../errors.ts';
import { integerId, paging, since, slotOfTarget } from '../../mcp/arguments.ts';
import { openKindArgument } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { changeShownBy } from '../../model/feed-item.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { readPart } from './feed-pages.ts';

const input = z.strictObject({
  feed: z.enum(['assets', 'sets']),
  since: since.optional(),
  changeType: z.string().min(1).max(60).optional().describe('added, or updated (also what was replaced)'),
  kind: z.string().min(1).max(100).optional().describe('e.g. movie_set'),
  targetKind: openKindArgument.optional().describe('assets only'),
  targetId: integerId('assets only').optional(),
  slot: slotOfTarget.optional().describe('assets only'),
  ...paging,
});

type Arguments = z.output<typeof input>;

export const readFeed = defineTool({
  name: 'read_feed',
  title: 'Read a feed of changes',
  toolset: 'catalogue',
  description:
    'Read the raw feed of Assets or Sets that were lately added or updated. `coverage` says from when to when it looked. For people: list_changes.',
  searchHint: 'stream log recent additions updates replacements events unfiltered',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, { catalogue, deadline }) {
    refuseForeignFilters(args);
    const { items, looked, nextCursor, facts } = await readPart({
      tool: 'read_feed',
      args,
      read: (page) => catalogue.readFeedPage(args.feed, page, deadline),
      passes: filterOf(args),
      ...(args.since === undefined ? {} : { since: Date.parse(args.since) }),
    });
    const coverage = {
      ...spanOfTimes(
        looked.map((item) => textAt(item, 'changedAt')).filter((time) => Date.parse(time ?? '') > 0),
      ),
      ...facts,
    };
    return answerOf({ data: items, nextCursor, coverage });
  },
});

/** Elements of the feed of Sets have no slot and no target. @throws ArtworkError `invalid_arguments` */
function refuseForeignFilters(args: Arguments): void {
  const foreign = (['slot', 'targetKind', 'targetId'] as const).filter((name) => args[name] !== undefined);
  if (args.feed !== 'sets' || foreign.length === 0) return;
  const message = 'is only for the feed of assets';
  throw invalidArguments(
    "read_feed got an argument that it can't use",
    foreign.map((name) => ({ code: name, message, path: [name] })),
  );
}

function filterOf(args: Arguments): (item: FeedItem) => boolean {
  const from = args.since === undefined ? null : Date.parse(args.since);
  const wanted = (['changeType', 'kind', 'targetKind', 'targetId', 'slot'] as const).filter(
    (name) => args[name] !== undefined,
  );
  return (item) => {
    const change = changeShownBy(item);
    // What shows no readable time is not known to be older.
    const isOlder = from !== null && Date.parse(change.changedAt ?? '') < from;
    return !isOlder && wanted.every((name) => change[name] === args[name]);
  };
}
