import { z } from 'zod';
import type { Entity } from '../../catalogue/records/kinds.ts';
import type { JsonRecord as Json } from '../../catalogue/records/members.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { labelsOf, listedPicturesOf } from '../../curation/show/found.ts';
import { invalidArguments } from '../../errors.ts';
import { catalogueId, paging } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { namedKind } from '../../mcp/kinds.ts';
import { didYouMean } from '../../mcp/nearest.ts';
import { beginningOf, longestText } from '../../mcp/shorten.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { allKinds, kindsInWords, wordsFor } from '../../model/kinds.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { pendingThere, readOrExplain } from '../own.ts';
import { outlineOf, pageOfRecord, sectionsOf } from '../records.ts';

const input = z.strictObject({
  kind: namedKind,
  id: catalogueId,
  include: z
    .array(z.string().max(100))
    .min(1)
    .max(20)
    .optional()
    .describe('only these, e.g. assets.posters, seasons, sets'),
  ...paging,
});
type Arguments = z.output<typeof input>;

export const getEntity = defineTool({
  name: 'get_entity',
  title: 'Look up a show, film, game or person: details and artwork',
  toolset: 'catalogue',
  description: `Look up a ${kindsInWords}: facts, artwork, Sets. Long lists are only counted; include gets them. Then view_artwork or get_set.`,
  searchHint: `details facts info about ${allKinds.flatMap(wordsFor).join(' ')} posters available how many list year`,
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const { kind, id } = args;
    const record = await readOrExplain(kind, id, context, () =>
      context.catalogue.readEntity(kind, id, context.deadline),
    );
    const shown = args.include === undefined ? outline(args, record, context) : parts(args, record, context);
    const { pending, omitted } = await pendingThere({ kind, id }, record, 'public', context);
    return answerOf({ ...shown, pending, omitted: [...shown.omitted, ...omitted] });
  },
});

/** The whole record with its short lists, and the beginnings of its long texts. */
function outline(args: Arguments, record: Entity, context: Context) {
  if (args.cursor !== undefined)
    throw invalidArguments('get_entity got a cursor without include', [
      { code: 'cursor', message: 'goes with include', path: ['cursor'] },
    ]);
  const { data, cut } = outlineOf(record);
  context.shownPaths.learn(data, labelsIn(args, record));
  const texts = longTextsIn(data);
  const begun = texts.map(([section, text]) => ({ section, total: text.length, returned: longestText }));
  const omitted = [...cut, ...begun].map((left) => {
    const next = { tool: 'get_entity', arguments: { kind: args.kind, id: args.id, include: [left.section] } };
    return { ...left, next };
  });
  const beginnings = texts.map(([name, text]) => [name, beginningOf(text, longestText)]);
  return { data: { ...data, ...Object.fromEntries(beginnings) }, omitted, nextCursor: null };
}

function labelsIn({ kind, id }: Arguments, record: Entity) {
  return labelsOf((among) => listedPicturesOf({ kind, id, record }, among));
}

/** The lists and long texts that are asked for, with the facts that say whose they are. */
function parts(args: Arguments, record: Entity, context: Context) {
  const texts = longTextsIn(record).filter(([name]) => args.include?.includes(name));
  const names = namedLists(
    args,
    sectionsOf(record).map(({ path }) => path),
    texts.map(([name]) => name),
  );
  const page = pageOfRecord('get_entity', args, record, room, context, {
    ...{ names, labels: labelsIn(args, record) },
  });
  const data = Object.entries(page.data).filter(
    ([name, value]) =>
      identity.has(name) || Array.isArray(value) || (isRecord(value) && sectionsOf(value).length > 0),
  );
  return { ...page, data: { ...Object.fromEntries(data), ...Object.fromEntries(texts) } };
}

/** Characters of JSON; stays well below the limit of a result. */
const room = 13_000;

/** The members that say which record it is. */
const identity = new Set([
  ...[
    'id',
    'kind',
    'title',
    'name',
    'year',
    'releaseDate',
    'firstReleaseDate',
    'seasonNumber',
    'episodeNumber',
  ],
]);

/** Texts that an answer only begins. */
function longTextsIn(record: Json): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.length > longestText ? [[name, value]] : [],
  );
}

/** A name stands for the list of that name, or for all lists below it (`assets`). */
function namedLists(
  { include = [] }: Arguments,
  lists: readonly string[],
  texts: readonly string[],
): Set<string> {
  const below = (name: string) => lists.filter((path) => path === name || path.startsWith(`${name}.`));
  const wrong = include.find((name) => below(name).length === 0 && !texts.includes(name));
  if (wrong === undefined) return new Set(include.flatMap(below));
  const words = `has no ${JSON.stringify(wrong)}${didYouMean(wrong, lists)}: there are ${lists.join(', ') || 'no lists'}`;
  throw invalidArguments('get_entity got a wrong section', [
    { code: 'include', message: words, path: ['include'] },
  ]);
}
