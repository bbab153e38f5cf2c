import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { systemClock } from '../../src/clock.ts';
import { disconnectionWords } from '../../src/connections/disconnection-words.ts';
import { allScopes } from '../../src/settings.ts';
import { type BetterAuth, type Person, startBetterAuth } from '../support/better-auth/start.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { liveThrough } from './life.ts';
import { call, connectTo, type Home, openHome, type TestClock, testClock, failure } from './setup.ts';

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
  readonly replace?: boolean;
}

async function signIn(connections: Connections, { person = mira, leaves, replace = false }: Choice = {}) {
  const begun = await connections.signIn({ scopes: allScopes, replace, listen: false });
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

async function count(kind: string): Promise<number> {
  return (await server.seen()).filter((each) => each.kind === kind).length;
}

/** By the clock of those who are this much ahead, a token that lives ten minutes is due to be renewed. */
const aheadMs = 570_000;

/** A process of its own, which is connected through the same data folder, and finds its token due. */
async function startActor() {
  const args = [built.program('actor'), home.path, server.baseUrl, '1', String(aheadMs)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const lines = createInterface({ input: child.stdout });
  const said: { status?: number; category?: string }[] = [];
  const ready = once(lines, 'line');
  lines.on('line', (line) => said.push(JSON.parse(line)));
  await ready;
  const ended = once(child, 'exit');
  return {
    said,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}

describe('against better-auth', { timeout: 300_000 }, () => {
  it('signs in, names the account, renews and disconnects, twice', async () => {
    const connections = connect();
    expect(await signIn(connections)).toMatchObject({
      account: 'mira',
      scopes: expect.arrayContaining([...allScopes]),
      withheld: [],
      renewable: true,
      replaced: 'none',
    });
    const { token } = await connections.bearer();
    expect(await call(server, token.reveal())).toBe(200);
    await expectAlive(connections);
    expect(await connections.disconnect()).toEqual({ outcome: 'disconnected', unrevoked: 0 });
    expect(await server.living()).toBe(0);
    expect(await connections.disconnect()).toEqual({ outcome: 'not_connected', unrevoked: 0 });
  });

  it('lives through sign-ins, renewals, a lost one, disconnecting and an end in the Apps area', async () => {
    const connections = connect();
    await liveThrough(connections, {
      server: { ...server, endThere: server.revokeThere },
      clock,
      signIn: () => signIn(connections),
    });
  });

  it('four processes at one expiry make one token request', async () => {
    const connections = connect();
    await signIn(connections);
    const actors = await Promise.all(Array.from({ length: 4 }, startActor));
    while (actors.some(({ said }) => said.length < 10))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all(actors.map((actor) => actor.end()));
    expect(await count('refresh_token')).toBe(1);
    expect(actors.flatMap(({ said }) => said).filter(({ category }) => category !== undefined)).toEqual([]);
    clock.pass(aheadMs);
    await expectAlive(connections);
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

  it.each([
    ['its access token still good', 0],
    ['its access token at an end', 60_000],
  ])(
    'a kill in the middle of a renewal, %s, then a sign-in: the new connection lives',
    async (_what, later) => {
      await signIn(connect());
      const answer = await server.keep('refresh_token');
      const actor = await startActor();
      await answer.reached();
      await actor.kill();
      await answer.release();
      clock.pass(aheadMs + later);
      const connections = connect();
      await signIn(connections);
      await expectAlive(connections);
      // What is left over of the one before is not touched while this one lives, and goes with it.
      clock.pass(180_000);
      await connections.status();
      await expectAlive(connections);
      await connections.disconnect();
      expect(await server.living()).toBe(0);
    },
  );

  it('a sign-in while a host renews waits for it, and its connection lives', async () => {
    await signIn(connect());
    const answer = await server.keep('refresh_token');
    const actor = await startActor();
    await answer.reached();
    clock.pass(aheadMs);
    const connections = connectTo(server, home, {
      redirectUri,
      clock: { ...clock, sleep: systemClock.sleep },
    });
    opened.push(connections);
    const signingIn = signIn(connections);
    await answer.release();
    expect(await signingIn).toMatchObject({ replaced: 'kept' });
    await actor.end();
    expect(actor.said.filter(({ category }) => category !== undefined)).toEqual([]);
    await expectAlive(connections);
    await connections.disconnect();
    expect(await server.living()).toBe(0);
  });

  it.each([false, true])(
    'a token revoked in the Apps area, then a sign-in (to replace: %s): it lives',
    async (replace) => {
      const connections = connect();
      await signIn(connections);
      await server.revokeThere();
      await signIn(connections, { replace });
      await expectAlive(connections);
      clock.pass(180_000);
      await expectAlive(connections);
      await connections.disconnect();
      expect(await server.living()).toBe(0);
    },
  );

  it('two sign-ins at once: the one that is stored lives', async () => {
    const [one, other] = [connect(), connect()];
    await Promise.all([signIn(one), signIn(other)]);
    await expectAlive(one);
    await one.disconnect();
    expect(await server.living()).toBe(0);
  });

  it('another person’s sign-in is refused, and the connection that there is lives', async () => {
    const connections = connect();
    await signIn(connections);
    const noor = await server.person('noor');
    expect((await failure(signIn(connections, { person: noor }))).code).toBe('other_account');
    expect(await server.living()).toBe(1);
    await expectAlive(connections);
    expect(await signIn(connections, { person: noor, replace: true })).toMatchObject({ account: 'noor' });
    expect(await server.living()).toBe(1);
    await expectAlive(connections);
  });

  it('tells which permissions the person withheld', async () => {
    const connections = connect();
    const leaves = ['openid', 'profile', 'offline_access', 'sets:write'];
    const withheld = allScopes.filter((scope) => !leaves.includes(scope));
    expect(await signIn(connections, { leaves })).toMatchObject({ scopes: leaves, withheld });
    const status = await connections.status();
    expect(status.withheld).toEqual(withheld);
    expect(status.explanation).toContain(withheld.join(' '));
  });

  it('tells the likely cause of invalid_target', async () => {
    const elsewhere = connect(server.baseUrl.replace('127.0.0.1', 'localhost'));
    const error = await failure(signIn(elsewhere));
    expect(error).toMatchObject({ category: 'forbidden', code: 'invalid_target' });
    expect(error.message).toContain('ARTWORK_BASE_URL');
    expect(error.next?.why).toContain('ARTWORK_BASE_URL');
  });

  it('tells what to do once the account is gone, and that nothing renews the connection', async () => {
    const connections = connect();
    await signIn(connections);
    await server.deleteUsers();
    clock.pass(601_000);
    const error = await failure(connections.bearer());
    expect(error).toMatchObject({ category: 'reconnect_required', code: 'invalid_request' });
    expect(error.next).toMatchObject({ tool: 'connect_account' });
    expect(await connections.status()).toMatchObject({ state: 'reconnect_required', renewable: false });
  });
});
