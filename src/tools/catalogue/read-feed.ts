import { z } from 'zod';
import type { FeedItem } from '../../catalogue/records/kinds.ts';
import { ArtworkError, invalidArguments, type Next } from '../../errors.ts';
import { integerId, paging, since, slotName, slotOfKind, slotOfTarget } from '../../mcp/arguments.ts';
import { openKindArgument } from '../../mcp/kinds.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { changedAtOf, changeShownBy } from '../../model/feed-item.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { feedPosition, readFeedPart } from './feed-pages.ts';

const input = z
  .strictObject({
    feed: z.enum(['assets', 'sets']),
    since: since.optional(),
    changeType: z.string().min(1).max(60).optional().describe('added, or updated (also what was replaced)'),
    kind: z.string().min(1).max(100).optional().describe('e.g. movie_set'),
    targetKind: openKindArgument.optional().describe('assets only'),
    targetId: integerId('assets only').optional(),
    slot: slotName.optional().describe('assets only'),
    ...paging,
  })
  .overwrite(slotOfKind)
  .superRefine(slotOfTarget);

type Arguments = z.output<typeof input>;

export const readFeed = defineTool({
  name: 'read_feed',
  title: 'Read a feed of changes',
  toolset: 'catalogue',
  description:
    'Read the raw feed of Assets or Sets that were added and updated lately. `coverage` says from when to when it looked. For people: list_changes.',
  searchHint: 'stream log recent additions updates replacements events unfiltered',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, { catalogue, deadline }) {
    refuseForeignFilters(args);
    try {
      const { items, looked, next, facts, moved } = await readFeedPart({
        start: readCursor('read_feed', args, feedPosition),
        limit: args.limit,
        read: (page) => catalogue.readFeedPage(args.feed, page, deadline),
        passes: filterOf(args),
      });
      return answerOf({
        data: items,
        omitted: [],
        nextCursor: next === null ? null : writeCursor('read_feed', args, next),
        coverage: { ...spanOf(looked), ...facts },
        warnings: [...(items.length === 0 ? unseenWords(args, looked) : []), ...(moved ? [movedWords] : [])],
      });
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.category !== 'snapshot_expired') throw error;
      const { code, status } = error;
      const { message, next } = expired(args);
      throw new ArtworkError('snapshot_expired', message, { code, status, next });
    }
  },
});

const movedWords =
  'The feed has a new snapshot, and this goes on in it behind what you have read. What is newer comes without cursor.';

function expired({ cursor, ...again }: Arguments): { readonly message: string; readonly next: Next } {
  if (cursor === undefined) {
    const message = 'The service says that its newest snapshot has expired. The fault is its own.';
    return {
      message,
      next: { why: 'Try again later. Until then get_entity and get_set show what there is.' },
    };
  }
  const why = 'This starts again on a new snapshot. Changes that you have read may come again.';
  return {
    message: 'The service no longer has the snapshot of this cursor, nor the changes that were read last.',
    next: { tool: 'read_feed', arguments: again, why },
  };
}

/** Elements of the feed of Sets have no slot and no target. @throws ArtworkError `invalid_arguments` */
function refuseForeignFilters(args: Arguments): void {
  const foreign = (['slot', 'targetKind', 'targetId'] as const).filter((name) => args[name] !== undefined);
  if (args.feed !== 'sets' || foreign.length === 0) return;
  const message = 'is only for the feed of assets';
  throw invalidArguments(
    'read_feed got an argument that it can not use',
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
    return [`No change that was looked at has the ${name} "${wanted}". There were: ${others}.`];
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
