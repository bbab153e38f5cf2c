import { z } from 'zod';
import { isRecord, type JsonRecord as Json } from '../../catalogue/records/members.ts';
import { labelsOf, listedPicturesOf, whoseOfEntity } from '../../curation/show/found.ts';
import { invalidArguments } from '../../errors.ts';
import { catalogueId, paging } from '../../mcp/arguments.ts';
import { namedKind } from '../../mcp/kinds.ts';
import { didYouMean } from '../../mcp/nearest.ts';
import { beginningOf, longestText } from '../../mcp/shorten.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { allKinds, kindsInWords, wordsFor } from '../../model/kinds.ts';
import { answerOf, readAnswer } from '../answer.ts';
import { readOrExplain } from '../own.ts';
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
    const { kind, id, include } = args;
    const record = await readOrExplain(kind, id, context, () =>
      context.catalogue.readEntity(kind, id, context.deadline),
    );
    const shown = include === undefined ? outline(args, record) : parts(args, include, record);
    const entity = { kind, id, record };
    const labels = labelsOf(listedPicturesOf(entity), whoseOfEntity(entity));
    context.shownPaths.learn(shown.data, labels);
    return answerOf(shown);
  },
});

/** The whole record with its short lists, and the beginnings of its long texts. */
function outline({ kind, id, cursor }: Arguments, record: Json) {
  if (cursor !== undefined) throw wrong('cursor', 'goes with include');
  const { data, left } = outlineOf(record);
  const texts = longTextsIn(data);
  const omitted = [
    ...left.map(({ path, items }) => ({ section: path, total: items.length, returned: 0 })),
    ...texts.map(([section, text]) => ({ section, total: text.length, returned: longestText })),
  ].map((one) => {
    return { ...one, next: { tool: 'get_entity', arguments: { kind, id, include: [one.section] } } };
  });
  const beginnings = texts.map(([name, text]) => [name, beginningOf(text, longestText)]);
  return { data: { ...data, ...Object.fromEntries(beginnings) }, omitted, nextCursor: null };
}

/** The lists and long texts that are asked for, with the facts that say whose they are. */
function parts(args: Arguments, include: readonly string[], record: Json) {
  const lists = sectionsOf(record).map(({ path }) => path);
  const texts = longTextsIn(record).filter(([name]) => include.includes(name));
  // A name stands for the list of that name, or for all lists below it (`assets`).
  const below = (name: string) => lists.filter((path) => path === name || path.startsWith(`${name}.`));
  const unknown = include.find((name) => below(name).length === 0 && !texts.some(([text]) => text === name));
  if (unknown !== undefined) {
    const words = `has no ${JSON.stringify(unknown)}${didYouMean(unknown, lists)}`;
    throw wrong('include', `${words}: there are ${lists.join(', ') || 'no lists'}`);
  }
  const page = pageOfRecord('get_entity', args, record, new Set(include.flatMap(below)));
  const data = Object.entries(page.data).filter(
    ([name, value]) =>
      identity.has(name) || Array.isArray(value) || (isRecord(value) && sectionsOf(value).length > 0),
  );
  return { ...page, data: { ...Object.fromEntries(data), ...Object.fromEntries(texts) } };
}

/** The members that say which record it is. */
const identity = new Set(
  'id kind title name year releaseDate firstReleaseDate seasonNumber episodeNumber'.split(' '),
);

/** Texts that an outline only begins. */
function longTextsIn(record: Json): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.length > longestText ? [[name, value]] : [],
  );
}

function wrong(argument: 'cursor' | 'include', message: string) {
  const issue = { code: argument, message, path: [argument] };
  return invalidArguments('get_entity got a wrong argument', [issue]);
}
