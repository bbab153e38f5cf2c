import { z } from 'zod';
import { sleep } from '../../clock.ts';
import type { Findings, Hit, Seen, TitleQuestion } from '../../curation/find/titles.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { integer, paging } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isKind } from '../../model/kinds.ts';
import { titleKinds } from '../../model/sightings.ts';
import { ownCommand } from '../../own-command.ts';
import { answerOf, fitting, readAnswer } from '../answer.ts';

/** Calls may spell it in any case and number. */
const ofTitle = { means: 'kind', inWords: true };
const input = z.strictObject({
  query: z.string().max(300).optional().describe('e.g. S02E05 of the wire'),
  kind: z
    .enum([...titleKinds, 'set'])
    .meta(ofTitle)
    .optional()
    .describe('e.g. show, creator; set: Sets of all kinds'),
  createdBy: z.string().max(200).optional().describe('a creator: their Sets'),
  targetKind: z
    .enum(titleKinds)
    .meta(ofTitle)
    .optional()
    .describe('with targetId: its Sets, or what query finds in it'),
  targetId: integer.optional(),
  ...paging,
});
type Arguments = z.output<typeof input>;

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
    const { titles } = context;
    if (titles.mode === 'off') throw switchedOff();
    const question = questionOf(args);
    const offset = readCursor('find_titles', args, z.int().min(0)) ?? 0;
    const index = await titles.index();
    titles.fill();
    const search = async (): Promise<Found> => ({
      ...(await index.search({ ...question, offset, limit: args.limit })),
      seen: await index.seen(),
    });
    // A search with a cursor has found something, and what is switched to passive learns nothing by itself.
    const mayLearn = offset === 0 && titles.mode === 'on';
    const { hits, total, seen } = mayLearn ? await searchedWhileRead(search, context) : await search();
    const data = fitting(hits.map(shown));
    const end = offset + data.length;
    const isReading = titles.mode === 'on' && titles.filling() === 'reading';
    return answerOf({
      data,
      nextCursor: end < total && data.length > 0 ? writeCursor('find_titles', args, end) : null,
      index: seen,
      warnings: [
        ...(offset === 0 && isUnlikely(hits) ? [data.length === 0 ? nothingWords(seen) : likeWords] : []),
        ...(seen.complete ? [] : [isReading ? readingWords : incompleteWords]),
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
  let found = await search();
  const longest = titles.isReadAtOnce ? waits.ofOwn : found.seen.titles === 0 ? waits.toBegin : waits.toGetOn;
  const mayGrow = () => isUnlikely(found.hits) && !found.seen.complete && titles.filling() === 'reading';
  for (let waited = 0; mayGrow() && waited < longest && !signal.aborted; waited += pauseMs) {
    await sleep(pauseMs, signal);
    found = await search();
  }
  return found;
}

/** Below it nothing has that name. */
const likely = 0.6;

function isUnlikely([first]: readonly Hit[]): boolean {
  return (first?.likeness ?? 0) < likely;
}

const likeWords = 'No title in the index has this name. These are only similar.';

function nothingWords({ titles, complete }: Seen): string {
  const none = `Nothing fits among the ${titles} titles in the index. The catalogue may still have it.`;
  return complete
    ? `${none} The service lists only episodes and recent changes. For an older film, game or person, give its id.`
    : none;
}

const readingWords = 'The catalogue is still being read. Ask again in a minute to find more.';
/** By itself this program reads little, so as to be no burden to the service: the rest of it is read by command. */
const incompleteWords = `Not all titles are read yet. To read the rest, a person runs: ${ownCommand('index')}`;

function switchedOff(): ArtworkError {
  const why =
    'Only the person who runs this server can switch it on: they unset ARTWORK_INDEX. Until then, list_episodes and read_feed show ids.';
  const message = 'Searching by name is switched off here (ARTWORK_INDEX).';
  return new ArtworkError('not_found', message, { code: 'index_off', next: { why } });
}

/** @throws ArtworkError `invalid_arguments` */
function questionOf({ query, kind, createdBy, targetKind, targetId }: Arguments) {
  const isNamed = [query, createdBy].some((words) => words !== undefined && /[\p{L}\p{N}\p{S}]/u.test(words));
  const isOfTarget = targetKind !== undefined && targetId !== undefined;
  const target = isOfTarget ? { kind: targetKind, id: targetId } : undefined;
  if (!isOfTarget && (targetKind !== undefined || targetId !== undefined))
    throw missing(targetKind === undefined ? 'targetKind' : 'targetId', 'both name the target');
  if (!isNamed && !isOfTarget) throw missing('query', 'give a name, createdBy, or targetKind with targetId');
  return { query, kind, createdBy, target } satisfies Partial<TitleQuestion>;
}

function missing(argument: string, words: string): ArtworkError {
  const issue = { code: 'missing', message: `is missing: ${words}`, path: [argument] };
  return invalidArguments('find_titles lacks an argument', [issue]);
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
