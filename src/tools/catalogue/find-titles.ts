import { z } from 'zod';
import { sleep } from '../../clock.ts';
import type { Findings, Hit, Seen, TitleQuestion } from '../../curation/find/titles.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, invalidArguments, unlessRefused } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { integer, paging } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { openKindArgument } from '../../mcp/kinds.ts';
import { didYouMean } from '../../mcp/nearest.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isKind } from '../../model/kinds.ts';
import { titleKinds } from '../../model/sightings.ts';
import { workTargetOf } from '../../model/work.ts';
import { ownCommand } from '../../own-command.ts';
import { answerOf, fitting, readAnswer } from '../answer.ts';

const input = z.strictObject({
  query: z.string().max(300).optional().describe('e.g. S02E05 of the wire'),
  kind: openKindArgument.optional().describe('e.g. show, creator; set: Sets of all kinds'),
  createdBy: z.string().max(200).optional().describe('a creator: their Sets'),
  targetKind: openKindArgument.optional().describe('with targetId: its Sets, or what query finds in it'),
  targetId: integer.optional(),
  ...paging,
});
type Arguments = z.output<typeof input>;
type Question = Omit<TitleQuestion, 'offset' | 'limit'>;

export const findTitles = defineTool({
  name: 'find_titles',
  title: 'Search by name: find shows, films, games, people, Sets',
  toolset: 'catalogue',
  description:
    'Find a TV show, movie, episode, game, person, artist or Set by name, with its id. Each hit names the tool to call next. It knows the titles read so far; others may exist.',
  searchHint:
    'search look up called title number tv series film episodes people actor creators uploader user works is there any',
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    if (context.titles.mode === 'off') throw switchedOff();
    const question = questionOf(args);
    const offset = readCursor('find_titles', args, z.int().min(0)) ?? 0;
    const index = await context.titles.index();
    context.titles.fill();
    const search = async (): Promise<Found> => ({
      ...(await index.search({ ...question, offset, limit: args.limit })),
      seen: await index.seen(),
    });
    // A search with a cursor has found something, and what is switched to passive learns nothing by itself.
    const mayLearn = offset === 0 && context.titles.mode === 'on';
    const found = mayLearn ? await searchedWhileRead(search, context) : await search();
    const { hits, total, seen } = found;
    const data = fitting((mayLearn && !seen.complete ? await withYears(hits, context) : hits).map(shown));
    const end = offset + data.length;
    const isVague = isUnlikely(found) && offset === 0;
    const activity = context.titles.mode !== 'on' ? 'idle' : context.titles.filling();
    return answerOf({
      data,
      nextCursor: end < total && data.length > 0 ? writeCursor('find_titles', args, end) : null,
      index: seen,
      warnings: [
        ...(isVague ? [data.length === 0 ? nothingWords(question, seen) : likeWords] : []),
        ...(seen.complete ? [] : [incompleteWords[activity]]),
      ],
    });
  },
});

/** What a vague search waits for the reading of the catalogue: to begin, to get on, or of our own to end. Milliseconds. */
const waits = { toBegin: 10_000, toGetOn: 3_000, ofOwn: 25_000 };
const pauseMs = 250;

interface Found extends Findings {
  readonly seen: Seen;
}

/** The search, once more while the catalogue is being read and nothing of that name was found. */
async function searchedWhileRead(search: () => Promise<Found>, { titles, signal }: Context) {
  const first = await search();
  const isNew = first.seen.titles === 0;
  const longest = titles.isReadAtOnce ? waits.ofOwn : isNew ? waits.toBegin : waits.toGetOn;
  let found = first;
  for (let waited = 0; isUnlikely(found) && !found.seen.complete && waited < longest; waited += pauseMs) {
    if (signal.aborted || titles.filling() !== 'reading') break;
    await sleep(pauseMs, signal);
    found = await search();
  }
  return found;
}

const yearly = ['show', 'movie', 'game'] as const;
const mostDated = 3;

