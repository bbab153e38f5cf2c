import type { z } from 'zod';
import { ArtworkError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Answer } from './reader.ts';
import { type PageMetadata, pageMetadata } from './records/feeds.ts';
import { serviceError } from './refusal.ts';
import { withArticle } from '../text.ts';
import { readTolerantly } from './tolerant.ts';
import { parseJson } from './wire-body.ts';
import { isRecord } from './records/read-member.ts';

/** Opens what the service wraps its answers in (interface document, Resources: `{ data, error?, meta? }`). */
export interface Opener {
  /**
   * `data`, or the answer itself where it is a record without that wrapping: it is known by having one of the
   * `marks`, without them `id`.
   */
  record<Value>(answer: Answer, schema: z.ZodType<Value>, path: string, marks?: readonly string[]): Value;
  /** `data` as a list, and `meta`. `listIn` finds the list in data that is none. */
  list<Item>(
    answer: Answer,
    schema: z.ZodType<Item[]>,
    path: string,
    listIn?: (data: Readonly<Record<string, unknown>>) => unknown,
  ): { readonly items: Item[]; readonly meta: PageMetadata };
}

/** Both reject with `bad_response`, saying what was wrong and where, when the answer is of no use. */
export function createOpener(log: Log | undefined): Opener {
  const read = <Value>(schema: z.ZodType<Value>, value: unknown, path: string, wanted: string): Value => {
    const tolerated = readTolerantly(schema, value);
    if (!tolerated.read) {
      throw useless(path, tolerated.why ?? `its data is not ${wanted} but ${typeName(value)}`);
    }
    const { surprises } = tolerated;
    if (surprises.length > 0) {
      const more = surprises.length > 3 ? `, and ${surprises.length - 3} more` : '';
      log?.warn(`Answer of ${path}: ${surprises.slice(0, 3).join('; ')}${more}.`);
    }
    return tolerated.value;
  };
  return {
    record(answer, schema, path, marks = ['id']) {
      const body = readJson(answer, path);
      const isBare = isRecord(body) && marks.some((mark) => Object.hasOwn(body, mark));
      if (isRecord(body) && !isBare && !Object.hasOwn(body, 'data')) throw withoutData(body, path);
      const data = isRecord(body) && !isBare ? body.data : body;
      if (data === null || data === undefined) throw withoutData(body, path);
      return read(schema, data, path, 'an object');
    },
    list(answer, schema, path, listIn) {
      const body = readJson(answer, path);
      const bare = isRecord(body) && serviceError(body) === null ? body : null;
      const data = isRecord(body) ? (body.data ?? (listIn === undefined ? null : bare)) : body;
      if (data === null || data === undefined) throw withoutData(body, path);
      const items = read(schema, isRecord(data) && listIn ? listIn(data) : data, path, 'a list');
      return { items, meta: isRecord(body) ? readMeta(body.meta, path) : {} };
    },
  };
}

/** Read without what is odd in it; but a next page that can't be read must not pass for the end of the list. */
function readMeta(meta: unknown, path: string): PageMetadata {
  const nextPage = isRecord(meta) ? (meta.nextPage ?? null) : null;
  if (nextPage !== null && typeof nextPage !== 'string') {
    throw useless(path, `its meta.nextPage is not a path but ${typeName(nextPage)}`);
  }
  const read = readTolerantly(pageMetadata, meta);
  return (read.read ? read.value : null) ?? {};
}

function readJson(answer: Answer, path: string): unknown {
  const parsed = parseJson(answer.body);
  if (parsed.json) return parsed.value;
  const type = answer.head.headers['content-type'];
  throw useless(path, `it ${parsed.why}${type === undefined ? '' : ` (content type ${type.slice(0, 100)})`}`);
}

function withoutData(body: unknown, path: string): ArtworkError {
  const error = serviceError(body);
  if (error === null) return useless(path, 'it holds no data');
  const category = error.code === 'not_found' ? 'not_found' : 'bad_response';
  return new ArtworkError(category, error.message ?? `The answer of ${path} holds an error.`, {
    code: error.code,
    details: error.details,
    issues: error.issues,
  });
}

function useless(path: string, why: string): ArtworkError {
  return new ArtworkError('bad_response', `The answer of ${path} can't be used: ${why}.`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : withArticle(typeof value);
}
