import type { IncomingMessage } from 'node:http';

/** Which URL of the interface document a request is for. */
type OAuthRoute =
  /** One of oidc-provider's endpoints: `mount` and `path` together are the request's path. */
  | {
      readonly at: 'endpoint';
      readonly mount: string;
      readonly path: string;
      readonly methods: readonly string[];
    }
  /** Below one of our prefixes, but no endpoint. */
  | { readonly at: 'unknown' }
  /** The account pages, under `{auth_url}/account`; `path` is what follows. */
  | { readonly at: 'account'; readonly path: string }
  /** The account pages under another name of this machine: cookies belong to one name only. */
  | { readonly at: 'otherHost'; readonly location: string };

/**
 * The two addresses of the interface document. A person's browser goes to `{auth_url}`, apps go to
 * `{base_url}`; both may be the same, and either may carry a path.
 */
export interface Addresses {
  /** `{auth_url}/api/auth`. */
  readonly issuer: string;
  /** `{base_url}/me`: the only resource that a token can be for. */
  readonly resource: string;
  readonly authOrigin: string;
  /** Root-relative path of the account's pages. */
  readonly accountPath: string;
  readonly authorizePath: string;
  readonly tokenUrl: string;
  readonly revocationUrl: string;
  /** Null for a request that belongs to another handler. */
  routeOf(request: IncomingMessage): OAuthRoute | null;
}

/** The endpoints below `{auth_url}/api/auth`, with their methods. */
const authEndpoints: ReadonlyMap<string, readonly string[]> = new Map([
  ['/oauth2/authorize', ['GET', 'HEAD']],
  ['/jwks', ['GET', 'HEAD']],
  ['/.well-known/oauth-authorization-server', ['GET', 'HEAD']],
  ['/.well-known/openid-configuration', ['GET', 'HEAD']],
]);
/** Where the browser returns to after the consent page. */
const resume = /^\/oauth2\/authorize\/[\w-]+$/;

/** The endpoints below `{base_url}/api/auth`. */
const baseEndpoints: ReadonlyMap<string, readonly string[]> = new Map([
  ['/oauth2/token', ['POST']],
  ['/oauth2/revoke', ['POST']],
]);

/**
 * @param baseUrl `{base_url}`
 * @param authUrl `{auth_url}`, both without a trailing slash.
 */
export function createAddresses(baseUrl: string, authUrl: string): Addresses {
  const base = new URL(baseUrl);
  const auth = new URL(authUrl);
  const basePrefix = base.pathname.replace(/\/$/, '');
  const authPrefix = auth.pathname.replace(/\/$/, '');
  const baseMount = `${basePrefix}/api/auth`;
  const authMount = `${authPrefix}/api/auth`;
  const accountPath = `${authPrefix}/account`;

  return {
    issuer: `${auth.origin}${authMount}`,
    resource: `${base.origin}${basePrefix}/me`,
    authOrigin: auth.origin,
    accountPath,
    authorizePath: `${authMount}/oauth2/authorize`,
    tokenUrl: `${base.origin}${baseMount}/oauth2/token`,
    revocationUrl: `${base.origin}${baseMount}/oauth2/revoke`,
    routeOf(request) {
      const path = requestPath(request);
      const host = request.headers.host?.toLowerCase();
      const atBase = host === base.host;
      const atAuth = host === auth.host;
      const belowBase = atBase ? below(path, baseMount) : null;
      const belowAuth = atAuth ? below(path, authMount) : null;
      const account = below(path, accountPath);

      const baseMethods = belowBase === null ? undefined : baseEndpoints.get(belowBase);
      if (belowBase !== null && baseMethods !== undefined) {
        return { at: 'endpoint', mount: baseMount, path: belowBase, methods: baseMethods };
      }
      if (belowAuth !== null) {
        const methods =
          authEndpoints.get(belowAuth) ?? (resume.test(belowAuth) ? ['GET', 'HEAD'] : undefined);
        if (methods !== undefined) return { at: 'endpoint', mount: authMount, path: belowAuth, methods };
      }
      if (account !== null) {
        if (atAuth) return { at: 'account', path: account };
        return { at: 'otherHost', location: `${auth.origin}${request.url ?? ''}` };
      }
      return belowBase !== null || belowAuth !== null ? { at: 'unknown' } : null;
    },
  };
}

function requestPath(request: IncomingMessage): string {
  const [path = ''] = (request.url ?? '').split('?', 1);
  return path;
}

/** What follows the prefix, or null when the path is not below it. */
function below(path: string, prefix: string): string | null {
  if (path === prefix) return '';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null;
}
