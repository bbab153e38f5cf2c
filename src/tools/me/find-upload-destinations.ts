import { z } from 'zod';
import { type OmittedSection, paging, readResult } from '../../mcp/arguments.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { withinBudget } from '../paging.ts';

const input = z.strictObject({
  kind: z.enum(['talent_set', 'media_set', 'boxset']),
  family: z
    .literal('game')
    .optional()
    .meta({ description: 'game destinations; left out: media', brief: 'game, else media' }),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'search text, such as a word of the title', brief: 'a word of the title' }),
  cursor: paging.cursor,
});

type Arguments = z.output<typeof input>;

export const findUploadDestinations = defineTool({
  name: 'find_upload_destinations',
  title: 'Find your own Sets to upload to',
  toolset: 'me',
  description:
    'Find your own Sets and groups that artwork can be uploaded into; the service shows only some: narrow with q. create_media_set takes a record unchanged as destination, others its id.',
  searchHint: 'search my own sets groups boxsets loadouts target where into which can existing',
  annotations: readOnly,
  input,
  output: readResult.extend({ warnings: z.array(z.string()).optional() }),
  async run(args, context) {
    const { owned } = await context.account();
    const { kind, family, q } = args;
    const destinations = await owned.findUploadDestinations({ kind, family, q }, context.deadline);
    const { length: total } = destinations;
    const offset = readCursor('find_upload_destinations', args, z.int().min(0)) ?? 0;
    const data = withinBudget(destinations.slice(offset), budget);
    context.shownPaths.learn(data);
    const end = offset + data.length;
    const nextCursor = end < total ? writeCursor('find_upload_destinations', args, end) : null;
    const { cursor: _, ...asked } = args;
    const next = (more: Partial<Arguments>) => ({
      tool: 'find_upload_destinations',
      arguments: { ...asked, ...more },
    });
    const letter = letterAfter(q, total);
    const omitted: OmittedSection[] = [];
    if (nextCursor !== null) {
      omitted.push({ section: 'data', total, returned: data.length, next: next({ cursor: nextCursor }) });
    } else if (mayBeMore(total) || letter !== null) {
      const further = letter === null ? null : next({ q: letter });
      omitted.push({ section: 'data', total: null, returned: total, next: further });
    }
    const warnings = mayBeMore(total) ? [limitWords(total, q, letter)] : [];
    return { structured: { data, omitted, nextCursor, ...(warnings.length > 0 ? { warnings } : {}) } };
  },
});

/**
 * The interface document (Limits) says that the result is limited in count, not to how many, and shows no pages here.
 * A limit below ten would be of no use to anyone, so fewer are taken for all.
 */
function mayBeMore(total: number): boolean {
  return total >= 10;
}

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/**
 * Only the caller knows which words the missing ones have; one letter after the other shows them without. Null where
 * all were shown, at the end of the letters, and for a search for words.
 */
function letterAfter(q: string | undefined, total: number): string | null {
  if (q === undefined || q === '') return mayBeMore(total) ? 'a' : null;
  const at = letters.indexOf(q.toLowerCase());
  return at < 0 ? null : (letters[at + 1] ?? null);
}

function limitWords(total: number, q: string | undefined, letter: string | null): string {
  const searched = q === undefined || q === '' ? '' : ` for ${JSON.stringify(q)}`;
  const further = letter === null ? '' : ' Where no word is known, next goes through all titles by letter.';
  return `The service returned ${total}${searched}: it limits how many it returns, and does not say whether there are more. To get further, put a word of the title that is looked for into q${searched === '' ? '' : ', or a longer one'}.${further}`;
}

/** Characters of JSON; stays well below the limit of a result. */
const budget = 14_000;
