import { expect } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import type { SignedIn } from '../../src/connections/sign-in/complete.ts';
import { allScopes } from '../../src/settings.ts';
import { call, failure, type TestClock } from './setup.ts';

interface Life {
  readonly server: {
    readonly baseUrl: string;
    readonly authUrl: string;
    /** The answer to the next request of this kind is lost, though all is done that it tells. */
    lose(kind: 'refresh_token'): Promise<unknown>;
    /** What is granted ends, as in the account's Apps area. */
    endThere(): Promise<unknown>;
    /** How much of what was granted the server honours. */
    living(): Promise<unknown>;
  };
  readonly clock: TestClock;
  signIn(): Promise<SignedIn>;
}

/** Longer than any access token lives. */
const endOfToken = 601_000;

/** The whole life of a connection, against a server that others have written. */
export async function liveThrough(connections: Connections, { server, clock, signIn }: Life): Promise<void> {
  const isTaken = async () => {
    const { token } = await connections.bearer();
    expect(await call(server, token.reveal())).toBe(200);
  };
  const begin = async () => {
    const signedIn = await signIn();
    expect(signedIn).toMatchObject({ account: 'mira', withheld: [], renewable: true });
    expect([...signedIn.scopes].sort()).toEqual([...allScopes].sort());
    await isTaken();
  };
  const renew = async () => {
    const { generation } = await connections.bearer();
    clock.pass(endOfToken);
    expect((await connections.bearer()).generation).toBe(generation + 1);
    await isTaken();
    expect((await connections.status()).withheld).toEqual([]);
  };
  const end = async ({ isForgotten = false } = {}) => {
    expect(await connections.disconnect()).toMatchObject({ outcome: 'disconnected' });
    // What a lost answer held may live on there: its token is not shown again.
    if (!isForgotten) expect(await server.living()).toBe(0);
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
  };

  for (let life = 0; life < 2; life += 1) {
    await begin();
    await renew();
    await end();
  }

  await begin();
  await server.lose('refresh_token');
  clock.pass(endOfToken);
  await connections.bearer();
  expect(await connections.status()).toMatchObject({ state: 'uncertain' });
  // The first sign-in after it succeeds, and lives.
  await begin();
  await renew();
  await end({ isForgotten: true });

  await begin();
  await server.endThere();
  clock.pass(endOfToken);
  expect(await failure(connections.bearer())).toMatchObject({
    category: 'reconnect_required',
    next: { tool: 'connect_account' },
  });
  expect(await connections.disconnect()).toMatchObject({ untold: 'ended_before' });
  await begin();
  await renew();
  await end();
}
