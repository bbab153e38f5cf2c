import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Context } from '../context.ts';
import type { Route } from '../http.ts';

const providers = new WeakMap<Context, Promise<Provider>>();

/** Loaded when something is first asked of it: who only reads does not wait for it. */
export function providerOf(context: Context): Promise<Provider> {
  const known = providers.get(context) ?? load(context);
  providers.set(context, known);
  return known;
}

async function load(context: Context): Promise<Provider> {
  // It asks for a newer Node.js on the console. It runs on this one, as the tests show.
  const { warn } = console;
  console.warn = () => {};
  try {
    const { createProvider } = await import('./provider.ts');
    return createProvider(context);
  } finally {
    console.warn = warn;
  }
}

/** The authorization server below `{auth_url}/api/auth` and `{base_url}/api/auth`. */
export function oauthRoutes(context: Context): readonly Route[] {
  const endpoint = (method: Route['method'], mount: string, path: string): Route => ({
    method,
    path: `${mount}${path}`,
    async answer({ request, response }): Promise<'own'> {
      const provider = await providerOf(context);
      await provider.callback()(mounted(request, mount), response);
      return 'own';
    },
  });
  const { basePath } = context;
  return [
    endpoint('GET', '/api/auth', '/oauth2/authorize'),
    // Where the browser returns to after the consent page.
    endpoint('GET', '/api/auth', '/oauth2/authorize/{request}'),
    endpoint('GET', '/api/auth', '/jwks'),
    endpoint('GET', '/api/auth', '/.well-known/oauth-authorization-server'),
    endpoint('GET', '/api/auth', '/.well-known/openid-configuration'),
    endpoint('POST', `${basePath}/api/auth`, '/oauth2/token'),
    endpoint('POST', `${basePath}/api/auth`, '/oauth2/revoke'),
  ];
}

/**
 * Gives oidc-provider a request whose path starts below the mount. It reads the mount off `originalUrl` when it builds
 * its own addresses.
 */
function mounted(request: IncomingMessage, mount: string): IncomingMessage {
  const url = withoutUnusedNonce((request.url ?? '').slice(mount.length));
  return Object.assign(request, { url, originalUrl: mount + url });
}

/**
 * The interface document's authorization request always has a nonce. oidc-provider refuses a nonce without the scope
 * `openid`, where it has no effect, so it is removed there.
 */
function withoutUnusedNonce(url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  if (!parameters.has('nonce') || parameters.get('scope')?.split(' ').includes('openid')) return url;
  parameters.delete('nonce');
  return `${path}?${parameters}`;
}
