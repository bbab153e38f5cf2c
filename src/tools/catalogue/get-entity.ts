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
    const record = await context.catalogue.readEntity(kind, id, context.deadline);
    const shown = include === undefined ? outline(args, record) : parts(args, include, record);
    const entity = { kind, id, record };
    context.shownPictures.learn(() => labelsOf(listedPicturesOf(entity), whoseOfEntity(entity)));
    return answerOf(shown);
  },
});

/** The whole record with its short lists, and the beginnings of its long texts. */
function outline({ kind, id, cursor }: Arguments, record: Json) {
  if (cursor !== undefined) throw wrong('cursor', 'goes with include');
  const { data, left } = outlineOf(record);
  const partOf = (section: string, total: number, returned: number) => {
    return {
      section,
      total,
      returned,
      next: { tool: 'get_entity', arguments: { kind, id, include: [section] } },
    };
  };
  const omitted = left.map(({ path, items }) => partOf(path, items.length, 0));
  const shown = Object.entries(data).map(([name, value]) => {
    if (typeof value !== 'string' || value.length <= longestText) return [name, value];
    omitted.push(partOf(name, value.length, longestText));
    return [name, beginningOf(value, longestText)];
  });
  return { data: Object.fromEntries(shown), omitted, nextCursor: null };
}

/** The lists and texts that are asked for, with the facts that say whose they are. */
function parts(args: Arguments, include: readonly string[], record: Json) {
  const lists = sectionsOf(record).map(({ path }) => path);
  // A name stands for the list of that name, or for all lists below it (`assets`).
  const below = (name: string) => lists.filter((path) => path === name || path.startsWith(`${name}.`));
  const unknown = include.find((name) => below(name).length === 0 && typeof record[name] !== 'string');
  if (unknown !== undefined) {
    const words = `has no ${JSON.stringify(unknown)}${didYouMean(unknown, lists)}`;
    throw wrong('include', `${words}: there are ${lists.join(', ') || 'no lists'}`);
  }
  const page = pageOfRecord('get_entity', args, record, new Set(include.flatMap(below)));
  const isWanted = ([name, value]: [string, unknown]) =>
    identity.has(name) ||
    include.includes(name) ||
    Array.isArray(value) ||
    (isRecord(value) && sectionsOf(value).length > 0);
  return { ...page, data: Object.fromEntries(Object.entries(page.data).filter(isWanted)) };
}

/** The members that say which record it is. */
const identity = new Set(
  'id kind title name year releaseDate firstReleaseDate seasonNumber episodeNumber'.split(' '),
);

function wrong(argument: 'cursor' | 'include', message: string) {
  const issue = { code: argument, message, path: [argument] };
  return invalidArguments('get_entity got a wrong argument', [issue]);
}
