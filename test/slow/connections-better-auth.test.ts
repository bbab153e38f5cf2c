import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { allScopes } from '../../src/settings.ts';
import {
  call,
  connectTo,
  failure,
  type Home,
  openHome,
  type TestClock,
  testClock,
} from '../connections/setup.ts';
import { type BetterAuth, type Person, startBetterAuth } from '../support/better-auth/start.ts';

/** Longer than any access token lives. */
const endOfToken = 601_000;
const redirectUri = 'https://app.example/callback';

let server: BetterAuth;
let home: Home;
let mira: Person;
let clock: TestClock;
const opened: Connections[] = [];

beforeEach(async () => {
  home = await openHome();
  clock = testClock();
  server = await startBetterAuth(redirectUri);
  mira = await server.person('mira');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await server.stop();
  await home.remove();
});

function connect(baseUrl = server.baseUrl): Connections {
  const connections = connectTo({ baseUrl, authUrl: server.authUrl }, home, { clock, redirectUri });
  opened.push(connections);
  return connections;
}

async function signIn(connections: Connections, person = mira) {
  const begun = await connections.signIn({ scopes: allScopes, listen: false });
  await begun.paste((await person.approve(begun.url)).href);
  return begun.done;
}

/** The connection can be renewed, which a dead one can't, and its new token is taken. */
async function expectAlive(connections: Connections): Promise<void> {
  clock.pass(61_000);
  const before = await connections.bearer();
  const fresh = await connections.onUnauthorized(before);
  expect(fresh.generation).toBe(before.generation + 1);
  expect(await call(server, fresh.token.reveal())).toBe(200);
}

describe('against better-auth', { timeout: 300_000 }, () => {
  it('lives through sign-ins, renewals, a lost one, disconnecting and an end in the Apps area', async () => {
    const connections = connect();
    const begin = async () => {
      expect(await signIn(connections)).toMatchObject({ account: 'mira', withheld: [], renewable: true });
      const { token } = await connections.bearer();
      expect(await call(server, token.reveal())).toBe(200);
    };
    for (let life = 0; life < 2; life += 1) {
      await begin();
      await expectAlive(connections);
      expect(await connections.disconnect()).toMatchObject({ outcome: 'disconnected' });
      expect(await server.living()).toBe(0);
      expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    }

    await begin();
    await server.lose('refresh_token');
    clock.pass(endOfToken);
    await connections.bearer();
    expect(await connections.status()).toMatchObject({ state: 'uncertain' });
    // The first sign-in after it succeeds, and lives.
    await begin();
    await expectAlive(connections);

    await server.revokeThere();
    clock.pass(endOfToken);
    expect(await failure(connections.bearer())).toMatchObject({ category: 'reconnect_required' });
    expect(await connections.disconnect()).toMatchObject({ untold: 'ended_before' });
    await begin();
    await expectAlive(connections);
  });

  it('a sign-in over a connection in use, of the same person or another, leaves one that lives', async () => {
    const connections = connect();
    await signIn(connections);
    expect(await signIn(connections)).toMatchObject({ replaced: 'revoked' });
    await expectAlive(connections);
    const noor = await server.person('noor');
    expect(await signIn(connections, noor)).toMatchObject({ account: 'noor' });
    await expectAlive(connections);
    expect(await server.living()).toBe(1);
  });
});
