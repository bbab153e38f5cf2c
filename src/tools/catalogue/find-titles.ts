import { z } from 'zod';
import { sleep } from '../../clock.ts';
import type { TitleSearch } from '../../curation/find/titles.ts';
import {
  fullWords,
  type Hit,
  listedWords,
  type Seen,
  type TitleKind,
  type TitleQuestion,
  titleKinds,
} from '../../curation/find/titles.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { integer, paging, readResult } from '../../mcp/arguments.ts';
import { openKindArgument } from '../../mcp/kinds.ts';
import { didYouMean } from '../../mcp/nearest.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isKind, isSetKind } from '../../model/kinds.ts';
import { ownCommand } from '../../own-command.ts';
import { withinBudget } from '../paging.ts';

const input = z.strictObject({
  query: z.string().max(300).optional().meta({
    description: 'as a person says it, e.g. "S02E05 of the wire"',
    brief: 'e.g. S02E05 of the wire',
  }),
  kind: openKindArgument.optional().meta({
    description: 'e.g. "show", "movie", "creator"; "set": Sets of all kinds',
    brief: 'e.g. show, creator, set',
  }),
  createdBy: z.string().max(200).optional().describe('a creator: their Sets'),
  targetKind: openKindArgument.optional().describe('with targetId: its Sets, or what query finds in it'),
  targetId: integer.optional(),
  ...paging,
});

type Arguments = z.output<typeof input>;

const index = z.object({
  titles: z.int(),
  shows: z.int(),
  films: z.int(),
  complete: z.boolean(),
  asOf: z.string().nullable(),
});

export const findTitles = defineTool({
  name: 'find_titles',
  title: 'Search by name: find shows, films, games, people, Sets',
  toolset: 'catalogue',
  description:
    "Find a TV show, movie, episode, game, person, artist or Set by name, and its id; each hit names the tool to call next. It knows what this program has read so far (`index`): what it doesn't find may exist.",
  searchHint:
    'search look up for by name called title id ids identifier number tv show shows series movie movies film films episode episodes game games person people actor artist creator creators uploader user set sets works made which is there any do you know',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readResult.extend({
    index,
    warnings: z.array(z.string()).optional(),
    next: z.unknown().optional(),
  }),
  async run(args, context) {
    if (context.titles.mode === 'off') throw switchedOff();
    const question = questionOf(args);
    const offset = readCursor('find_titles', args, z.int().min(0)) ?? 0;
    const titles = await context.titles.index();
    const [before, isFull] = await Promise.all([titles.seen(), titles.isFull()]);
    context.titles.fill();
    const search = async () => ({
      ...(await titles.search({ ...question, offset, limit: args.limit })),
      seen: await titles.seen(),
    });
    // The reading has begun with this call at the latest, and what is asked for may be read at any moment.
    const mayBeRead = ({ hits, seen }: Awaited<ReturnType<typeof search>>) =>
      offset === 0 && areOnlyLike(hits) && !seen.complete && !isFull && context.titles.mode === 'on';
    let found = await search();
    // Where titles are known already, a rest of the reading is not waited out, unless it takes seconds alone.
    const { isReadAtOnce } = context.titles;
    let longest = isReadAtOnce ? longestReadMs : before.titles === 0 ? longestStartMs : longestWaitMs;
    for (let waited = 0; mayBeRead(found) && waited < longest; waited += pauseMs) {
      if (context.signal.aborted || context.titles.filling() !== 'reading') break;
      await sleep(pauseMs, context.signal);
      found = await search();
      const isGettingOn = found.seen.titles > before.titles;
      if (isGettingOn && !isReadAtOnce) longest = Math.min(longest, waited + longestWaitMs);
    }
    const { hits, total, seen } = found;
    const data = withinBudget(hits.map(shown), budget);
    const end = offset + data.length;
    const isEmpty = data.length === 0 && offset === 0;
    const isUnlikely = offset === 0 && hits.length > 0 && areOnlyLike(hits);
    const activity = mayBeRead(found) ? context.titles.filling() : 'idle';
    const isBeingRead = seen.titles > before.titles;
    const warnings = [
      ...(isEmpty ? [emptyWords(seen, await isUnknown(question, titles))] : []),
      ...(isUnlikely ? [unlikelyWords(hits.length)] : []),
      ...(seen.complete ? [] : [incompleteWords[activity]]),
      ...(isFull ? [fullWords] : []),
    ];
    return {
      structured: {
        data,
        omitted: [],
        nextCursor: end < total && data.length > 0 ? writeCursor('find_titles', args, end) : null,
        index: seen,
        ...(warnings.length > 0 ? { warnings } : {}),
        // Where nothing could be read meanwhile, the same call at once would find the same.
        ...(activity === 'reading' && isBeingRead
          ? { next: { tool: 'find_titles', arguments: args, why: againWhy } }
          : {}),
      },
    };
  },
});

/** Below it nothing has that name. */
const likely = 0.6;
/** What a search that finds nothing waits for the reading of the catalogue to begin, and then to get on, ms. */
const longestStartMs = 10_000;
const longestWaitMs = 3_000;
/** And for a catalogue of its own to be read through, on a machine that is busy with other things, ms. */
const longestReadMs = 25_000;
const pauseMs = 250;

/** Whether nothing that was found has that name, if anything was found. */
function areOnlyLike(hits: readonly Hit[]): boolean {
  return (hits[0]?.likeness ?? 0) < likely;
}

