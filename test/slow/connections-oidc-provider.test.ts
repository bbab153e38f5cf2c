import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { allScopes } from '../../src/settings.ts';
import {
  type Browser,
  type Decision,
  type OidcServer,
  type OidcServerOptions,
  startOidcProvider,
} from '../support/oidc-provider/start.ts';
import { liveThrough } from '../connections/life.ts';
import { connectTo, type Home, openHome, type TestClock, testClock, failure } from '../connections/setup.ts';

const redirectUri = 'http://127.0.0.1:43999/callback';
const apiScopes = allScopes.filter((scope) => scope.includes(':'));

let server: OidcServer;
let home: Home;
let clock: TestClock;
let mira: Browser;
const opened: Connections[] = [];

beforeEach(async () => {
  home = await openHome();
  clock = testClock();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await server.stop();
  await home.remove();
});

async function serve(options: OidcServerOptions = {}): Promise<void> {
  server = await startOidcProvider(redirectUri, options);
  mira = server.browser('mira');
}

function connect(user = 'default'): Connections {
  const connections = connectTo(server, home, { clock, redirectUri, user });
  opened.push(connections);
  return connections;
}

interface Choice extends Decision {
  readonly browser?: Browser;
  readonly scopes?: readonly string[];
}

async function signIn(connections: Connections, choice: Choice = {}) {
  const { browser = mira, scopes = allScopes } = choice;
  const begun = await connections.signIn({ scopes, listen: false });
  await begun.paste((await browser.approve(begun.url, choice)).href);
  return begun.done;
}

async function status(connections: Connections, scope?: string): Promise<number> {
  const { token } = await connections.bearer();
  const query = scope === undefined ? '' : `?scope=${scope}`;
  const response = await fetch(`${server.baseUrl}/me/anything${query}`, {
    headers: { authorization: `Bearer ${token.reveal()}` },
  });
  await response.body?.cancel();
  return response.status;
}

/** Its access token has ended, and a renewal brings another. */
async function expectRenewed(connections: Connections): Promise<void> {
  const { generation } = await connections.bearer();
  clock.pass(601_000);
  expect((await connections.bearer()).generation).toBe(generation + 1);
  expect(await status(connections)).toBe(200);
}

describe('against oidc-provider, with one grant for a session and an app', { timeout: 120_000 }, () => {
  it('lives through sign-ins, renewals, a lost one, disconnecting and an end in the Apps area', async () => {
    await serve();
    const connections = connect();
    await liveThrough(connections, {
      server: { ...server, endThere: server.endGrants },
      clock,
      signIn: () => signIn(connections),
    });
  });

  it('tells what the person withheld, also where that is everything', async () => {
    await serve();
    const connections = connect();
    const some = await signIn(connections, { leaves: ['openid', 'offline_access', 'sets:write'] });
    expect(some.withheld).toEqual(apiScopes.filter((scope) => scope !== 'sets:write'));
    expect(await status(connections, 'groups:write')).toBe(403);
    await connections.disconnect();
    const none = await signIn(connections, { leaves: ['openid', 'profile', 'offline_access'] });
    const { explanation } = await connections.status();
    const isTold = none.withheld.length === apiScopes.length || none.scopesUntold;
    expect(isTold).toBe(true);
    expect(explanation).toMatch(/Not granted|did not say which permissions/);
    expect(await failure(signIn(connect('other'), { declines: true }))).toMatchObject({
      code: 'access_denied',
    });
  });

  it('a sign-in over a connection in use takes two: with what is revoked the one grant ends', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    expect(await failure(signIn(connections))).toMatchObject({ code: 'invalid_grant' });
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    await signIn(connections);
    await expectRenewed(connections);
  });

  it('the first sign-in after one that was left unfinished, and after a lost exchange, succeeds', async () => {
    await serve();
    const connections = connect();
    const left = await connections.signIn({ scopes: allScopes, listen: false });
    await mira.approve(left.url);
    left.cancel();
    await server.lose('authorization_code');
    expect(await failure(signIn(connections))).toMatchObject({ category: 'network' });
    expect(await signIn(connections)).toMatchObject({ subject: 'mira' });
    await expectRenewed(connections);
  });
});
