import { z } from 'zod';
import type { FeedItem } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import {
  integerId,
  paging,
  readResult,
  since,
  slotName,
  slotOfKind,
  slotOfTarget,
} from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { openKindArgument } from '../../mcp/kinds.ts';
import { pageFacts, readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { changedAtOf, changeShownBy } from '../../model/feed-item.ts';
import { type FeedPart, type FeedPosition, feedPosition, readFeedPart } from './feed-reading.ts';

const input = z
  .strictObject({
    feed: z.enum(['assets', 'sets']),
    since: since.optional(),
    changeType: z.string().min(1).max(60).optional().meta({
      description: '"added" or "updated"; a replacement is "updated" with a previousAssetId',
      brief: 'added, or updated (also replaced)',
    }),
    kind: z.string().min(1).max(100).optional().describe('e.g. movie_set'),
    targetKind: openKindArgument.optional().describe('assets only'),
    targetId: integerId('assets only').optional(),
    slot: slotName.optional().describe('assets only'),
    ...paging,
  })
  .overwrite(slotOfKind)
  .superRefine(slotOfTarget);

type Arguments = z.output<typeof input>;
const coverage = z.object({ oldest: z.string().nullable(), newest: z.string().nullable(), ...pageFacts });

export const readFeed = defineTool({
  name: 'read_feed',
  title: 'Read a feed of changes',
  toolset: 'catalogue',
  description:
    'Read the raw feed of recently added and updated Assets or Sets; list_changes tells it to people. `coverage` spans what was looked at.',
  searchHint: 'raw stream log-file recent additions updates replacements assets events snapshot unfiltered',
  annotations: readOnly,
  input,
  output: readResult.extend({ coverage, warnings: z.array(z.string()).optional() }),
  async run(args, context) {
    const start = readCursor('read_feed', args, feedPosition);
    refuseForeignFilters(args);
    const { items, looked, next, facts, newer } = await readPart(args, start, context);
    const nextCursor = next === null ? null : writeCursor('read_feed', args, next);
    const warnings = [
      ...(items.length === 0 ? unseenWords(args, looked) : []),
      ...(newer === 0 ? [] : [newerWords(newer)]),
    ];
    return {
      structured: {
        data: items,
        omitted: [],
        nextCursor,
        coverage: { ...spanOf(looked), ...facts },
        ...(warnings.length > 0 ? { warnings } : {}),
      },
    };
  },
});

async function readPart(
  args: Arguments,
  start: FeedPosition | null,
  context: Context,
): Promise<FeedPart<FeedItem>> {
  try {
    return await readFeedPart({
      start,
      limit: args.limit,
      read: (page) => context.catalogue.readFeedPage(args.feed, page, context.deadline),
      passes: filterOf(args),
    });
  } catch (error) {
    if (error instanceof ArtworkError && error.category === 'snapshot_expired') throw expired(args, error);
    throw error;
  }
}

function newerWords(count: number): string {
  return `This reading goes on in a newer snapshot of the feed. ${count} newer ${count === 1 ? 'change stands' : 'changes stand'} at its beginning: read it without cursor for ${count === 1 ? 'it' : 'them'}.`;
}

function expired(args: Arguments, { code, status }: ArtworkError): ArtworkError {
  const { cursor, ...again } = args;
  if (cursor === undefined) {
    const why =
      'The same call may be answered once the service has mended it. Until then get_entity and get_set show what there is.';
    const message =
      'The service says that the snapshot of its feed has expired, although this call began a new one. The fault is its own.';
    return new ArtworkError('snapshot_expired', message, { code, status, next: { why } });
  }
  const message =
    'The service no longer keeps the snapshot that this cursor reads, and the changes that were read last are not in its feed any more.';
  const why = 'It starts again on a new snapshot; changes that were read before may come again.';
  const next = { tool: 'read_feed', arguments: again, why };
  return new ArtworkError('snapshot_expired', message, { code, status, next });
}

/** Items of the Set feed have no slot and no target: such a filter would let nothing through, and say nothing. */
function refuseForeignFilters(args: Arguments): void {
  if (args.feed !== 'sets') return;
  const foreign = (['slot', 'targetKind', 'targetId'] as const).filter((name) => args[name] !== undefined);
  if (foreign.length === 0) return;
  const message = `The feed of Sets shows no ${foreign.join(', ')}: leave it out.`;
  throw new ArtworkError('invalid_arguments', message, {
    issues: foreign.map((name) => ({ code: name, message: 'only for the feed of assets', path: [name] })),
  });
}

/** A word that nothing has may be misspelt; an empty answer alone would look like "nothing changed". */
function unseenWords(args: Arguments, looked: readonly FeedItem[]): string[] {
  const changes = looked.map(changeShownBy);
  return (['changeType', 'kind', 'slot', 'targetKind'] as const).flatMap((name) => {
    const wanted = args[name];
    const seen = [...new Set(changes.flatMap((change) => change[name] ?? []))].sort();
    if (wanted === undefined || seen.includes(wanted)) return [];
    return [
      `None of the changes looked at has ${name} "${wanted}". Seen: ${seen.slice(0, 20).join(', ') || 'none'}.`,
    ];
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

function spanOf(items: readonly FeedItem[]): Pick<z.output<typeof coverage>, 'oldest' | 'newest'> {
  const times = items
    .flatMap((item) => changedAtOf(item) ?? [])
    .filter((time) => !Number.isNaN(Date.parse(time)));
  times.sort((a, b) => Date.parse(a) - Date.parse(b));
  return { oldest: times[0] ?? null, newest: times.at(-1) ?? null };
}
