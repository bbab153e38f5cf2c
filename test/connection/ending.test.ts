import { expect, it } from 'vitest';
import { call, codeOf, eachInItsWorld, failure } from './setup.ts';

const world = eachInItsWorld();
const { connect, signIn } = world;

const revocations = () => world.provider.requests.filter(({ path }) => path.endsWith('/revoke'));

it('disconnecting revokes with what the interface document shows, and deletes', async () => {
  const [connections, other] = [connect(), connect({ user: 'other' })];
  expect(await connections.disconnect()).toEqual({ outcome: 'not_connected' });
  await signIn(connections);
  await signIn(other, { subject: 'noor' });
  const { token } = await connections.bearer();
  expect(await connections.disconnect()).toEqual({ outcome: 'disconnected' });
  const [{ form, headers } = { form: new URLSearchParams(), headers: {} }] = revocations();
  expect([...form.keys()].sort()).toEqual(['client_id', 'token', 'token_type_hint']);
  expect(form.get('token_type_hint')).toBe('refresh_token');
  expect(headers.authorization).toBeUndefined();
  expect(await call(world.provider, token.reveal())).toBe(401);
  expect(await codeOf(connect().bearer())).toBe('not_connected');
  expect(await connections.status()).toMatchObject({ state: 'not_connected', subject: null, scopes: [] });
  expect(await connections.holder()).toBeNull();
  expect(await other.status()).toMatchObject({ state: 'connected', subject: 'noor' });
});

it.each([
  ['no answer', { kind: 'cut', when: 'before' }],
  ['503', { kind: 'refuse', status: 503, body: {} }],
  ['the app is refused', { kind: 'refuse', status: 401, body: { error: 'invalid_client' } }],
] as const)(
  'use is blocked at once where revoking fails, and it is finished later: %s',
  async (_what, fault) => {
    const connections = connect();
    await signIn(connections);
    world.provider.script.revocation = fault;
    expect(await connections.disconnect()).toEqual({ outcome: 'not_revoked' });
    expect(await codeOf(connect().bearer())).toBe('not_connected');
    expect(await connections.status()).toMatchObject({ state: 'disconnecting' });
    expect(world.provider.living()).toBe(1);
    world.provider.script.revocation = null;
    expect(await connect().disconnect()).toEqual({ outcome: 'disconnected' });
    expect(world.provider.living()).toBe(0);
  },
);

it('a service that never answers keeps nobody connected', async () => {
  const connections = connect();
  await signIn(connections);
  world.provider.script.revocation = { kind: 'cut', when: 'before' };
  expect((await connections.disconnect()).outcome).toBe('not_revoked');
  expect((await connections.disconnect()).outcome).toBe('ended_here');
  expect(await connections.status()).toMatchObject({ state: 'not_connected' });
});

it.each([
  [400, { error: 'invalid_request', error_description: 'token not found' }],
  [410, {}],
])('a token that the service knows no more needs no revoking: %d', async (status, body) => {
  const connections = connect();
  await signIn(connections);
  world.provider.script.revocation = { kind: 'refuse', status, body };
  expect(await connections.disconnect()).toEqual({ outcome: 'disconnected' });
});

it('what has no refresh token is deleted, and not called revoked', async () => {
  const connections = connect();
  await signIn(connections, { scopes: ['sets:write'] });
  expect(await connections.disconnect()).toEqual({ outcome: 'forgotten' });
  expect(revocations()).toEqual([]);
  expect(await codeOf(connections.bearer())).toBe('not_connected');
});

it('of eight that disconnect at once one revokes', async () => {
  await signIn(connect());
  const ends = await Promise.all(Array.from({ length: 8 }, () => connect().disconnect()));
  expect(ends.filter(({ outcome }) => outcome === 'disconnected')).toHaveLength(1);
  expect(revocations()).toHaveLength(1);
});

it('a disconnect during a renewal revokes what the renewal received', async () => {
  const connections = connect();
  await signIn(connections);
  let answer = () => {};
  world.provider.faults.push({ kind: 'slow', until: new Promise<void>((resolve) => (answer = resolve)) });
  const renewing = failure(connections.onUnauthorized(await connections.bearer()));
  while (world.provider.seen.presented === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const disconnecting = connections.disconnect();
  while ((await connections.status()).state !== 'disconnecting') await new Promise(setImmediate);
  answer();
  expect(await disconnecting).toEqual({ outcome: 'disconnected' });
  expect((await renewing).failure).toBe('not_connected');
  const presented = world.provider.requests.findLast(({ form }) => form.has('refresh_token'));
  expect(revocations().map(({ form }) => form.get('token'))).not.toContain(
    presented?.form.get('refresh_token'),
  );
  expect(world.provider.living()).toBe(0);
});
