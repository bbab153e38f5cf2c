import { type Deadline, unlessAborted } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { isLoopbackHost } from '../http/reach.ts';

/** Where the catalogue is. */
export interface CatalogueAddress {
  /** `{base_url}`; it may carry a path prefix. */
  readonly baseUrl: string | URL;
  /** Origin that root-relative Asset paths resolve against. */
  readonly assetOrigin: string | URL;
}

/**
 * Asked before every request. `fresh`: the last address refused a connection, so the locator should not answer from
 * memory but start the catalogue again if it is theirs to start.
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
 * Tagged template for paths of the interface document: path`/shows/${id}`. An inserted value stays inside its segment
 * whatever it holds; `.` and `..` would still be resolved away, so they are refused.
 * @throws ArtworkError `invalid_arguments` for those
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): ServicePath {
  const segments = values.map((value) => segment(String(value)));
  return String.raw({ raw: parts }, ...segments) as ServicePath;
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
 * `?name=value&…`, or nothing. A space becomes `%20`: the `+` that forms use for it is read as a plus sign by a server
 * that does not read a query as a form. A lone surrogate becomes U+FFFD, as in every URL.
 */
export function writeQuery(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters.toString().replaceAll('+', '%20')}`;
}

/**
 * The path of a list's page: of its first one for null, else of the one that a page names as its next. That one is
 * appended to `{base_url}` (interface document, Endpoints), so it is followed only if it goes on below the first page:
 * nothing that leads to another host, to another list or upwards. A service below a path prefix may write its paths with
 * the prefix.
 * @throws ArtworkError `bad_response`
 */
export function resolveNextPage(
  nextPage: string | null,
  firstPage: ServicePath,
  { prefix }: Pick<Endpoint, 'prefix'>,
): ServicePath {
  if (nextPage === null) return firstPage;
  const isPrefixed = !nextPage.startsWith(firstPage) && nextPage.startsWith(`${prefix}/`);
  const page = isPrefixed ? nextPage.slice(prefix.length) : nextPage;
  const rest = page.slice(firstPage.length);
  // Plain segments only, `.` and `..` not among them, and nothing encoded, which a gateway might decode into more. The
  // first page again would be an endless walk.
  const isBelow = /^(?:\/(?!\.{1,2}(?:[/?]|$))[\w\-.~!$&'()*+,;=:@]+)*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/.test(
    rest,
  );
  if (page.startsWith(firstPage) && rest !== '' && isBelow && page.length <= 2048) return page as ServicePath;
  throw new ArtworkError(
    'bad_response',
    `The service named a next page that is not below ${firstPage}; it is not followed.`,
  );
}
