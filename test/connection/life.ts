import { expect } from 'vitest';
import type { Connections } from '../../src/connection/connections.ts';
import type { SignedIn } from '../../src/connection/sign-in.ts';
import { call, codeOf, type TestClock } from './setup.ts';

/** A server that others have written, and mira's connection to it. */
export interface Life {
  readonly baseUrl: string;
  readonly connections: Connections;
  readonly clock: TestClock;
  /** How long an access token lives, ms. */
  readonly lifetimeMs: number;
  signIn(): Promise<SignedIn>;
  /** The answer to the next renewal is lost, though all is done that it tells. */
  loseRenewal(): Promise<unknown>;
  /** What is granted ends, as in the account's Apps area. */
  endThere(): Promise<unknown>;
  /** How many of the grants the server honours. */
  living(): Promise<unknown>;
}

/** The whole life of a connection. */
export async function liveThrough(life: Life): Promise<void> {
  const { connections, clock, lifetimeMs } = life;
  const expectTaken = async () => {
    expect(await call(life, (await connections.bearer()).token.reveal())).toBe(200);
  };
  const begin = async () => {
    expect(await life.signIn()).toMatchObject({ account: 'mira', permissions: [] });
    expect(await connections.status()).toMatchObject({ state: 'connected', withheld: [], renewable: true });
    await expectTaken();
  };
  const renew = async () => {
    const { generation } = await connections.bearer();
    clock.pass(lifetimeMs + 1_000);
    expect((await connections.bearer()).generation).toBe(generation + 1);
    await expectTaken();
  };
  const end = async () => {
    expect(await connections.disconnect()).toEqual({ outcome: 'disconnected' });
    expect(await life.living()).toBe(0);
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
  };
  for (let lives = 0; lives < 2; lives += 1) {
    await begin();
    await renew();
    await renew();
    await end();
  }

  await begin();
  await life.loseRenewal();
  clock.pass(lifetimeMs - 50_000);
  await expectTaken();
  expect(await connections.status()).toMatchObject({ state: 'uncertain' });
  // The first sign-in after it succeeds, and lives.
  await begin();
  await renew();
  // One over another in use as well.
  await begin();
  await renew();

  await life.endThere();
  clock.pass(lifetimeMs + 1_000);
  expect(await codeOf(connections.bearer())).toBe('reconnect_required');
  await begin();
  await renew();
  await end();
}
