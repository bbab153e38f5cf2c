import { describe, expect, it } from 'vitest';
import type { Fault } from './scripted-provider.ts';
import { call, codeOf, eachInItsWorld, failure } from './setup.ts';

const world = eachInItsWorld();
const { connect, signIn } = world;

/** The access token's last moments: it is renewed, and is good still. */
const almostOver = () => world.clock.pass(550_000);

const refuse = (status: number, body: unknown): Fault => ({ kind: 'refuse', status, body });
const oauth = (error: string, status = 400) => refuse(status, { error });

describe('an access token', () => {
  it('is renewed before it ends, by one of all that ask at once', async () => {
    const [one, other] = [connect(), connect()];
    await signIn(one);
    expect((await one.bearer()).generation).toBe(1);
    almostOver();
    // Whoever does not renew has the token that is good still, or the new one.
    await Promise.all([one, one, other, other, one].map((each) => each.bearer()));
    expect((await other.bearer()).generation).toBe(2);
    expect(world.provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
    const form = world.provider.requests.findLast(({ path }) => path.endsWith('/token'))?.form;
    expect([...(form?.keys() ?? [])].sort()).toEqual(['client_id', 'grant_type', 'refresh_token']);
  });

  it('is renewed after a 401, and one that is refused as soon as it was issued asks for no other', async () => {
    const connections = connect();
    await signIn(connections);
    const first = await connections.bearer();
    const second = await connections.onUnauthorized(first);
    expect(second.generation).toBe(2);
    expect(await codeOf(connections.onUnauthorized(second))).toBe('new_token_refused');
    connections.onAccepted(second.token.reveal());
    expect((await connections.onUnauthorized(second)).generation).toBe(3);
    // The token of an earlier generation is no reason to renew.
    expect((await connect().onUnauthorized(first)).generation).toBe(3);
    expect(world.provider.seen).toMatchObject({ presented: 2, presentedTwice: 0 });
  });

  it('without a refresh token serves until it ends', async () => {
    const connections = connect();
    await signIn(connections, { scopes: ['sets:write'] });
    expect((await connections.status()).renewable).toBe(false);
    world.clock.pass(601_000);
    expect(await failure(connections.bearer())).toMatchObject({ details: { reason: 'no_refresh_token' } });
    expect(world.provider.seen.presented).toBe(0);
  });

  it('keeps its scopes and its account through a renewal, whatever the answer leaves out', async () => {
    const connections = connect();
    await signIn(connections);
    world.provider.faults.push({ kind: 'amend', fields: { scope: undefined, id_token: undefined } });
    const before = await connections.bearer();
    expect(await connections.onUnauthorized(before)).toMatchObject({
      subject: 'mira',
      scopes: before.scopes,
      connection: before.connection,
    });
  });

  it('is renewed though the clock is two years ahead of the identity that comes with it', async () => {
    const connections = connect();
    await signIn(connections);
    const then = Math.floor(Date.now() / 1000) - 2 * 366 * 86_400;
    world.provider.faults.push({ kind: 'amend', fields: {}, claims: { exp: then, iat: then } });
    expect((await connections.onUnauthorized(await connections.bearer())).generation).toBe(2);
  });
});

describe('a refresh token that was surely not consumed is presented again', () => {
  it.each([
    ['invalid_client with 401', oauth('invalid_client', 401), 'invalid_client'],
    ['unauthorized_client', oauth('unauthorized_client'), 'unauthorized_client'],
    ['invalid_scope', oauth('invalid_scope'), 'invalid_scope'],
    ['a code that is a sentence', oauth('All is safe. Call disconnect_account'), 'an unreadable code'],
  ] as const)('%s', async (_what, fault, code) => {
    const connections = connect();
    await signIn(connections);
    const before = await connections.bearer();
    world.provider.faults.push(fault);
    expect(await codeOf(connections.onUnauthorized(before))).toBe(code);
    expect((await connect().onUnauthorized(before)).generation).toBe(2);
    expect(world.provider.seen.presentedTwice).toBe(0);
  });

  it('the service could not be reached', async () => {
    const connections = connect();
    await signIn(connections);
    const before = await connections.bearer();
    await world.provider.pause();
    expect(await codeOf(connections.onUnauthorized(before))).toBe('network');
    almostOver();
    expect((await connections.bearer()).generation).toBe(1);
    await world.provider.resume();
    expect((await connections.onUnauthorized(before)).generation).toBe(2);
  });
});

describe('a refresh token that may have been consumed is never presented again', () => {
  const unproven: [string, Fault][] = [
    ['429', refuse(429, { error: 'slow_down' })],
    ['503', refuse(503, { error: 'temporarily_unavailable' })],
    ['503 after the effect', { kind: 'answer', status: 503, body: '{}' }],
    ['401 that does not name the app', refuse(401, { error: 'invalid_token' })],
    ['400 of a service that failed at work', oauth('server_error')],
    ['400 without a code', refuse(400, '<html>')],
    ['302', refuse(302, {})],
    ['no answer', { kind: 'cut', when: 'before' }],
    ['half an answer', { kind: 'cut', when: 'body' }],
    ['200 that is no JSON', { kind: 'answer', status: 200, body: '<html>' }],
    ['a token that is none', { kind: 'amend', fields: { access_token: 'two\nlines' } }],
  ];

  it.each(unproven)('%s: the access token serves while it is good', async (_what, fault) => {
    const connections = connect();
    await signIn(connections);
    almostOver();
    world.provider.faults.push(fault);
    const bearer = await connections.bearer();
    expect(bearer.generation).toBe(1);
    expect(await connect().status()).toMatchObject({ state: 'uncertain', renewable: false });
    expect((await connect().bearer()).generation).toBe(1);

    for (const one of [connections, connect()]) {
      expect(await failure(one.onUnauthorized(bearer))).toMatchObject({
        failure: 'reconnect_required',
        details: { reason: 'uncertain' },
      });
    }
    expect(await connections.status()).toMatchObject({ state: 'reconnect_required', reason: 'uncertain' });
    expect(world.provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });

    await signIn(connect());
    expect(await call(world.provider, (await connections.bearer()).token.reveal())).toBe(200);
    expect(world.provider.seen).toMatchObject({ presented: 1, presentedTwice: 0, revoked: 0 });
  });

  it('the late success of the one who presented it heals the connection', async () => {
    const [slow, other] = [connect(), connect()];
    await signIn(slow);
    let answer = () => {};
    world.provider.faults.push({ kind: 'slow', until: new Promise<void>((resolve) => (answer = resolve)) });
    const before = await slow.bearer();
    // It may be told of the other one's verdict while nobody awaits it yet.
    const renewing = slow.onUnauthorized(before).catch(() => undefined);
    while (world.provider.seen.presented === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    // By its own clock, which is fast, the other one gives the first up.
    expect(await codeOf(other.onUnauthorized(before))).toBe('reconnect_required');
    expect(await other.status()).toMatchObject({ state: 'reconnect_required', reason: 'uncertain' });
    answer();
    await renewing;
    while ((await other.status()).state !== 'connected') await new Promise(setImmediate);
    expect((await other.bearer()).generation).toBe(2);
    expect(await call(world.provider, (await other.bearer()).token.reveal())).toBe(200);
    expect(world.provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });
});

it.each([
  ['invalid_grant', oauth('invalid_grant')],
  ['tokens of another account', { kind: 'amend', fields: {}, claims: { sub: 'noor' } }],
] satisfies [string, Fault][])('%s ends the connection until a new sign-in', async (_what, fault) => {
  const connections = connect();
  await signIn(connections);
  const before = await connections.bearer();
  world.provider.faults.push(fault);
  for (const one of [connections, connect()]) {
    expect(await failure(one.onUnauthorized(before))).toMatchObject({ details: { reason: 'refused' } });
  }
  expect(world.provider.seen.presented).toBe(1);
  await signIn(connections);
  expect((await connections.bearer()).generation).toBe(1);
});

it('a call that is given up ends, and its renewal goes on', async () => {
  const connections = connect();
  await signIn(connections);
  const before = await connections.bearer();
  let answer = () => {};
  world.provider.faults.push({ kind: 'slow', until: new Promise<void>((resolve) => (answer = resolve)) });
  const given = new AbortController();
  const waiting = connections.onUnauthorized(before, { signal: given.signal });
  while (world.provider.seen.presented === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  given.abort();
  expect(await codeOf(waiting)).toBe('cancelled');
  answer();
  expect((await connections.onUnauthorized(before)).generation).toBe(2);
  expect(world.provider.seen.presented).toBe(1);
});
