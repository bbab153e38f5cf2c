import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import type { SignIn } from '../../src/connections/sign-in/sign-ins.ts';
import { ArtworkError } from '../../src/errors.ts';
import { allScopes } from '../../src/settings.ts';
import { type AuthorizationServer, type ServerOptions, startServer } from '../sandbox/oauth-server.ts';
import { freePort } from '../support/free-port.ts';
import { signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { connectTo, type Home, openHome, type TestClock, testClock } from './setup.ts';

let home: Home;
let folder: { readonly path: string; remove(): Promise<void> };
let server: AuthorizationServer;
let clock: TestClock;
const opened: Connections[] = [];

beforeEach(async () => {
  clock = testClock();
  home = await openHome();
  folder = await temporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await server.stop();
  await folder.remove();
  await home.remove();
});

async function serve(options: Omit<ServerOptions, 'dataDir'> = {}): Promise<void> {
  server = await startServer({ dataDir: folder.path, ...options });
}

interface AppChoice {
  readonly type?: 'public' | 'confidential';
  readonly redirectUri?: string;
  readonly scopes?: readonly (typeof allScopes)[number][];
}

/** Registers an app in the Apps area, and connects as it. */
function connect({ type = 'public', redirectUri, scopes = allScopes }: AppChoice = {}): Connections {
  const callback = redirectUri ?? 'https://app.example/callback?from=artwork';
  const registration = { name: 'Test app', redirectUri: callback, type, scopes };
  const { app, clientSecret } = server.authorization.registerApp(
    { id: 1, name: 'lanternroom' },
    registration,
  );
  const connections = connectTo(server, home, {
    clock,
    clientId: app.clientId,
    redirectUri: callback,
    ...(clientSecret === null ? {} : { secret: clientSecret }),
  });
  opened.push(connections);
  return connections;
}

/** What the person does in the browser, up to the callback. */
function answer(
  { url }: SignIn,
  account: 0 | 1 = 0,
  decision: 'approve' | 'decline' = 'approve',
): Promise<URL> {
  return signInAndAnswerConsent(new Visitor(), url, server.accounts[account], decision);
}

async function signIn(connections: Connections, account: 0 | 1 = 0, replace = false) {
  const begun = await connections.signIn({ scopes: allScopes, listen: false, replace });
  await begun.paste((await answer(begun, account)).href);
  return begun.done;
}

async function probe(connections: Connections): Promise<number> {
  const { token } = await connections.bearer();
  const response = await fetch(`${server.baseUrl}/me/probe`, {
    headers: { authorization: `Bearer ${token.reveal()}` },
  });
  await response.body?.cancel();
  return response.status;
}

async function codeOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => new Error('It succeeded.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ArtworkError)) throw error;
  return error.code;
}

describe('against the embedded authorization server', () => {
  it.each(['public', 'confidential'] as const)(
    'a %s client signs in, renews and disconnects',
    async (type) => {
      await serve({ basePath: '/catalogue/v1', authHost: 'localhost', authPath: '/people' });
      const connections = connect({ type });
      expect(await signIn(connections)).toMatchObject({
        subject: '1',
        account: 'lanternroom',
        withheld: [],
        renewable: true,
      });
      expect(await probe(connections)).toBe(200);
      for (let generation = 2; generation <= 4; generation += 1) {
        clock.pass(10 * 60_000);
        expect((await connections.bearer()).generation).toBe(generation);
        expect(await probe(connections)).toBe(200);
      }
      expect([...(await connections.bearer()).scopes].sort()).toEqual([...allScopes].sort());
      const { token } = await connections.bearer();
      expect(await connections.disconnect()).toEqual({ outcome: 'disconnected', unrevoked: 0 });
      const after = await fetch(`${server.baseUrl}/me/probe`, {
        headers: { authorization: `Bearer ${token.reveal()}` },
      });
      expect(after.status).toBe(401);
    },
  );

  it('renews after a 401', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    const bearer = await connections.bearer();
    server.authorization.expireAccessTokens();
    expect(await probe(connections)).toBe(401);
    await connections.onUnauthorized(bearer);
    expect(await probe(connections)).toBe(200);
  });

  it.each(['127.0.0.1', 'localhost', '[::1]'])('listens at a registered callback on %s', async (host) => {
    await serve();
    const redirectUri = `http://${host}:${await freePort()}/callback?from=artwork%20mcp&x=1`;
    const connections = connect({ redirectUri });
    const begun = await connections.signIn({ scopes: allScopes });
    const page = await fetch(await answer(begun));
    expect(await page.text()).toContain('lanternroom');
    expect(await begun.done).toMatchObject({ subject: '1' });
  });

  it('tells a declined consent', async () => {
    await serve();
    const begun = await connect().signIn({ scopes: allScopes });
    await begun.paste((await answer(begun, 0, 'decline')).href);
    expect(await codeOf(begun.done)).toBe('access_denied');
  });

  it('tells a scope that the app is not registered for', async () => {
    await serve();
    const begun = await connect({ scopes: ['openid', 'sets:write'] }).signIn({ scopes: allScopes });
    await begun.paste((await answer(begun)).href);
    expect(await codeOf(begun.done)).toBe('invalid_scope');
  });

  it('does not know the account where openid was not asked for, and can not renew without offline_access', async () => {
    await serve();
    const connections = connect();
    const begun = await connections.signIn({ scopes: ['sets:write'] });
    await begun.paste((await answer(begun)).href);
    expect(await begun.done).toMatchObject({ subject: null, renewable: false });
    expect(await probe(connections)).toBe(200);
    clock.pass(10 * 60_000);
    expect(await codeOf(connections.bearer())).toBe('reconnect_required');
  });

  it('leaves another account’s connection alone, and revokes the grant that was not wanted', async () => {
    await serve();
    const connections = connect();
    await signIn(connections, 0);
    expect(await codeOf(signIn(connections, 1))).toBe('other_account');
    expect(await connections.status()).toMatchObject({ subject: '1', unrevoked: 0 });
    expect(await probe(connections)).toBe(200);
  });

  it('signing in again on a word to replace ends the connection before and keeps the new one', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    const { token } = await connections.bearer();
    expect(await signIn(connections, 0, true)).toMatchObject({ replaced: 'revoked' });
    const old = await fetch(`${server.baseUrl}/me/probe`, {
      headers: { authorization: `Bearer ${token.reveal()}` },
    });
    expect(old.status).toBe(401);
    expect(await probe(connections)).toBe(200);
    clock.pass(10 * 60_000);
    expect(await probe(connections)).toBe(200);
  });

  it('asks to sign in again once the person has disconnected the app in the account', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    const bearer = await connections.bearer();
    server.database.run('DELETE FROM oauth_records');
    expect(await codeOf(connections.onUnauthorized(bearer))).toBe('reconnect_required');
    expect(await connections.status()).toMatchObject({ state: 'reconnect_required', reason: 'refused' });
    await signIn(connections);
    expect(await probe(connections)).toBe(200);
  });
});
