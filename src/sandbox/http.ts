import type { IncomingMessage, ServerResponse } from 'node:http';

/** An answer that is complete before its first byte is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Answers a request whose path matched; `values` are the segments that the `{names}` stood for.
 * @throws PublicError for an answer of another status.
 */
type RouteHandler = (values: PathValues, request: IncomingMessage) => Promise<Answer> | Answer;

export interface Route {
  /** Such as `/shows/{showId}`; each `{name}` is one segment. */
  readonly path: string;
  readonly answer: RouteHandler;
}

export class PathValues {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  text(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new TypeError(`The path has no {${name}}.`);
    return value;
  }

  /** The integer of a path with a single name. */
  onlyInteger(): number {
    const [name] = this.#values.keys();
    if (name === undefined || this.#values.size > 1) throw new TypeError('The path has not one name.');
    return this.integer(name);
  }

  /** @throws PublicError 400 for a segment that is no integer. */
  integer(name: string): number {
    const written = this.text(name);
    if (!/^-?[0-9]+$/.test(written)) {
      throw new PublicError(400, 'invalid_request', `${name} must be an integer.`);
    }
    const value = Number(written);
    if (!Number.isSafeInteger(value)) throw notFound(`A resource with so large a ${name}`);
    return value;
  }
}

/** A refusal with the public error body (the interface document, Errors). */
export class PublicError extends Error {
  override readonly name = 'PublicError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function notFound(what: string): PublicError {
  return new PublicError(404, 'not_found', `${what} does not exist.`);
}

/** Never cached: what a public read shows may have changed. */
export function jsonAnswer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

export function publicErrorAnswer(error: PublicError): Answer {
  const { status, code, message, headers } = error;
  return jsonAnswer(status, { data: null, error: { code, message } }, headers);
}

/**
 * Finds the route of a path and answers GET and HEAD, any other method with 405; undefined when no route has
 * the path.
 */
export function createRouter(routes: readonly Route[]) {
  const split = routes.map((route) => ({ route, parts: route.path.split('/') }));
  return async (path: string, request: IncomingMessage): Promise<Answer | undefined> => {
    const segments = path.split('/');
    for (const { route, parts } of split) {
      const values = matchPath(parts, segments);
      if (!values) continue;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new PublicError(405, 'method_not_allowed', 'This path is read with GET.', {
          allow: 'GET, HEAD',
        });
      }
      return route.answer(new PathValues(values), request);
    }
    return undefined;
  };
}

export function matchPath(
  parts: readonly string[],
  segments: readonly string[],
): Map<string, string> | undefined {
  if (parts.length !== segments.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) values.set(part.slice(1, -1), segment);
    else if (part !== segment) return undefined;
  }
  return values;
}

/** The path of the request without its query; the public reads take no query parameters. */
export function pathOf(request: IncomingMessage): string {
  const [path = ''] = (request.url ?? '').split('?', 1);
  if (!path.startsWith('/')) throw new PublicError(400, 'invalid_request', 'The request needs a path.');
  return path;
}

/** Whether a request is for what lies below `{base_url}/me`, whose errors have a body of their own (Errors). */
export function isProtected(request: IncomingMessage, basePath: string): boolean {
  const [path = ''] = (request.url ?? '').split('?', 1);
  return path === `${basePath}/me` || path.startsWith(`${basePath}/me/`);
}

/** The names of this machine, with the port where it is needed. */
function hostsAt(port: number): readonly string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`],
  );
}

/**
 * Prevents DNS rebinding: a site whose name resolves to this machine could otherwise read the catalogue in a
 * person's browser. Only names of this machine are answered.
 */
export function refuseForeignHost(request: IncomingMessage, port: number): void {
  const host = request.headers.host?.toLowerCase();
  if (host === undefined || !hostsAt(port).includes(host)) {
    throw new PublicError(421, 'misdirected_request', 'This Host is not served here.');
  }
}

/**
 * Who has made a request. `own`: a program, a page of the catalogue, or a person who typed the address. `visit`: a page
 * from elsewhere, another port of this machine too, has led the person's browser here. `foreign`: anything else that
 * such a page can send.
 */
export function sourceOf(
  { method = '', headers }: IncomingMessage,
  port: number,
): 'own' | 'visit' | 'foreign' {
  const { origin } = headers;
  const isOwnOrigin = origin !== undefined && hostsAt(port).some((host) => origin === `http://${host}`);
  if (origin !== undefined && !isOwnOrigin) return 'foreign';
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return 'own';
  const reads = method === 'GET' || method === 'HEAD';
  if (site === undefined) {
    // A program, or a browser that is too old to say; from elsewhere that one sends no more than it may read blindly.
    const isBrowser = /^mozilla\//i.test(headers['user-agent'] ?? '');
    return !isBrowser || isOwnOrigin ? 'own' : reads ? 'visit' : 'foreign';
  }
  const isVisit = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return reads && isVisit ? 'visit' : 'foreign';
}

/** A page from elsewhere can neither act here nor keep a request open: it may lead a person here, and no more. */
export function refuseForeignPage(request: IncomingMessage, port: number): void {
  if (sourceOf(request, port) !== 'foreign') return;
  const headers = { connection: 'close' };
  throw new PublicError(403, 'foreign_page', 'A page of another site has sent this.', headers);
}

/**
 * Whether a request shows that somebody uses the catalogue. What a page from elsewhere causes does not, nor what its
 * browser loads for the page that it was led to.
 */
export function isUse(request: IncomingMessage, port: number): boolean {
  if (sourceOf(request, port) !== 'own') return false;
  const { headers } = request;
  return headers['sec-fetch-site'] === undefined || headers['sec-fetch-mode'] === 'navigate';
}

/** Sends the answer; for a HEAD request without its body. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 304 ? {} : { 'content-length': answer.body.byteLength }),
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') response.end();
  else response.end(answer.body);
}
