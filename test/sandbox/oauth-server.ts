import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Credentials, readCredentials } from '../../src/sandbox/account/accounts.ts';
import { type Authorization, createAuthorization } from '../../src/sandbox/account/authorization.ts';
import { sendAnswer } from '../../src/sandbox/http.ts';
import { authorizeRequest, type RequiredScopes } from '../../src/sandbox/me/authorize.ts';
import { answerForError, protectedAnswer } from '../../src/sandbox/me/protected-error.ts';
import type { Lifetimes } from '../../src/sandbox/oauth/provider.ts';
import { type ResourceScope, resourceScopes } from '../../src/sandbox/oauth/scopes.ts';
import { type Database, openDatabase } from '../../src/sandbox/store/database.ts';
import { artworkTables } from '../../src/sandbox/store/tables-artwork.ts';
import { temporaryFolder } from '../support/temporary.ts';

export interface AuthorizationServer {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: Database;
  readonly authorization: Authorization;
  /** Names and passwords, from `accounts.json`. */
  readonly accounts: readonly [Credentials, Credentials];
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  readonly port?: number;
  readonly basePath?: string;
  /** Default: the base URL's origin. */
  readonly authHost?: string;
  readonly authPath?: string;
  readonly lifetimes?: Partial<Lifetimes>;
}

/** A data folder for servers of a test, removed after it. */
export { temporaryFolder };

const twoAccounts = `${artworkTables}
INSERT INTO accounts (id, name, created_at) VALUES
  (1, 'lanternroom', '2026-01-01T00:00:00.000Z'), (2, 'halftone-hare', '2026-01-01T00:00:00.000Z');`;

/**
 * The authorization side alone, over a catalogue with two accounts and no artwork. `GET {base_url}/me/probe`
 * stands for a protected operation: `?any=` or `?every=` says which scopes it needs, separated by commas.
 */
export async function startServer(options: ServerOptions): Promise<AuthorizationServer> {
  const { dataDir, basePath = '', authPath = '' } = options;
  const database = openDatabase(dataDir, (empty) => empty.execute(twoAccounts));
  const server = createServer();
  server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const baseUrl = `http://127.0.0.1:${address.port}${basePath}`;
  const authUrl = `http://${options.authHost ?? '127.0.0.1'}:${address.port}${authPath}`;
  const authorization = await createAuthorization({
    database,
    dataDir,
    baseUrl,
    authUrl,
    ...(options.lifetimes === undefined ? {} : { lifetimes: options.lifetimes }),
  });
  server.on('request', (request, response) => {
    const answer = async () => {
      if (await authorization.handle(request, response)) return;
      const url = new URL(request.url ?? '', baseUrl);
      if (url.pathname !== `${basePath}/me/probe`) {
        response.writeHead(404).end('not found');
        return;
      }
      const required = requiredBy(url.searchParams);
      const { scopes, ...caller } = authorizeRequest({ database, baseUrl }, request, required);
      const data = { ...caller, scopes: [...scopes] };
      sendAnswer(request, response, protectedAnswer(200, { data }));
    };
    answer().catch((error: unknown) => {
      const refusal = answerForError(error);
      if (refusal !== null) return sendAnswer(request, response, refusal);
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  const [first, second] = await readCredentials(dataDir);
  if (first === undefined || second === undefined) throw new Error('The accounts have no passwords.');
  return {
    baseUrl,
    authUrl,
    port: address.port,
    dataDir,
    database,
    authorization,
    accounts: [first, second],
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      database.close();
    },
  };
}

function requiredBy(query: URLSearchParams): RequiredScopes {
  const every = scopesIn(query.get('every'));
  return every.length > 0 ? { every } : { any: scopesIn(query.get('any') ?? resourceScopes.join(',')) };
}

function scopesIn(list: string | null): ResourceScope[] {
  const names = list?.split(',') ?? [];
  return resourceScopes.filter((scope) => names.includes(scope));
}
