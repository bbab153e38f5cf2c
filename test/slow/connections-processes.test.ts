import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../support/bundle.ts';
import {
  type Fault,
  type ScriptedProvider,
  startScriptedProvider,
} from '../connections/scripted-provider.ts';
import { call, connectTo, type Home, openHome, signInAt } from '../connections/setup.ts';

/**
 * So many times sooner than in real life a process gives up a holder that says nothing. Only where holders are
 * killed: a holder that lives, on a busy machine, may take longer than the 1.75 s that are left.
 */
const givesUpEarly = 20;

let built: Bundle;
let home: Home;
let provider: ScriptedProvider;
const actors = new Set<Actor>();

beforeAll(async () => {
  built = await bundle({ actor: 'test/connections/actor.ts' });
});
afterAll(() => built.remove());
beforeEach(async () => {
  home = await openHome();
  provider = await startScriptedProvider({ toldSeconds: 1, lifetimeSeconds: 1 });
});
afterEach(async () => {
  await Promise.all([...actors].map((actor) => actor.kill()));
  await provider.close();
  await home.remove();
});

interface Said {
  readonly status?: number;
  readonly category?: string;
  readonly code?: string;
}

interface Actor {
  readonly pid: number | undefined;
  readonly said: Said[];
  kill(): Promise<void>;
  /** Lets it finish its call; answers its exit code. */
  end(): Promise<number | null>;
}

async function start(waitFactor = 1): Promise<Actor> {
  const args = [built.program('actor'), home.path, provider.baseUrl, String(waitFactor)];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    windowsHide: true,
  });
  if (child.stdout === null) throw new Error('The actor has no output.');
  const ended = once(child, 'close');
  const said: Said[] = [];
  const lines = createInterface({ input: child.stdout });
  const ready = once(lines, 'line');
  lines.on('line', (line) => said.push(JSON.parse(line)));
  const actor: Actor = {
    pid: child.pid,
    said,
    async kill() {
      child.kill('SIGKILL');
      await ended;
      actors.delete(actor);
    },
    async end() {
      child.stdin?.end();
      await ended;
      actors.delete(actor);
      return child.exitCode;
    },
  };
  actors.add(actor);
  await ready;
  return actor;
}

const startEight = (waitFactor?: number) => Promise.all(Array.from({ length: 8 }, () => start(waitFactor)));

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Until a person has to sign in again, or so many renewals were presented. */
async function renewals(count: number): Promise<void> {
  const connections = connectTo(provider, home);
  const enough = provider.seen.presented + count;
  while (provider.seen.presented < enough) {
    const { state } = await connections.status();
    if (state === 'reconnect_required' || state === 'not_connected') return;
    await pause(20);
  }
}

/** Ends all actors in good order. Answers all that they met. */
async function finish(running: readonly Actor[]): Promise<Said[]> {
  const codes = await Promise.all(running.map((actor) => actor.end()));
  expect(codes).toEqual(codes.map(() => 0));
  return running.flatMap(({ said }) => said);
}

function categories(said: readonly Said[]): string[] {
  return [...new Set(said.flatMap(({ category }) => category ?? []))];
}

/** The connection works, or says that a person has to sign in. */
async function expectHonest(): Promise<'alive' | 'reconnect_required'> {
  provider.script.draw = null;
  const connections = connectTo(provider, home);
  for (;;) {
    try {
      const bearer = await connections.bearer();
      if ((await call(provider, bearer.token.reveal())) === 200) return 'alive';
      const fresh = await connections.onUnauthorized(bearer);
      if ((await call(provider, fresh.token.reveal())) === 200) return 'alive';
    } catch (error) {
      if (error instanceof Error && 'category' in error && error.category === 'reconnect_required') {
        expect(await connections.status()).toMatchObject({ state: 'reconnect_required' });
        return 'reconnect_required';
      }
    }
    await pause(50);
  }
}

