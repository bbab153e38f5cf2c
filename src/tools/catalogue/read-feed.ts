import { z } from 'zod';
import type { FeedItem } from '../../catalogue/records/kinds.ts';
import { invalidArguments } from '../../errors.ts';
import { integerId, paging, since, slotOfTarget } from '../../mcp/arguments.ts';
import { openKindArgument } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { changedAtOf, changeShownBy } from '../../model/feed-item.ts';
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
    const { items, looked, nextCursor, facts, moved } = await readPart({
      tool: 'read_feed',
      args,
      read: (page) => catalogue.readFeedPage(args.feed, page, deadline),
      passes: filterOf(args),
      ...(args.since === undefined ? {} : { since: Date.parse(args.since) }),
    });
    return answerOf({
      data: items,
      omitted: [],
      nextCursor,
      coverage: { ...spanOf(looked), ...facts },
      warnings: [...(items.length === 0 ? unseenWords(args, looked) : []), ...(moved ? [movedWords] : [])],
    });
  },
});

const movedWords =
  'The feed has a new snapshot. This goes on in it after what you have read. For newer changes, leave the cursor out.';

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

/** A filter that nothing meets may be misspelt. An empty answer alone would look like "nothing changed". */
function unseenWords(args: Arguments, looked: readonly FeedItem[]): string[] {
  const changes = looked.map(changeShownBy);
  return (['changeType', 'kind', 'slot', 'targetKind'] as const).flatMap((name) => {
    const wanted = args[name];
    const seen = [...new Set(changes.flatMap((change) => change[name] ?? []))].sort();
    if (wanted === undefined || seen.includes(wanted)) return [];
    const others = seen.slice(0, 20).join(', ') || 'none';
    return [`No change here has the ${name} "${wanted}". There were: ${others}.`];
  });
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

function spanOf(items: readonly FeedItem[]): { oldest: string | null; newest: string | null } {
  const times = items
    .flatMap((item) => changedAtOf(item) ?? [])
    .filter((time) => !Number.isNaN(Date.parse(time)))
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  return { oldest: times[0] ?? null, newest: times.at(-1) ?? null };
}
