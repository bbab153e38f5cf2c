import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { disconnectionWords } from '../../src/connections/disconnection-words.ts';
import { allScopes } from '../../src/settings.ts';
import {
  type Browser,
  type Decision,
  type OidcServer,
  type OidcServerOptions,
  startOidcProvider,
} from '../support/oidc-provider/start.ts';
import { liveThrough } from './life.ts';
import { connectTo, type Home, openHome, type TestClock, testClock, failure } from './setup.ts';

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
  readonly replace?: boolean;
}

async function signIn(connections: Connections, choice: Choice = {}) {
  const { browser = mira, scopes = allScopes, replace = false } = choice;
  const begun = await connections.signIn({ scopes, replace, listen: false });
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

  it('signs in without openid, for which a nonce would be refused', async () => {
    await serve();
    const connections = connect();
    const scopes = ['offline_access', 'sets:write'];
    expect(await signIn(connections, { scopes })).toMatchObject({ subject: null, withheld: [] });
    await expectRenewed(connections);
  });

  it('lives until its token ends without offline_access', async () => {
    await serve();
    const connections = connect();
    const scopes = ['openid', 'sets:write'];
    expect(await signIn(connections, { scopes })).toMatchObject({ withheld: [], renewable: false });
    clock.pass(601_000);
    expect(await failure(connections.bearer())).toMatchObject({ category: 'reconnect_required' });
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

  it('the first sign-in after a renewal whose answer was lost succeeds, and lives', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    await server.lose('refresh_token');
    clock.pass(601_000);
    await connections.bearer();
    expect(await connections.status()).toMatchObject({ state: 'uncertain' });
    expect(await signIn(connections)).toMatchObject({ replaced: 'revoked' });
    expect(await server.seen()).toEqual([
      'authorization_code',
      'refresh_token',
      'revoke',
      'authorization_code',
    ]);
    await expectRenewed(connections);
    await connections.disconnect();
    expect(await server.living()).toBe(0);
  });

  it('the same, where the access token is still good', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    await server.lose('refresh_token');
    clock.pass(550_000);
    await connections.bearer();
    expect(await connections.status()).toMatchObject({ state: 'uncertain' });
    expect(await status(connections)).toBe(200);
    expect(await signIn(connections)).toMatchObject({ replaced: 'kept' });
    await expectRenewed(connections);
    clock.pass(180_000);
    await connections.disconnect();
    expect(await server.living()).toBe(0);
  });

  it('the same, where the answer to the revocation is lost too', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    await server.lose('refresh_token');
    clock.pass(601_000);
    await connections.bearer();
    await server.lose('revoke');
    expect(await signIn(connections)).toMatchObject({ replaced: 'kept' });
    await expectRenewed(connections);
    clock.pass(180_000);
    await connections.disconnect();
    expect(await server.living()).toBe(0);
  });

  it('the same, where two processes sign in at once', async () => {
    await serve();
    const [one, other] = [connect(), connect()];
    await signIn(one);
    await server.lose('refresh_token');
    clock.pass(601_000);
    await one.bearer();
    const both = await Promise.all([signIn(one), signIn(other, { browser: server.browser('mira') })]);
    expect(both.map(({ subject }) => subject)).toEqual(['mira', 'mira']);
    await expectRenewed(one);
    await expectRenewed(other);
    clock.pass(180_000);
    await one.disconnect();
    expect(await server.living()).toBe(0);
  });

  it('the same, where another user is connected as the same account, who stays so', async () => {
    await serve();
    const [one, other] = [connect(), connect('other')];
    await signIn(one);
    await signIn(other);
    await server.lose('refresh_token');
    clock.pass(601_000);
    await one.bearer();
    await expectRenewed(other);
    expect(await signIn(one)).toMatchObject({ subject: 'mira' });
    await expectRenewed(one);
    await expectRenewed(other);
  });

  it.each([false, true])(
    'the first sign-in over a connection in use succeeds (to replace: %s)',
    async (replace) => {
      await serve();
      const connections = connect();
      await signIn(connections);
      expect(await signIn(connections, { replace })).toMatchObject({
        replaced: replace ? 'revoked' : 'kept',
      });
      await expectRenewed(connections);
      clock.pass(180_000);
      await connections.disconnect();
      expect(await connections.status()).toMatchObject({ state: 'not_connected', unrevoked: 0 });
      expect(await server.living()).toBe(0);
    },
  );

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

  it('a grant that ended in the Apps area: it says so, sends nothing, and a new sign-in works', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    await server.endGrants();
    clock.pass(601_000);
    expect(await failure(connections.bearer())).toMatchObject({ category: 'reconnect_required' });
    const before = await server.seen();
    expect(disconnectionWords(await connections.disconnect())).toContain('had ended it before');
    expect(await server.seen()).toEqual(before);
    expect(await signIn(connections)).toMatchObject({ withheld: [] });
    await expectRenewed(connections);
  });

  it('another account is refused, and the connection that there is lives', async () => {
    await serve();
    const connections = connect();
    await signIn(connections);
    const noor = server.browser('noor');
    expect(await failure(signIn(connections, { browser: noor }))).toMatchObject({ code: 'other_account' });
    await expectRenewed(connections);
  });

  it.each([
    ['two hours behind', -2 * 3600_000, 'clock_wrong'],
    ['a quarter of an hour behind', -900_000, null],
    ['three hours ahead', 3 * 3600_000, null],
  ])('a service whose clock is %s', async (_what, aheadMs, code) => {
    await serve({ aheadMs });
    const connections = connect();
    if (code === null) {
      expect(await signIn(connections)).toMatchObject({ subject: 'mira' });
      return expectRenewed(connections);
    }
    const error = await failure(signIn(connections));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('ARTWORK_AUTH_URL');
  });
});
