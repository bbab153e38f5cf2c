import type { z } from 'zod';
import { ArtworkError } from '../errors.ts';
import type { Head } from '../http/exchange.ts';
import { type Clean, cleanerWithout, cleanJson, quoted, quotedSentence } from '../text.ts';
import { serviceError } from './failures.ts';
import { type PageMetadata, pageMetadata } from './records/kinds.ts';
import { isRecord, isSameId, type JsonRecord } from './records/members.ts';

/** Largest JSON answer that is read, bytes. */
export const answerBytes = 8 * 1024 * 1024;

/** A 2xx answer. */
export interface Answer {
  readonly head: Head;
  /** It may quote an access token: its texts, and those of the head, are shown only as `clean` makes them. */
  readonly body: Buffer;
  readonly clean: Clean;
}

// A service that quotes what it was sent may quote what it was sent before.
const sent: string[] = [];
const mostSent = 10;

/** Cleans the texts of an answer: of this request's access token, and of those that this process sent before. */
export function cleanerOf(bearer: string | null): Clean {
  if (bearer !== null && !sent.includes(bearer)) {
    sent.push(bearer);
    if (sent.length > mostSent) sent.shift();
  }
  return cleanerWithout(...sent);
}

/** What a body holds: cleaned JSON, or why it is none. */
export type ParsedBody =
  | { readonly json: true; readonly value: unknown }
  | { readonly json: false; readonly why: string };

/** Reads a body as JSON, whatever its content type says, and cleans its texts. */
export function parseJson({ head, body, clean }: Answer): ParsedBody {
  const encoding = head.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return { json: false, why: 'is encoded, which was not asked for' };
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return { json: false, why: 'is empty' };
  try {
    return { json: true, value: cleanJson(JSON.parse(text), clean) };
  } catch (error) {
    if (error instanceof SyntaxError) return { json: false, why: 'is not JSON' };
    throw error;
  }
}

/**
 * Opens what the service wraps a record in (interface document, Resources: `{ data, error?, meta? }`).
 * @param isBare takes the answer itself where it has no `data`: how protected records come is not shown
 * @throws ArtworkError `bad_response`; `not_found` for `data` that is null
 */
export function openRecord<Value>(
  answer: Answer,
  schema: z.ZodType<Value>,
  path: string,
  isBare = false,
): Value {
  const data = dataIn(readJson(answer, path), path, isBare);
  if (!isRecord(data)) throw useless(path, 'its data is not an object');
  return schema.parse(data);
}

/**
 * Opens a list. Elements of a wrong type are left out; where all are, it is no empty list but an answer of no use.
 * @param listIn finds the list in data that is none
 * @throws ArtworkError as for `openRecord`
 */
export function openList<Item>(
  answer: Answer,
  schema: z.ZodType<Item>,
  path: string,
  listIn?: (data: JsonRecord) => unknown,
): { readonly items: readonly Item[]; readonly meta: PageMetadata } {
  const body = readJson(answer, path);
  const data = dataIn(body, path, listIn !== undefined);
  const list = isRecord(data) && listIn !== undefined ? listIn(data) : data;
  if (!Array.isArray(list)) throw useless(path, 'its data is not a list');
  const items = list.filter(isRecord).map((item) => schema.parse(item));
  if (items.length === 0 && list.length > 0) throw useless(path, 'its list holds nothing of the right type');
  const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
  const { nextPage = null } = meta;
  // What can't be read must not pass for the end of the list.
  if (nextPage !== null && typeof nextPage !== 'string') throw useless(path, 'its nextPage is not a path');
  return { items, meta: pageMetadata.parse(meta) };
}

/**
 * Another record than the one asked for, from a cache between, must neither pass for it nor guard a change. A record
 * without an id passes.
 * @throws ArtworkError `bad_response`
 */
export function requireSame(
  found: string | number | null | undefined,
  asked: string | number,
  path: string,
): void {
  if (found === null || found === undefined || isSameId(found, asked)) return;
  throw new ArtworkError('bad_response', `The answer of ${path} is about another record.`);
}

function dataIn(body: unknown, path: string, isBare: boolean): unknown {
  if (!isRecord(body)) return body;
  const { data = null } = body;
  if (typeof data === 'object' && data !== null) return data;
  const hasOwnMembers = Object.keys(body).some((name) => !['data', 'error', 'meta'].includes(name));
  if (isBare && hasOwnMembers) return body;
  const error = serviceError(body);
  if (error !== null) {
    const failure = error.code === 'not_found' ? 'not_found' : 'bad_response';
    const said = error.message ?? error.code ?? 'an error without words';
    throw new ArtworkError(failure, `The answer of ${path} holds an error: ${quotedSentence(said)}.`, error);
  }
  // A record that lacks the frame of the interface document is one all the same.
  if (!Object.hasOwn(body, 'data') && hasOwnMembers) return body;
  if (data !== null || !Object.hasOwn(body, 'data')) throw useless(path, 'it holds no data');
  throw new ArtworkError('not_found', `The answer of ${path} says that nothing is there.`);
}

function readJson(answer: Answer, path: string): unknown {
  const parsed = parseJson(answer);
  if (parsed.json) return parsed.value;
  const type = answer.head.headers['content-type'];
  const told = type === undefined ? '' : ` (content type ${quoted(answer.clean(type).slice(0, 100))})`;
  throw useless(path, `it ${parsed.why}${told}`);
}

function useless(path: string, why: string): ArtworkError {
  return new ArtworkError('bad_response', `The answer of ${path} can't be used: ${why}.`);
}
