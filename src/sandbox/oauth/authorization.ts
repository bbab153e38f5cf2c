import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Account, openAccountDirectory } from '../account/accounts.ts';
import { pageHeaders, seeOther } from '../account/answer.ts';
import type { Area } from '../account/area.ts';
import { wholePage } from '../account/page.ts';
import { answerPage } from '../account/pages.ts';
import { problemPage } from '../account/problem-page.ts';
import { createShownOnce } from '../account/shown-once.ts';
import type { Database } from '../store/database.ts';
import { expireAccessTokens } from './access-tokens.ts';
import { createAddresses } from './addresses.ts';
import { type IssuedApp, registerApp, registerOwnApp } from './apps.ts';
import { mounted, refuse } from './endpoint.ts';
import { settleKeys } from './keys.ts';
import { type Lifetimes, usualLifetimes } from './lifetimes.ts';
import { createProvider } from './provider.ts';
import { deleteExpired } from './records.ts';
import type { Registration } from './registration.ts';
import { createAuthorizationTables } from './tables.ts';

export interface AuthorizationOptions {
  readonly database: Database;
  /** The data folder: `accounts.json` is written there. */
  readonly dataDir: string;
  /** `{base_url}` and `{auth_url}`, without a trailing slash. They may differ, and may carry a path. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly lifetimes?: Partial<Lifetimes>;
  /** Told of defects inside the authorization server; default: stderr. */
  readonly report?: (defect: unknown) => void;
}

/** The authorization side of the catalogue: Authentication 2 to 13 of the interface document, and its pages. */
export interface Authorization {
  /** Answers the request and is true, or leaves it alone and is false. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Lets access tokens expire at once, of one connection or all: for tests. Answers how many did. */
  expireAccessTokens(connectionId?: string): number;
  /** Registers an app as the Apps area does. The registration is taken as checked. */
  registerApp(owner: Account, registration: Registration): IssuedApp;
}

/**
 * Opens the authorization side over the database of a data folder. Its tables, keys and passwords are made
 * when they are missing; the accounts are the rows of `accounts`.
 */
export async function createAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { database, dataDir } = options;
  createAuthorizationTables(database);
  deleteExpired(database);
  registerOwnApp(database);
  const addresses = createAddresses(options.baseUrl, options.authUrl);
  const lifetimes = { ...usualLifetimes, ...options.lifetimes };
  const [keys, accounts] = await Promise.all([settleKeys(database), openAccountDirectory(database, dataDir)]);
  const provider = createProvider({
    database,
    addresses,
    keys,
    lifetimes,
    report: options.report ?? reportOnStderr,
    accountName: (id) => accounts.find(id)?.name,
    renderError(ctx, { error, error_description: description }) {
      const page = problemPage(
        'The app’s request can’t be answered',
        'Something is wrong with what the app asked for, or it waited too long. Go back to the app and try again.',
        [['Error', error], ...(description === undefined ? [] : [['Meaning', description] as const])],
      );
      ctx.set(pageHeaders());
      ctx.body = wholePage({ accountPath: addresses.accountPath, signedIn: null }, page).toString();
    },
  });
  const area: Area = { database, addresses, keys, lifetimes, provider, accounts, secrets: createShownOnce() };
  const endpoint = provider.callback();

  return {
    async handle(request, response) {
      const place = addresses.placeOf(request);
      switch (place?.at) {
        case undefined:
          return false;
        case 'account':
          await answerPage(area, request, response, place.path);
          return true;
        case 'elsewhere':
          seeOther(response, place.location);
          return true;
        case 'nothing':
          refuse(response, 404, 'There is no such endpoint');
          return true;
        case 'endpoint':
          if (!place.methods.includes(request.method ?? '')) {
            response.setHeader('allow', place.methods.join(', '));
            refuse(response, 405, 'The endpoint does not take this method');
            return true;
          }
          await endpoint(mounted(request, place.mount), response);
          return true;
      }
    },
    expireAccessTokens: (connectionId) => expireAccessTokens(database, connectionId),
    registerApp: (owner, registration) => registerApp(database, owner.id, registration),
  };
}

/** The stack alone: an error of oidc-provider's may hold the whole request. */
function reportOnStderr(defect: unknown): void {
  process.stderr.write(
    `embedded catalogue: ${defect instanceof Error ? defect.stack : 'an authorization failed'}\n`,
  );
}