describe('eight processes that share a connection whose access token lives one second', () => {
  it('renew it together, never presenting a token twice, and none is ever without', async () => {
    await signInAt(provider, connectTo(provider, home));
    const running = await startEight();
    await renewals(4);
    const said = await finish(running);
    expect(categories(said)).toEqual([]);
    // How many tokens they ask for in that time depends on the machine; each asks at least once.
    expect(said.length).toBeGreaterThanOrEqual(8);
    expect(provider.seen.presentedTwice).toBe(0);
    expect(await expectHonest()).toBe('alive');
  });

  it('survive ten SIGKILLs, some in the middle of their renewal, honestly', async () => {
    const connections = connectTo(provider, home);
    await signInAt(provider, connections);
    const running = new Set(await startEight(givesUpEarly));
    const said: Said[] = [];
    let lost = 0;
    for (let killed = 0; killed < 10; killed += 1) {
      const presents = killed % 3 === 2 ? await presenting() : null;
      if (presents === null) await renewals(1);
      const [anyone] = running;
      const victim = [...running].find(({ pid }) => pid === presents?.pid) ?? anyone;
      if (victim === undefined) throw new Error('No process runs.');
      running.delete(victim);
      await victim.kill();
      presents?.answer();
      said.push(...victim.said);
      running.add(await start(givesUpEarly));
      if (presents === null) continue;
      // The tokens that it was sent are lost, and no process presents the refresh token again.
      while ((await connections.status()).state !== 'reconnect_required') await pause(20);
      lost += 1;
      await signInWithoutFaults();
    }
    await renewals(1);
    said.push(...(await finish([...running])));
    expect(lost).toBe(3);
    // A sign-in ends the dead connection before it brings the new one.
    const allowed = ['reconnect_required', 'not_connected'];
    expect(categories(said).filter((category) => !allowed.includes(category))).toEqual([]);
    expect(provider.seen.presentedTwice).toBe(0);
    await expectHonest();
  });

  it('meet every fault of the token endpoint, a disconnect and a new sign-in in the middle of a renewal', async () => {
    const connections = connectTo(provider, home);
    provider.script.toldSeconds = 0.25;
    provider.script.lifetimeSeconds = 0.25;
    await signInAt(provider, connections);
    const faults: (Fault | null)[] = [
      null,
      { kind: 'refuse', status: 429, body: {}, headers: { 'retry-after': '0' } },
      { kind: 'refuse', status: 401, body: { error: 'invalid_client' } },
      { kind: 'answer', status: 500, body: '{}' },
      null,
      { kind: 'cut', when: 'before' },
      { kind: 'cut', when: 'body' },
    ];
    let drawn = 0;
    const running = await startEight();
    provider.script.draw = () => faults[drawn++ % faults.length] ?? null;
    while (drawn < faults.length * 3) {
      await renewals(1);
      if ((await connections.status()).state === 'reconnect_required') await signInWithoutFaults();
    }

    await signInWithoutFaults('vera', true);
    const notConnected = () =>
      running.flatMap(({ said }) => said).filter(({ category }) => category === 'not_connected').length;
    const superseded = await presenting('vera');
    const before = notConnected();
    expect(await connections.disconnect()).toMatchObject({ outcome: 'disconnected' });
    superseded.answer();
    while (provider.living('vera') > 0) await pause(20);
    while (notConnected() === before) await pause(20);

    await signInWithoutFaults('vera');
    const replaced = await presenting('vera');
    // It waits for the request that is under way.
    const signingIn = signInWithoutFaults('noor', true);
    replaced.answer();
    await signingIn;
    while (provider.living('vera') > 0) await pause(20);
    await renewals(3);

    const met = categories(await finish(running));
    const allowed = ['forbidden', 'not_connected', 'rate_limited', 'reconnect_required'];
    expect(met.filter((category) => !allowed.includes(category))).toEqual([]);
    expect(provider.seen.presentedTwice).toBe(0);
    await expectHonest();
  });
});

/** Signing in takes the same endpoint as renewing. */
async function signInWithoutFaults(subject = 'mira', replace = false): Promise<void> {
  const { draw } = provider.script;
  provider.script.draw = null;
  await signInAt(provider, connectTo(provider, home), { subject, replace });
  provider.script.draw = draw;
}

/** Waits until some process presents a refresh token, and lets it wait for the answer. */
async function presenting(subject = 'mira'): Promise<{ readonly pid: number; answer(): void }> {
  let answer = () => {};
  const until = new Promise<void>((resolve) => (answer = resolve));
  const before = provider.seen.presented;
  provider.script.draw = () => ({ kind: 'slow', until });
  while (provider.seen.presented === before || provider.seen.subject !== subject) {
    await pause(10);
    // A process that was killed at random may have been in the middle of a renewal.
    if ((await connectTo(provider, home).status()).state === 'reconnect_required')
      await signInWithoutFaults(subject);
  }
  provider.script.draw = null;
  const renewing = provider.requests.findLast(({ form }) => form.has('refresh_token'));
  return { pid: Number(renewing?.headers['user-agent']?.split(' ').at(-1)), answer: () => answer() };
}