/** Lists name works without their years, by which a caller tells one from another: the first ones' records have them. */
async function withYears(hits: readonly Hit[], { catalogue, deadline }: Context): Promise<Hit[]> {
  const lacking = hits.filter(({ year }) => year === null).slice(0, mostDated);
  const within = noLaterThan(deadline, waits.toGetOn);
  return mapLimit(hits, mostDated, async (hit) => {
    const kind = yearly.find((one) => one === hit.kind);
    if (!lacking.includes(hit) || kind === undefined) return hit;
    const record = await unlessRefused(() => catalogue.readEntity(kind, hit.id, within));
    return { ...hit, year: workTargetOf(kind, record)?.year ?? null };
  });
}

/** Below it nothing has that name. */
const likely = 0.6;

function isUnlikely({ hits }: Findings): boolean {
  return (hits[0]?.likeness ?? 0) < likely;
}

const likeWords = 'No title in the index has this name. These are only similar.';

function nothingWords({ query, createdBy }: Question, { titles, complete }: Seen): string {
  const what =
    query === undefined && createdBy !== undefined
      ? 'No Set of this creator is'
      : 'Nothing with this name is';
  const none = `${what} among the ${titles} titles in the index. The catalogue may still have it.`;
  return complete
    ? `${none} The service lists only episodes and recent changes. For an older film, game or person, give its id.`
    : none;
}

/** By itself this program reads little, so as to be no burden to the service: the rest of it is read by command. */
const incompleteWords = {
  reading: 'The catalogue is still being read. Ask again in a minute to find more.',
  failed: `A part of the catalogue could not be read. For the reason, a person runs: ${ownCommand('doctor')}`,
  idle: `Not all titles are read yet. To read the rest, a person runs: ${ownCommand('index')}`,
} as const;

function switchedOff(): ArtworkError {
  const why =
    'Only the person who runs this server can switch it on: they unset ARTWORK_INDEX. Until then, list_episodes and read_feed show ids.';
  const message = 'Searching by name is switched off here (ARTWORK_INDEX).';
  return new ArtworkError('not_found', message, { code: 'index_off', next: { why } });
}

/** @throws ArtworkError `invalid_arguments` */
function questionOf(args: Arguments): Question {
  const { query, createdBy, targetKind, targetId } = args;
  if ((targetKind === undefined) !== (targetId === undefined)) {
    const [missing, given] = targetId === undefined ? ['targetId', 'targetKind'] : ['targetKind', 'targetId'];
    throw wrong(missing, `is missing: ${given} needs it`);
  }
  const isNamed = [query, createdBy].some((words) => words !== undefined && /[\p{L}\p{N}\p{S}]/u.test(words));
  if (!isNamed && targetId === undefined)
    throw wrong('query', 'is missing: give a name, createdBy, or targetKind with targetId');
  const target = targetKind === undefined ? undefined : kindOf('targetKind', targetKind, titleKinds);
  return {
    query,
    kind: args.kind === undefined ? undefined : kindOf('kind', args.kind, [...titleKinds, 'set' as const]),
    createdBy,
    target: target === undefined || targetId === undefined ? undefined : { kind: target, id: targetId },
  };
}

function kindOf<Kind extends string>(argument: string, given: string, kinds: readonly Kind[]): Kind {
  const word = given.toLowerCase().replace(/[\s-]+/g, '_');
  const found = kinds.find((kind) => kind === word || `${kind}s` === word);
  if (found !== undefined) return found;
  throw wrong(argument, `is no kind${didYouMean(given, kinds)}: there are ${kinds.join(', ')}`);
}

function wrong(argument: string, message: string): ArtworkError {
  return invalidArguments('find_titles got a wrong argument', [
    { code: 'not_right', message, path: [argument] },
  ]);
}

/** What tells a hit from others, without what is not known, and the tool that reads it by its kind and id. */
function shown({ kind, id, name, year, show, season, episode, target, creator, updated }: Hit) {
  const told = Object.entries({
    ...{ kind, id, title: name, year },
    show: show === null ? null : { id: show.id, title: show.name ?? undefined },
    ...{ season, episode },
    target: target === null ? null : { kind: target.kind, id: target.id, title: target.name ?? undefined },
    ...{ createdBy: creator, updated },
  }).filter(([, fact]) => fact !== null);
  const call =
    kind === 'creator'
      ? { tool: 'find_titles', arguments: { createdBy: id } }
      : { tool: isKind(kind) ? 'get_entity' : 'get_set' };
  return { ...Object.fromEntries<unknown>(told), ...call };
}
