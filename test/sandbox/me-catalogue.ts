import { readCredentials } from '../../src/sandbox/account/accounts.ts';
import type { Database } from '../../src/sandbox/database.ts';
import { catalogueMounts, type CatalogueParts } from '../../src/sandbox/mounts.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import { expect } from 'vitest';
import { authorize, Visitor } from '../support/sign-in.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { App, own, present } from './oauth-app.ts';

export const everyScope =
  'offline_access assets:write assets:replace sets:write groups:write relationships:write';

/** What a protected request was answered. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The whole embedded catalogue in this process, with accounts that have signed in through its pages. */
export interface OwnersCatalogue {
  readonly sandbox: Sandbox;
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Signs in as the account of this number, counted from 1, and has these scopes granted. */
  token(account?: number, scope?: string): Promise<string>;
  get(path: string, token: string): Promise<Heard>;
  post(path: string, token: string, body: unknown): Promise<Heard>;
  /** What is in the database: for what no request tells. */
  readonly database: Database;
  stop(): Promise<void>;
}

export interface CatalogueOptions extends CatalogueParts {
  readonly dataDir?: string;
  readonly basePath?: string;
}

export async function startCatalogue(options: CatalogueOptions = {}): Promise<OwnersCatalogue> {
  const { dataDir: given, basePath = '/catalogue/v1', ...parts } = options;
  const folder = given === undefined ? await temporaryFolder() : null;
  const dataDir = given ?? folder?.path ?? '';
  const sandbox = await serveSandbox({ dataDir, port: 0, basePath, mounts: catalogueMounts(parts) });
  const { baseUrl, origin: authUrl } = sandbox;
  const visitors = new Map<number, Visitor>();
  return {
    sandbox,
    dataDir,
    baseUrl,
    async token(account = 1, scope = everyScope) {
      const visitor = visitors.get(account) ?? new Visitor();
      visitors.set(account, visitor);
      const credentials = present((await readCredentials(dataDir))[account - 1], 'account');
      const app = new App({ baseUrl, authUrl }, own);
      const tokens = await app.exchange(await authorize(visitor, app.authorizationUrl(scope), credentials));
      return present(tokens.accessToken, 'access token');
    },
    get: async (path, token) =>
      heard(await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })),
    post: async (path, token, body) =>
      heard(
        await fetch(baseUrl + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    database: sandbox.database,
    async stop() {
      await sandbox.close();
      await folder?.remove();
    },
  };
}

async function heard(response: Response): Promise<Heard> {
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** The protected error body with this code. */
export function refusal(code: string, details: unknown = expect.any(Object)) {
  return { error: { code, message: expect.any(String), details, issues: expect.any(Array) } };
}
