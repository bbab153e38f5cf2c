import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Connections } from '../../src/connection/connections.ts';
import { type ScriptedProvider, startScriptedProvider } from '../connection/scripted-provider.ts';
import { call, connectTo, type Home, openHome, signInAt } from '../connection/setup.ts';
import { type Actor, type Actors, buildActors } from './processes.ts';

/**
 * So many times sooner than in real life a process gives up a holder that says nothing. Only where holders are
 * killed: a holder that lives, on a busy machine, may take longer than the 1.75 s that are left.
 */
const givesUpEarly = 20;

let actors: Actors;
let home: Home;
let provider: ScriptedProvider;

beforeAll(async () => {
  actors = await buildActors('test/connection/actor.ts');
});
afterAll(() => actors.end());
beforeEach(async () => {
  home = await openHome();
  provider = await startScriptedProvider({ seconds: 2 });
});
afterEach(async () => {
  await provider.close();
  await home.remove();
});

async function start(waitFactor = 1): Promise<Actor> {
  const actor = actors.start([home.path, provider.baseUrl, String(waitFactor)]);
  expect(await actor.next()).toEqual({ ready: true });
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

/** Lets them finish their calls. Answers how many calls there were, and the errors that they met. */
async function finish(running: readonly Actor[]) {
  for (const actor of running) actor.begin();
  const lines = (await Promise.all(running.map((actor) => actor.rest()))).flat();
  expect(running.map(({ process }) => process.exitCode)).toEqual(running.map(() => 0));
  const said = lines.map((line) => z.object({ category: z.string().optional() }).parse(line));
  return { calls: said.length, categories: [...new Set(said.flatMap(({ category }) => category ?? []))] };
}

/** The connection works, or says that a person has to sign in. */
async function expectHonest(): Promise<'alive' | 'reconnect_required'> {
  const connections = connectTo(provider, home);
  for (;;) {
    const used = await use(connections).catch((error: unknown) => error);
    if (used === 200) return 'alive';
    const { state } = await connections.status();
    if (state === 'reconnect_required') return state;
    await pause(50);
  }
}

async function use(connections: Connections): Promise<number> {
  const bearer = await connections.bearer();
  const status = await call(provider, bearer.token.reveal());
  if (status === 200) return status;
  return call(provider, (await connections.onUnauthorized(bearer)).token.reveal());
}

describe('eight processes that share a connection whose access token lives two seconds', () => {
  it('renew it together, never presenting a token twice, and none is ever without', async () => {
    await signInAt(provider, connectTo(provider, home));
    const running = await startEight();
    await renewals(4);
    const { calls, categories } = await finish(running);
    expect(categories).toEqual([]);
    // How many tokens they ask for in that time depends on the machine; each asks at least once.
    expect(calls).toBeGreaterThanOrEqual(8);
    expect(provider.seen.presentedTwice).toBe(0);
    expect(await expectHonest()).toBe('alive');
  });

  it('survive ten SIGKILLs, some in the middle of their renewal, honestly', async () => {
    const connections = connectTo(provider, home);
    await signInAt(provider, connections);
    const running = new Set(await startEight(givesUpEarly));
    let lost = 0;
    for (let killed = 0; killed < 10; killed += 1) {
      const presents = killed % 3 === 2 ? await presenting() : null;
      if (presents === null) await renewals(1);
      const [anyone] = running;
      const victim = [...running].find(({ process }) => process.pid === presents?.pid) ?? anyone;
      if (victim === undefined) throw new Error('No process runs.');
      running.delete(victim);
      await victim.kill();
      presents?.answer();
      running.add(await start(givesUpEarly));
      if (presents === null) continue;
      // The tokens that it was sent are lost, and no process presents the refresh token again.
      while ((await connections.status()).state !== 'reconnect_required') await pause(20);
      lost += 1;
      await signInAt(provider, connectTo(provider, home));
    }
    await renewals(1);
    const { categories } = await finish([...running]);
    expect(lost).toBe(3);
    expect(categories.filter((category) => category !== 'reconnect_required')).toEqual([]);
    expect(provider.seen.presentedTwice).toBe(0);
    await expectHonest();
  });
});

/** Waits until some process presents a refresh token, and lets it wait for the answer. */
async function presenting(): Promise<{ readonly pid: number; answer(): void }> {
  let answer = () => {};
  const until = new Promise<void>((resolve) => (answer = resolve));
  const before = provider.seen.presented;
  provider.faults.push({ kind: 'slow', until });
  while (provider.seen.presented === before) {
    await pause(10);
    // A process that was killed at random may have been in the middle of a renewal.
    if ((await connectTo(provider, home).status()).state !== 'reconnect_required') continue;
    provider.faults.length = 0;
    await signInAt(provider, connectTo(provider, home));
    provider.faults.push({ kind: 'slow', until });
  }
  const renewing = provider.requests.findLast(({ form }) => form.has('refresh_token'));
  return { pid: Number(renewing?.headers['user-agent']?.split(' ').at(-1)), answer: () => answer() };
}
