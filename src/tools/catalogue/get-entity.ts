import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { catalogueId, paging, readResult } from '../../mcp/arguments.ts';
import { namedKind } from '../../mcp/kinds.ts';
import { didYouMean } from '../../mcp/nearest.ts';
import { beginningOf, longestText } from '../../mcp/shorten.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { allKinds, kindsInWords, wordsFor } from '../../model/kinds.ts';
import { pageOfRecord } from '../paging.ts';
import { pendingThere } from '../pending-there.ts';
import { identityOf, listsOf, outlineRecord, type Section, sectionsOf } from '../sections.ts';
import { readOrExplain } from './not-there.ts';

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

/** Characters: with every list cut, a show answers in about 1,500 tokens. */
const outlineBudget = 2_400;
const sectionBudget = 1_500;
const pageBudget = 13_000;

export const getEntity = defineTool({
  name: 'get_entity',
  title: 'Look up a show, film, game or person: details and artwork',
  toolset: 'catalogue',
  description: `Look up a ${kindsInWords}: facts, artwork, Sets. Long lists are only counted: include gets them. Next: view_artwork, get_set.`,
  searchHint: `look up details facts info information about ${allKinds.flatMap(wordsFor).join(' ')} poster posters artwork available of how many list year summary`,
  alwaysLoad: true,
  annotations: readOnly,
  input,
  output: readResult.extend({ pending: z.unknown().optional() }),
  async run(args, context) {
    const { kind, id } = args;
    const shown = await readOrExplain(kind, id, context, () =>
      context.catalogue.readEntity(kind, id, context.deadline),
    );
    const record = shown;
    if (args.include === undefined) {
      if (args.cursor !== undefined) throw new ArtworkError('invalid_arguments', 'cursor goes with include.');
      const { data, cut } = outlineRecord(record, outlineBudget, sectionBudget);
      context.shownPaths.learn(data);
      const { omitted: more, ...own } = await pendingThere(kind, id, context, data);
      const texts = longTextsIn(data);
      const shortened = Object.fromEntries(
        texts.map(([name, text]) => [name, beginningOf(text, longestText)]),
      );
      const lengths = texts.map(([section, text]) => ({
        section,
        total: text.length,
        returned: longestText,
      }));
      const omitted = [...cut, ...lengths].map((left) => ({
        ...left,
        next: { tool: 'get_entity', arguments: { kind, id, include: [left.section] } },
      }));
      return {
        structured: {
          data: { ...data, ...shortened },
          ...own,
          omitted: [...omitted, ...more],
          nextCursor: null,
        },
      };
    }
    const texts = longTextsIn(record).filter(([name]) => args.include?.includes(name));
    const names = namedSections(
      args,
      sectionsOf(record),
      texts.map(([name]) => name),
    );
    const page = pageOfRecord('get_entity', args, record, pageBudget, context, names);
    const { data, omitted, nextCursor } = page;
    const { omitted: more, ...own } = await pendingThere(kind, id, context, data);
    return {
      structured: {
        data: { ...identityOf(record), ...listsOf(data), ...Object.fromEntries(texts) },
        ...own,
        omitted: [...omitted, ...more],
        nextCursor,
      },
    };
  },
});

/** Texts that an answer only begins. */
function longTextsIn(record: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.length > longestText ? [[name, value]] : [],
  );
}

/** A name stands for the list of that name, or for all lists below it (`assets`). */
function namedSections(
  { include = [] }: z.output<typeof input>,
  sections: readonly Section[],
  texts: readonly string[],
): Set<string> {
  const all = sections.map(({ path }) => path);
  const below = (name: string) => all.filter((path) => path === name || path.startsWith(`${name}.`));
  const wrong = include.find((name) => below(name).length === 0 && !texts.includes(name));
  if (wrong === undefined) return new Set(include.flatMap(below));
  throw new ArtworkError(
    'invalid_arguments',
    `There is no list ${JSON.stringify(wrong)} here${didYouMean(wrong, all)}. Lists: ${all.join(', ') || 'none'}.`,
    { issues: [{ code: 'include', message: 'no such list', path: ['include'] }] },
  );
}
