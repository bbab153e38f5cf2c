import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { sleep } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Clean, cleanerWithout, withArticle } from '../text.ts';
import { type Exchange, exchange, type Head } from '../wire/exchange.ts';
import { retryAfterMs } from '../wire/pacing.ts';
import { decodeBody, parseJson, readTolerantly } from './answer-body.ts';
import type { Endpoint, EndpointFinder } from './call.ts';
import {
  mayFailurePass,
  networkFailure,
  refusalOfAnswer,
  serviceError,
  wasConnectionRefused,
} from './failures.ts';
import { type PageMetadata, pageMetadata } from './records/entities.ts';
import { isNumericId, isRecord, isSameId } from './records/members.ts';

/** Where one GET goes. */
export interface ReadTarget {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
}

interface ReadRequest {
  /** Asked before every try, since the catalogue may have moved. */
  readonly to: (found: Endpoint) => ReadTarget | Promise<ReadTarget>;
  readonly accept: string;
  readonly maxBytes: number;
  /** The access token, for protected reads. */
  readonly bearer?: string;
}

/** A 2xx answer, its content encoding undone. */
export interface Answer {
  readonly head: Head;
  /** It may quote the access token: its texts, and those of the head, are shown only as `clean` makes them. */
  readonly body: Buffer;
  readonly clean: Clean;
}

export type Reader = (request: ReadRequest, deadline: Deadline) => Promise<Answer>;

const usualTries = 5;
const firstPauseMs = 200;

/**
 * GETs, the only requests that are ever repeated: after a fault of the network, 502, 503 or 504, and after
 * 429 when the service says when, until the deadline. `silenceMs`: how long a
 * service may say nothing before a try is given up. `tries`: how often a request is sent at most. Rejects with
 * ArtworkErrors.
 */
export function createReader(
  endpoints: EndpointFinder,
  userAgent: string,
  silenceMs: number,
  tries = usualTries,
): Reader {
  return async (request, deadline) => {
    for (let tried = 1; ; tried++) {
      const target = await request.to(await endpoints.find(deadline));
      const { maxBytes, bearer } = request;
      const result = await exchange(target.dispatcher, {
        method: 'GET',
        origin: target.origin,
        path: target.path,
        headers: {
          accept: request.accept,
          'accept-encoding': 'identity',
          'user-agent': userAgent,
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        },
        maxBytes,
        headersMs: silenceMs,
        bodyMs: silenceMs,
        signal: deadline.signal,
      });
      if (result.end === 'answered' && isSuccess(result.head.status)) {
        return {
          head: result.head,
          body: await decodeBody(result.head, result.body, maxBytes),
          clean: cleanerWithout(bearer ?? null),
        };
      }
      if (result.end === 'failed' && wasConnectionRefused(result.error)) endpoints.refused();
      const pause = pauseAfter(result, tried);
      if (pause === null || tried === tries || pause >= deadline.left()) {
        throw await failureOf(result, target.origin, request);
      }
      await sleep(pause, deadline.signal);
      deadline.signal.throwIfAborted();
    }
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Milliseconds until the next try; null when another try can't help. */
function pauseAfter(result: Exchange, tried: number): number | null {
  // Half of the pause is drawn, so that clients that failed together don't come back together.
  const pause = firstPauseMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
  if (result.end !== 'answered') return mayFailurePass(result.error) ? pause : null;
  const asked = retryAfterMs(result.head.headers);
  switch (result.head.status) {
    case 429:
      return asked === null ? null : Math.max(asked, pause);
    case 502:
    case 503:
    case 504:
      return asked === null ? pause : Math.max(asked, pause);
    default:
      return null;
  }
}

async function failureOf(result: Exchange, origin: string, request: ReadRequest): Promise<ArtworkError> {
  const { maxBytes, bearer } = request;
  if (result.end === 'failed') return networkFailure(origin, result.error, maxBytes);
  if (result.end === 'cut') return networkFailure(origin, result.error, maxBytes, result.head.status);
  const body = await decodeBody(result.head, result.body, maxBytes);
  const parsed = parseJson(body, cleanerWithout(bearer ?? null), 'leave out');
  const error = refusalOfAnswer(result.head, parsed, bearer !== undefined);
  const wait = retryAfterMs(result.head.headers);
  if (wait === null) return error;
  const at = new Date(Date.now() + wait).toISOString();
  return new ArtworkError(error.category, error.message, {
    ...error,
    next: {
      why: `The service asks to be left alone until ${at}: make the same call again then, not before.`,
    },
  });
}

/**
 * Opens what the service wraps its answers in (interface document, Resources: `{ data, error?, meta? }`). Both throw
 * `bad_response`, saying what was wrong and where, when the answer is of no use.
 */
export function createOpener(log: Log | undefined) {
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
    /** `data`, or the answer itself where it is a record without that wrapping: it is known by having one of the `marks`. */
    record<Value>(
      answer: Answer,
      schema: z.ZodType<Value>,
      path: string,
      marks: readonly string[] = ['id'],
    ): Value {
      const body = readJson(answer, path);
      const isBare = isRecord(body) && marks.some((mark) => Object.hasOwn(body, mark));
      if (isRecord(body) && !isBare && !Object.hasOwn(body, 'data')) throw withoutData(body, path);
      const data = isRecord(body) && !isBare ? body.data : body;
      if (data === null || data === undefined) throw withoutData(body, path);
      return read(schema, data, path, 'an object');
    },
    /** `data` as a list, and `meta`. `listIn` finds the list in data that is none. */
    list<Item>(
      answer: Answer,
      schema: z.ZodType<Item[]>,
      path: string,
      listIn?: (data: Readonly<Record<string, unknown>>) => unknown,
    ): { readonly items: Item[]; readonly meta: PageMetadata } {
      const body = readJson(answer, path);
      const bare = isRecord(body) && serviceError(body) === null ? body : null;
      const data = isRecord(body) ? (body.data ?? (listIn === undefined ? null : bare)) : body;
      if (data === null || data === undefined) throw withoutData(body, path);
      const items = read(schema, isRecord(data) && listIn ? listIn(data) : data, path, 'a list');
      return { items, meta: isRecord(body) ? readMeta(body.meta, path) : {} };
    },
  };
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
  if (found === null || found === undefined) return;
  if (isSameId(found, asked)) return;
  const instead = isNumericId(found)
    ? `: ${found}. If the catalogue has joined the two, ask for that one.`
    : '.';
  throw new ArtworkError('bad_response', `The answer of ${path} is about another record than that${instead}`);
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

function readJson({ head, body, clean }: Answer, path: string): unknown {
  const parsed = parseJson(body, clean);
  if (parsed.json) return parsed.value;
  const type = head.headers['content-type'];
  const told = type === undefined ? '' : ` (content type ${clean(type).slice(0, 100)})`;
  throw useless(path, `it ${parsed.why}${told}`);
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
