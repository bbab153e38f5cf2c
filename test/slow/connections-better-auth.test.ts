import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { disconnectionWords } from '../../src/connections/disconnection-words.ts';
import { allScopes } from '../../src/settings.ts';
import { type BetterAuth, type Person, startBetterAuth } from '../support/better-auth/start.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { liveThrough } from '../connections/life.ts';
import { call, connectTo, type Home, openHome, type TestClock, testClock } from '../connections/setup.ts';

const redirectUri = 'https://app.example/callback';

let built: Bundle;
let server: BetterAuth;
let home: Home;
let mira: Person;
let clock: TestClock;
const opened: Connections[] = [];

beforeAll(async () => {
  built = await bundle({ actor: 'test/connections/actor.ts' });
});
afterAll(() => built.remove());
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

interface Choice {
  readonly person?: Person;
  readonly leaves?: readonly string[];
}

async function signIn(connections: Connections, { person = mira, leaves }: Choice = {}) {
  const begun = await connections.signIn({ scopes: allScopes, listen: false });
  await begun.paste((await person.approve(begun.url, leaves)).href);
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
    await liveThrough(connections, {
      server: { ...server, endThere: server.revokeThere },
      clock,
      signIn: () => signIn(connections),
    });
  });

  it('a disconnect whose answer was lost is finished by the next, and a sign-in after it lives', async () => {
    await signIn(connect());
    const hasty = connectTo(server, home, { clock, redirectUri, requestMs: 1000 });
    opened.push(hasty);
    const answer = await server.keep('revoke');
    expect(await hasty.disconnect()).toMatchObject({ outcome: 'not_revoked', why: 'network' });
    await answer.reached();
    await answer.release();
    const other = connect();
    await signIn(other);
    await expectAlive(other);
    expect(await other.disconnect()).toMatchObject({ outcome: 'disconnected' });

    // The token is revoked there already: what is gone is what was wanted.
    await signIn(other);
    await server.revokeThere();
    const gone = await other.disconnect();
    expect(gone).toMatchObject({ outcome: 'disconnected', gone: 'invalid_request' });
    expect(disconnectionWords(gone)).toContain('nothing left to revoke');
  });

  it('a sign-in over a connection in use, of the same person or another, leaves one that lives', async () => {
    const connections = connect();
    await signIn(connections);
    expect(await signIn(connections)).toMatchObject({ replaced: 'revoked' });
    await expectAlive(connections);
    const noor = await server.person('noor');
    expect(await signIn(connections, { person: noor })).toMatchObject({ account: 'noor' });
    await expectAlive(connections);
    expect(await server.living()).toBe(1);
  });
});
