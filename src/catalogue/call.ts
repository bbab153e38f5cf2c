import { timerMs } from '../clock.ts';
import { callBudgetMs, type Deadline, deadlineIn, noLaterThan } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { isLoopbackHost } from './dispatchers.ts';

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` once the signal is aborted, at once where it is already. All that wait for one signal share a listener:
 * the reads of a call are many, and Node takes the eleventh listener for a leak.
 * @returns ends the waiting
 */
function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  if (signal.aborted) {
    stop();
    return () => {};
  }
  const stops = waiting.get(signal) ?? new Set();
  if (!waiting.has(signal)) {
    waiting.set(signal, stops);
    const stopAll = () => {
      for (const one of stops) one();
    };
    signal.addEventListener('abort', stopAll, { once: true });
  }
  stops.add(stop);
  return () => {
    stops.delete(stop);
  };
}

/**
 * Runs `work` until the deadline and leaves no timer or listener behind. The signal of the deadline that `work` gets is
 * aborted when the time is up, too; its reason is the ArtworkError to reject with.
 */
export async function untilDeadline<T>(
  { signal: caller, left }: Deadline,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const limitMs = left();
  const controller = new AbortController();
  const cancel = () => controller.abort(new ArtworkError('cancelled', 'The call was cancelled.'));
  const expire = () =>
    controller.abort(
      new ArtworkError(
        'network',
        `The catalogue did not answer within ${Math.round(limitMs / 100) / 10} seconds.`,
      ),
    );
  const timer = setTimeout(expire, timerMs(limitMs));
  const forget = whenAborted(caller, cancel);
  try {
    return await work({ signal: controller.signal, left });
  } finally {
    clearTimeout(timer);
    forget();
  }
}

/** A read, its retries and pauses included, takes no longer than a call may, however much time is left. */
export function readUntil<T>(
  deadline: Deadline | undefined,
  read: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  return untilDeadline(
    deadline === undefined ? deadlineIn(callBudgetMs) : noLaterThan(deadline, callBudgetMs),
    read,
  );
}

/** For work that can't be aborted: it may go on, but the caller does not wait for it once the signal is aborted. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = whenAborted(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(forget);
  });
}

/** Where the catalogue is. */
export interface CatalogueAddress {
  /** `{base_url}`; it may carry a path prefix. */
  readonly baseUrl: string | URL;
  /** Origin that root-relative Asset paths resolve against. */
  readonly assetOrigin: string | URL;
}

/**
 * Asked before every request. `fresh`: the last address refused a connection, so the locator should not
 * answer from memory but start the catalogue again if it is theirs to start.
 */
export type Locate = (fresh: boolean) => Promise<CatalogueAddress>;

export interface Endpoint {
  readonly origin: string;
  /** What every path of the interface document is appended to; no slash at its end. */
  readonly prefix: string;
  readonly assetOrigin: string;
  /** The catalogue runs on this machine. */
  readonly local: boolean;
}

export type EndpointFinder = ReturnType<typeof createEndpointFinder>;

/** Finds the addresses of the catalogue for a request. */
export function createEndpointFinder(locate: Locate) {
  let fresh = false;
  return {
    async find({ signal }: Deadline): Promise<Endpoint> {
      const asked = fresh;
      const address = await unlessAborted(signal, locate(asked));
      // Kept while it can't be found, so that the next call asks in the same way.
      if (asked) fresh = false;
      const base = new URL(address.baseUrl);
      return {
        origin: base.origin,
        prefix: base.pathname.replace(/\/+$/, ''),
        assetOrigin: new URL(address.assetOrigin).origin,
        local: isLoopbackHost(base.hostname),
      };
    },
    /** The address that was found last refused a connection. */
    refused(): void {
      fresh = true;
    },
  };
}

/** A path below `{base_url}`, with every inserted value encoded as one segment of it. */
export type ServicePath = string & { readonly __brand: 'ServicePath' };

/**
 * Tagged template for paths of the interface document: path`/shows/${id}`. An inserted value stays inside
 * its segment whatever it holds; `.` and `..` would still be resolved away, so they are refused.
 * @throws ArtworkError `invalid_arguments` for those
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): ServicePath {
  let result = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    result += segment(String(value)) + (parts[index + 1] ?? '');
  }
  return result as ServicePath;
}

function segment(value: string): string {
  // Half of a character can't be encoded.
  if (/^\.{0,2}$|\p{Cs}/u.test(value)) {
    throw new ArtworkError('invalid_arguments', `${JSON.stringify(value)} can't be an id.`);
  }
  return encodeURIComponent(value);
}

/** The parameters of a request, in the order in which they are sent. */
export type Query = Readonly<Record<string, string | number>>;

/**
 * `?name=value&…`, or nothing. A space becomes `%20`: the `+` that forms use for it is read as a plus sign by
 * a server that does not read a query as a form. A lone surrogate becomes U+FFFD, as in every URL.
 */
export function writeQuery(query: Query): string {
  const encode = (part: string | number) => encodeURIComponent(String(part).replace(/\p{Cs}/gu, '\ufffd'));
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * Checks the path of a later page. It is appended to `{base_url}` (interface document, Endpoints), so only
 * one that goes on below the list's first page is followed: nothing that leads to another host, another
 * list, or upwards, encoded or not. A service below a path prefix may write its paths with the prefix.
 * @param prefix of `{base_url}`, without a slash at its end
 * @returns the path below `{base_url}`
 * @throws ArtworkError `bad_response`
 */
export function resolveNextPage(nextPage: string, firstPage: ServicePath, prefix: string): ServicePath {
  const path = withoutPrefix(nextPage, firstPage, prefix);
  const [pathname = '', ...query] = path.split('?');
  if (
    path.length > 2048 ||
    query.length > 1 ||
    // Printable ASCII that a URL carries as it stands; a backslash or a fragment is not among it.
    !/^[\w\-.~!$&'()*+,;=:@%/?]+$/.test(path) ||
    !(pathname === firstPage || pathname.startsWith(`${firstPage}/`)) ||
    // The first page again would be an endless walk.
    path === firstPage ||
    !pathname.split('/').every(isPlainSegment)
  ) {
    throw new ArtworkError(
      'bad_response',
      `The service named a next page that is not below ${firstPage}; it is not followed.`,
    );
  }
  return path as ServicePath;
}

/** A path that is right as it stands is taken so: the document's own example goes below `{base_url}`. */
function withoutPrefix(nextPage: string, firstPage: ServicePath, prefix: string): string {
  return !nextPage.startsWith(firstPage) && nextPage.startsWith(`${prefix}/`)
    ? nextPage.slice(prefix.length)
    : nextPage;
}

function isPlainSegment(segment: string, index: number): boolean {
  if (segment === '') return index === 0;
  let decoded = segment;
  // Decoded until it stays the same: a gateway in front of the service may decode once more than it does.
  for (let rounds = 0; decoded.includes('%'); rounds++) {
    if (rounds === 3) return false;
    try {
      decoded = decodeURIComponent(decoded);
    } catch (error) {
      if (error instanceof URIError) return false;
      throw error;
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a decoded control character is refused
  return decoded !== '.' && decoded !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(decoded);
}
