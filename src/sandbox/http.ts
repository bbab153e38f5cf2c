import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';

/** An answer that is complete before its first byte is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** One request on its way through a route. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** For a route that answers by itself, as oidc-provider does. */
  readonly response: ServerResponse;
  /** The path from the root of the origin, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** A segment of the path by its `{name}`. */
  segment(name: string): string;
  /** @throws Refusal 400 for a segment that is no integer */
  integer(name: string): number;
}

export interface Route {
  /** A HEAD is answered as a GET, without the body. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From the root of the origin; each `{name}` is one segment. */
  readonly path: string;
  /**
   * `own`: it has written to the response itself.
   * @throws Refusal for an answer of another status
   */
  answer(exchange: Exchange): Promise<Answer | 'own'> | Answer | 'own';
}

/** One thing that is wrong with a request; `path` leads to the field or the item. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

/** A refusal, which is sent as the interface document's Errors say: below `/me` in the protected form. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Partial<Pick<Refusal, 'details' | 'issues' | 'headers'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? {};
    this.issues = more.issues ?? [];
    this.headers = more.headers ?? {};
  }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, 'not_found', `${what} does not exist.`);
}

/** What a public read shows may have changed: it is never stored without asking again. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    body: JSON.stringify(body),
  };
}

/** An answer to a protected request (the interface document, What the service does). */
export function privateJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return json(status, body, { 'cache-control': 'private, no-store', ...headers });
}

/** The body of an error below `/me` (the interface document, Errors). */
export function protectedError({ code, message, details, issues }: Refusal) {
  return { error: { code, message, details, issues } };
}

/** A refusal in the form of the place where it happened. */
export function refusalAnswer(refusal: Refusal, isProtected: boolean): Answer {
  const { status, code, message, headers } = refusal;
  return isProtected
    ? privateJson(status, protectedError(refusal), headers)
    : json(status, { data: null, error: { code, message } }, headers);
}

/** Finds the route of a request; null where no route has its path. @throws Refusal 405 for another method */
export function createRouter(routes: readonly Route[]) {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return (request: IncomingMessage, response: ServerResponse): (() => ReturnType<Route['answer']>) | null => {
    const { path, query } = addressOf(request);
    const found = patterns.flatMap(({ route, pattern }) => {
      const match = pattern.exec(path);
      return match === null ? [] : [{ route, segments: match.groups ?? {} }];
    });
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const taken = found.find(({ route }) => route.method === method);
    if (taken === undefined) {
      if (found.length === 0) return null;
      const allow = found.map(({ route }) => route.method).join(', ');
      throw new Refusal(405, 'method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
    }
    const segment = (name: string) => {
      const value = taken.segments[name];
      if (value === undefined) throw new TypeError(`The path has no {${name}}.`);
      return value;
    };
    const integer = (name: string) => {
      const value = Number(segment(name));
      if (!/^-?[0-9]+$/.test(segment(name))) {
        throw new Refusal(400, 'invalid_request', `${name} must be an integer.`);
      }
      if (!Number.isSafeInteger(value)) throw notFound(`A resource with so large a ${name}`);
      return value;
    };
    return () => taken.route.answer({ request, response, path, query, segment, integer });
  };
}

/** Of a path in which each `{name}` or `*` is one segment. */
export function patternOf(path: string): RegExp {
  const written = path
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]+')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${written}$`);
}

/** The path of a request from the root of the origin, and its query. */
export function addressOf(request: IncomingMessage): {
  readonly path: string;
  readonly query: URLSearchParams;
} {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  if (!path.startsWith('/')) throw new Refusal(400, 'invalid_request', 'The request needs a path.');
  return { path, query: new URLSearchParams(query) };
}

/**
 * The whole body.
 * @param limit - bytes
 * @throws Refusal 413 for a longer one; Error when the client breaks off
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLong = () =>
    new Refusal(413, 'request.tooLarge', `A body may have ${limit} bytes here.`, {
      headers: { connection: 'close' },
    });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLong();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('A body comes as bytes.');
    length += chunk.byteLength;
    if (length > limit) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const jsonLimit = 1_048_576;

/**
 * A JSON body.
 * @throws Refusal 415 for another content type, 400 for a body that is no JSON or has not this shape
 */
export async function readJson<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'unsupported_media_type', 'The body must be application/json.');
  }
  const text = (await readBody(request, jsonLimit)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal(400, 'invalid_request', 'The body is no JSON.');
  }
  return validate(schema, value);
}

/** @throws Refusal 400 with an issue for each field that has not this shape */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, message, path }) => ({
    code,
    message,
    path: path.map(String),
  }));
  const fields = [...new Set(issues.map(({ path }) => path.join('.')))].join(', ');
  throw new Refusal(400, 'invalid_request', `These fields are missing or not valid: ${fields}.`, { issues });
}

/** Sends an answer; for a HEAD request without its body. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.setHeader('content-length', Buffer.byteLength(answer.body));
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