function unlikelyWords(count: number): string {
  return `Nothing that this program has read so far has this name: ${count === 1 ? 'this is' : 'these are'} only like it.`;
}

const againWhy = 'It is the same search, once more of the catalogue has been read.';
/** By itself it reads little, so as to be no burden to the service. */
const byHand = `All of it is read only where a person runs: ${ownCommand('index')}`;
const incompleteWords = {
  reading: `What changed of late and the episodes are being read now, and this program has not read all of the catalogue so far: the same call finds more in a while. ${byHand}`,
  failed: `This program has not read all of the catalogue so far, and it could not be read just now. Whether the service can be reached is told here: ${ownCommand('doctor')}`,
  idle: `This program has not read all of the catalogue so far: what is missing here may still exist. list_episodes and read_feed show more of it. ${byHand}`,
} as const;

/** Whether nothing at all is by the creator who is asked for. */
async function isUnknown({ createdBy }: Asked, titles: TitleSearch): Promise<boolean> {
  if (createdBy === undefined) return false;
  return (await titles.search({ createdBy, offset: 0, limit: 1 })).hits.length === 0;
}

function emptyWords({ titles, complete, asOf }: Seen, isUnknownCreator: boolean): string {
  const among = `among the ${titles} titles that this program has read so far`;
  const none = isUnknownCreator
    ? `There is no Set by a creator of this name ${among}.`
    : `Nothing has this name ${among}.`;
  const nothing = `${none} That does not mean that the catalogue has none.`;
  return complete ? `${nothing} Everything listed until ${asOf} was read; ${listedWords}` : nothing;
}

function switchedOff(): ArtworkError {
  return new ArtworkError('not_found', 'No titles are kept here: ARTWORK_INDEX is off.', {
    code: 'index_off',
    next: {
      why: 'Only the person who runs this server can switch the index on, by unsetting ARTWORK_INDEX. Until then list_episodes, read_feed and the person know ids.',
    },
  });
}

type Asked = Omit<TitleQuestion, 'offset' | 'limit'>;

/** @throws ArtworkError `invalid_arguments` */
function questionOf(args: Arguments): Asked {
  const { query, createdBy, targetKind, targetId } = args;
  if ((targetKind === undefined) !== (targetId === undefined)) {
    const [missing, given] =
      targetKind === undefined ? ['targetKind', 'targetId'] : ['targetId', 'targetKind'];
    throw wrong([{ path: [missing], message: `is missing: ${given} needs it` }]);
  }
  if (
    ![query, createdBy].some((word) => word !== undefined && /[\p{L}\p{N}\p{S}]/u.test(word)) &&
    targetId === undefined
  ) {
    throw wrong([{ path: ['query'], message: 'is missing: a name, createdBy, or targetKind with targetId' }]);
  }
  const kind = args.kind === undefined ? undefined : kindOf(args, 'kind', [...titleKinds, 'set']);
  const target = targetKind === undefined ? undefined : kindOf(args, 'targetKind', titleKinds);
  return {
    ...(query === undefined ? {} : { query }),
    ...(kind === undefined ? {} : { kind }),
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(target === undefined || targetId === undefined ? {} : { target: { kind: target, id: targetId } }),
  };
}

/** Words of people that no schema of entities knows. */
const otherWords: Readonly<Record<string, TitleKind>> = {
  user: 'creator',
  users: 'creator',
};

function kindOf<Kind extends string>(
  args: Arguments,
  name: 'kind' | 'targetKind',
  kinds: readonly Kind[],
): Kind {
  const given = args[name] ?? '';
  const word = given.toLowerCase().replace(/[\s-]+/g, '_');
  const plain = otherWords[word] ?? word;
  const found = kinds.find((kind) => kind === plain || `${kind}s` === plain);
  if (found !== undefined) return found;
  throw wrong([
    { path: [name], message: `is no kind${didYouMean(given, kinds)}: there are ${kinds.join(', ')}` },
  ]);
}

function wrong(
  issues: readonly { readonly path: readonly string[]; readonly message: string }[],
): ArtworkError {
  return invalidArguments(
    'find_titles was called with wrong arguments',
    issues.map((issue) => ({ code: 'not_right', ...issue })),
  );
}

/** What tells a hit from others, without what is not known. */
function shown(hit: Hit): Readonly<Record<string, unknown>> {
  const { kind, id, name, show, target } = hit;
  return {
    kind,
    id,
    title: name ?? undefined,
    year: hit.year ?? undefined,
    show: show === null ? undefined : { id: show.id, title: show.name ?? undefined },
    season: hit.season ?? undefined,
    episode: hit.episode ?? undefined,
    target:
      target === null ? undefined : { kind: target.kind, id: target.id, title: target.name ?? undefined },
    createdBy: hit.creator ?? undefined,
    updated: hit.updated ?? undefined,
    own: hit.isOwn ? true : undefined,
    ...callFor(hit),
  };
}

/** The tool that reads it; its kind and id are the arguments of get_entity and get_set. */
function callFor({ kind, id }: Hit): { readonly tool: string; readonly arguments?: object } {
  switch (kind) {
    case 'creator':
      return { tool: 'find_titles', arguments: { createdBy: id } };
    default:
      if (isKind(kind)) return { tool: 'get_entity' };
      return isSetKind(kind) ? { tool: 'get_set' } : { tool: 'get_owned', arguments: { type: 'set', id } };
  }
}

/** Characters of JSON; stays well below the limit of a result. */
const budget = 13_000;
