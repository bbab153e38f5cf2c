import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { ArtworkError, type Next } from '../errors.ts';
import { findPosition, writeCursor } from './pages.ts';
import { beginningOf, type Fitted, type LongText, longTextsIn, type Shortened } from './shorten.ts';

/** The place in long texts from which the next part goes on. */
const position = z.object({
  /** The cursor and the limit of the call whose answer it was. */
  cursor: z.string().optional(),
  limit: z.number().optional(),
  section: z.string(),
  /** Characters that the answer left of each text. */
  textLimit: z.int().min(0),
  /** Characters of the rests of all texts of the section, one after the other, that were told since. */
  told: z.int().min(0),
  /** Of the texts: a place in another text is none. */
  digest: z.string(),
});

/** A call for the rest of texts, with the arguments of the call whose answer has cut them. */
export interface RestAsked {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly position: z.output<typeof position>;
}

/** Such cursors are told from those of the tool itself. */
const named = (tool: string) => `${tool}, texts`;

/** Reads a cursor that leads to the rest of long texts; null if the call has another cursor or none. */
export function findRestAsked(tool: string, args: unknown): RestAsked | null {
  if (!isRecord(args)) return null;
  // Another page for a person would be written with each part.
  const { page: _, ...plain } = args;
  const found = findPosition(named(tool), plain, position);
  if (found === null) return null;
  const { cursor: __, limit: ___, ...others } = plain;
  const { cursor, limit } = found;
  const first = {
    ...others,
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit }),
  };
  return { tool, args: first, position: found };
}

/** The call that gets the rest of the texts that were cut in a section of an answer; null if there is none. */
export function restOfTexts(
  tool: string,
  args: unknown,
  answer: Readonly<Record<string, unknown>>,
  { section, unit }: Shortened,
  { textLimit }: Pick<Fitted, 'textLimit'>,
): Next | null {
  if (unit !== 'characters' || !isRecord(args)) return null;
  const texts = longTextsIn(answer, section, textLimit);
  if (texts.length === 0) return null;
  const { cursor, limit } = args;
  const place = {
    ...(typeof cursor === 'string' ? { cursor } : {}),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...{ section, textLimit, told: 0, digest: digestOf(texts) },
  };
  return callAt({ tool, args, position: place });
}

function callAt({ tool, args, position }: RestAsked): Next {
  const { limit: _, page: __, ...others } = args;
  return {
    tool,
    arguments: { ...others, cursor: writeCursor(named(tool), others, position) },
    why: 'It gives the rest of what was cut here.',
  };
}

/** Characters of JSON of the texts of one part. */
const longestPart = 13_000;

/**
 * The next part of the rests of texts: each with where it stands in the answer, and at which character it goes on.
 * @param answer whole, of the call whose answer has cut them
 * @throws ArtworkError `snapshot_expired` if the texts have changed since
 */
export function partOfTexts(
  asked: RestAsked,
  answer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { section, textLimit, told, digest } = asked.position;
  const texts = longTextsIn(answer, section, textLimit);
  if (digestOf(texts) !== digest) {
    const why = 'It is read again from its beginning.';
    const next = { tool: asked.tool, arguments: asked.args, why };
    throw new ArtworkError(
      'snapshot_expired',
      'What was cut has changed since, so its rest is another text.',
      { next },
    );
  }
  const parts: object[] = [];
  let passed = 0;
  let room = longestPart;
  let end = told;
  for (const { of, text, shown } of texts) {
    const from = shown + Math.max(0, told - passed);
    passed += text.length - shown;
    if (from >= text.length) continue;
    const part = fittingPart(text.slice(from), room);
    if (part === '') break;
    room -= JSON.stringify(part).length + of.length + 60;
    end += part.length;
    parts.push({ of, from, characters: text.length, text: part });
  }
  const total = texts.reduce((sum, { text, shown }) => sum + text.length - shown, 0);
  const next = end < total ? callAt({ ...asked, position: { ...asked.position, told: end } }) : null;
  const { omitted: _, nextCursor: __, data: ___, ...others } = answer;
  return {
    data: parts,
    ...others,
    omitted: next === null ? [] : [{ section, total, returned: end, unit: 'characters', next }],
    nextCursor: next?.arguments?.cursor ?? null,
  };
}

/** As much of the beginning of a text as its JSON has room for. */
function fittingPart(text: string, room: number): string {
  let [low, high] = [0, Math.min(text.length, room)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (JSON.stringify(text.slice(0, middle)).length <= room) low = middle;
    else high = middle - 1;
  }
  return low === text.length ? text : beginningOf(text, low);
}

function digestOf(texts: readonly LongText[]): string {
  const hash = createHash('sha256');
  for (const { of, text } of texts) hash.update(`${of} ${text.length} ${text}`);
  return hash.digest('base64url').slice(0, 12);
}
