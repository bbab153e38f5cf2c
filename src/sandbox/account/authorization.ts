import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { logDefect } from '../log.ts';
import { type Addresses, createAddresses } from '../oauth/addresses.ts';
import { type IssuedApp, registerApp, registerOwnApp } from '../oauth/apps.ts';
import { deleteExpired, expireAccessTokens } from '../oauth/connections.ts';
import { ensureKeys } from '../oauth/keys.ts';
import type { Lifetimes } from '../oauth/provider.ts';
import type { Registration } from '../oauth/registration.ts';
import { createAuthorizationTables } from '../oauth/storage.ts';
import { ensureIdentity, type FolderIdentity } from '../process/identity.ts';
import type { Mount } from '../server-context.ts';
import type { Database } from '../store/database.ts';
import { type Account, type AccountDirectory, openAccountDirectory } from './accounts.ts';
import { type AccountContext, createOneTimeSecrets } from './context.ts';
import { pageHeaders, problemPage, renderPage, seeOther } from './page.ts';
import { handlePageRequest } from './routes.ts';
import { openTickets } from './ticket.ts';

interface AuthorizationOptions {
  readonly database: Database;
  /** The data folder; `accounts.json` is written there. */
  readonly dataDir: string;
  /** `{base_url}` and `{auth_url}`, without a trailing slash. They may differ and may have a path. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly lifetimes?: Partial<Lifetimes>;
  /** Called with each defect of the authorization server; default: writes it to stderr. */
  readonly report?: (defect: unknown) => void;
}

/**
 * The authorization server of the catalogue with its pages (Authentication 2 to 13 of the interface
 * document).
 */
export interface Authorization {
  /** Returns true when it answered the request; false leaves the request untouched. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Expires access tokens now, those of one connection or all, for tests. Returns how many expired. */
  expireAccessTokens(connectionId?: string): number;
  /** Registers an app as the registration form does, without checking the values. */
  registerApp(owner: Account, registration: Registration): IssuedApp;
}

/**
 * The authorization server over the database of a data folder. Missing tables and passwords are created, missing keys
 * when they are first needed; the accounts are the rows of `accounts`.
 */
export async function createAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { database, dataDir } = options;
  createAuthorizationTables(database);
  deleteExpired(database);
  registerOwnApp(database);
  const addresses = createAddresses(options.baseUrl, options.authUrl);
  const [accounts, identity] = await Promise.all([
    openAccountDirectory(database, dataDir),
    ensureIdentity(dataDir),
  ]);
  let opening: Promise<OpenServer> | undefined;
  const opened = () => {
    opening ??= openServer(options, addresses, accounts, identity).catch((error: unknown) => {
      // The next request tries it again.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    async handle(request, response) {
      const place = addresses.routeOf(request);
      switch (place?.at) {
        case undefined:
          return false;
        case 'account': {
          const { context } = await opened();
          await handlePageRequest(context, request, response, place.path);
          return true;
        }
        case 'otherHost':
          seeOther(response, place.location);
          return true;
        case 'unknown':
          sendOAuthError(response, 404, 'There is no such endpoint');
          return true;
        case 'endpoint': {
          if (!place.methods.includes(request.method ?? '')) {
            response.setHeader('allow', place.methods.join(', '));
            sendOAuthError(response, 405, 'The endpoint does not take this method');
            return true;
          }
          const { endpoint } = await opened();
          await endpoint(mountedRequest(request, place.mount), response);
          return true;
        }
      }
    },
    expireAccessTokens: (connectionId) => expireAccessTokens(database, connectionId),
    registerApp: (owner, registration) => registerApp(database, owner.id, registration),
  };
}

interface OpenServer {
  readonly context: AccountContext;
  readonly endpoint: ReturnType<Provider['callback']>;
}

/**
 * Called when something is first asked of it: who only reads does not wait until oidc-provider is loaded and its keys
 * are drawn, which takes as long as the rest of a start.
 */
async function openServer(
  options: AuthorizationOptions,
  addresses: Addresses,
  accounts: AccountDirectory,
  identity: FolderIdentity,
): Promise<OpenServer> {
  const { database } = options;
  const [{ createProvider, defaultLifetimes }, keys] = await Promise.all([
    import('../oauth/provider.ts'),
    ensureKeys(database),
  ]);
  const lifetimes = { ...defaultLifetimes, ...options.lifetimes };
  const provider = createProvider({
    database,
    addresses,
    keys,
    lifetimes,
    report: options.report ?? logDefect,
    accountName: (id) => accounts.find(id)?.name,
    renderError(ctx, { error, error_description: description }) {
      const page = problemPage(
        'The app’s request can’t be answered',
        'Something is wrong with what the app asked for, or it waited too long. Go back to the app and try again.',
        [['Error', error], ...(description === undefined ? [] : [['Meaning', description] as const])],
      );
      const { accountPath } = addresses;
      ctx.set(pageHeaders());
      ctx.body = renderPage({ accountPath, pagesPath: accountPath, signedIn: null }, page).toString();
    },
  });
  const context: AccountContext = {
    database,
    addresses,
    keys,
    lifetimes,
    provider,
    accounts,
    secrets: createOneTimeSecrets(),
    tickets: openTickets(database, identity),
  };
  return { context, endpoint: provider.callback() };
}

/** @param authUrl `{auth_url}`; default: the origin. */
export function authorizationMount(
  options: { readonly authUrl?: string; readonly lifetimes?: Partial<Lifetimes> } = {},
): Mount {
  return async ({ database, dataDir, baseUrl, origin }) => {
    const { lifetimes, authUrl = origin } = options;
    const authorization = await createAuthorization({
      database,
      dataDir,
      baseUrl,
      authUrl,
      ...(lifetimes === undefined ? {} : { lifetimes }),
    });
    return authorization.handle;
  };
}

/**
 * Gives oidc-provider a request whose path starts below the mount. It reads the mount off `originalUrl` when
 * it builds its own addresses.
 */
function mountedRequest(request: IncomingMessage, mount: string): IncomingMessage {
  const url = withoutUnusedNonce((request.url ?? '').slice(mount.length));
  return Object.assign(request, { url, originalUrl: mount + url });
}

/**
 * The interface document's authorization request always has a nonce. oidc-provider refuses a nonce without
 * the scope `openid`, where it has no effect, so it is removed there.
 */
function withoutUnusedNonce(url: string): string {
  const path = '/oauth2/authorize';
  if (!url.startsWith(`${path}?`)) return url;
  const parameters = new URLSearchParams(url.slice(path.length));
  if (!parameters.has('nonce') || parameters.get('scope')?.split(' ').includes('openid')) return url;
  parameters.delete('nonce');
  return `${path}?${parameters}`;
}

/** Answers a request that no endpoint takes, with an OAuth error (Authentication 10). */
function sendOAuthError(response: ServerResponse, status: 404 | 405, description: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify({ error: 'invalid_request', error_description: description }));
}
