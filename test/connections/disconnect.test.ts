import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { disconnectionWords } from '../../src/connections/disconnection-words.ts';
import { ArtworkError } from '../../src/errors.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { call, connectTo, type Home, openHome, signInAt, type TestClock, testClock } from './setup.ts';

let home: Home;
let provider: ScriptedProvider;
let clock: TestClock;
const opened: Connections[] = [];

beforeEach(async () => {
  home = await openHome();
  clock = testClock();
  provider = await startScriptedProvider();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await provider.close();
  await home.remove();
});

function connect(user = 'default'): Connections {
  const connections = connectTo(provider, home, { clock, user });
  opened.push(connections);
  return connections;
}

async function categoryOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => new Error('It succeeded.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ArtworkError)) throw error;
  return error.category;
}

function revocations() {
  return provider.requests.filter(({ path }) => path.endsWith('/revoke'));
}

/** How many token records there are, of any user. */
async function records(): Promise<number> {
  let count = 0;
  const all = home.storage.records('tokens').iterator?.(undefined) ?? [];
  for await (const _ of all) count += 1;
  return count;
}

describe('disconnecting', () => {
  it('revokes with what the interface document shows, and deletes', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    const { token } = await connections.bearer();
    expect(await connections.disconnect()).toEqual({ outcome: 'disconnected', unrevoked: 0 });
    const [{ form, headers } = { form: new URLSearchParams(), headers: {} }] = revocations();
    expect([...form.keys()].sort()).toEqual(['client_id', 'token', 'token_type_hint']);
    expect(form.get('token_type_hint')).toBe('refresh_token');
    expect(headers.authorization).toBeUndefined();
    expect(await call(provider, token.reveal())).toBe(401);
    expect(await categoryOf(connect().bearer())).toBe('not_connected');
    expect(await connections.status()).toMatchObject({ state: 'not_connected', subject: null, scopes: [] });
    expect(await records()).toBe(0);
  });

  it('is harmless without a connection, and again', async () => {
    const connections = connect();
    expect(await connections.disconnect()).toEqual({ outcome: 'not_connected', unrevoked: 0 });
    await signInAt(provider, connections);
    await connections.disconnect();
    expect(await connections.disconnect()).toEqual({ outcome: 'not_connected', unrevoked: 0 });
    expect(revocations()).toHaveLength(1);
  });

  it.each([
    ['network', { kind: 'cut', when: 'before' }],
    ['unavailable', { kind: 'refuse', status: 503, body: {} }],
    ['unavailable', { kind: 'refuse', status: 429, body: {} }],
    ['refused', { kind: 'refuse', status: 401, body: { error: 'invalid_client' } }],
  ] as const)('blocks use at once and is finished later where revoking fails: %s', async (why, fault) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.script.revocation = fault;
    expect(await connections.disconnect()).toMatchObject({ outcome: 'not_revoked', why });
    expect(await categoryOf(connect().bearer())).toBe('not_connected');
    expect(await connections.status()).toMatchObject({ state: 'disconnecting', subject: 'mira' });
    expect(provider.living()).toBe(1);
    provider.script.revocation = null;
    expect(await connect().disconnect()).toEqual({ outcome: 'disconnected', unrevoked: 0 });
    expect(provider.living()).toBe(0);
    expect(await records()).toBe(0);
  });

  it('does not hold up a new sign-in by one request for each leftover, where the service can not be reached', async () => {
    const connections = connect();
    provider.script.revocation = { kind: 'cut', when: 'before' };
    for (const subject of ['mira', 'noor', 'ida']) {
      await signInAt(provider, connections, { subject });
      await connections.disconnect();
      await connections.disconnect();
    }
    const before = revocations().length;
    const signIn = await connections.signIn({ scopes: ['openid'], listen: false });
    expect(revocations().length - before).toBe(1);
    signIn.cancel();
    provider.script.revocation = null;
    expect(await connections.disconnect()).toMatchObject({ unrevoked: 0 });
    expect(provider.living()).toBe(0);
  });

  it('does not prevent a new sign-in, even of another account', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.script.revocation = { kind: 'cut', when: 'before' };
    await connections.disconnect();
    await signInAt(provider, connections, { subject: 'noor' });
    expect((await connections.bearer()).subject).toBe('noor');
    provider.script.revocation = null;

    // What could not be revoked then is found by the next one who tidies up.
    clock.pass(180_000);
    expect(await connections.status()).toMatchObject({ state: 'connected', unrevoked: 1 });
    expect(await connections.disconnect()).toEqual({ outcome: 'disconnected', unrevoked: 0 });
    expect(provider.living()).toBe(0);
  });

  it.each([
    [400, { error: 'invalid_token' }, 'invalid_token'],
    [400, { error: 'invalid_request', error_description: 'token not found' }, 'invalid_request'],
    [400, '<html>', 'HTTP_400'],
    [404, {}, 'HTTP_404'],
    [410, {}, 'HTTP_410'],
  ])('ends at a token that the service knows no more: %d %j', async (status, body, gone) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.script.revocation = { kind: 'refuse', status, body };
    const disconnection = await connections.disconnect();
    expect(disconnection).toEqual({ outcome: 'disconnected', gone, unrevoked: 0 });
    expect(disconnectionWords(disconnection)).toContain(gone);
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    expect(await records()).toBe(0);
  });

  it.each([
    [
      'the service refuses',
      { kind: 'refuse', status: 401, body: { error: 'invalid_client' } },
      'forgotten',
      0,
    ],
    ['the service is not there', { kind: 'cut', when: 'before' }, 'ended_here', 1],
    ['the service fails', { kind: 'refuse', status: 503, body: {} }, 'ended_here', 1],
  ] as const)('is ended here by the second try in any case: %s', async (_what, fault, outcome, kept) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.script.revocation = fault;
    expect(await connections.disconnect()).toMatchObject({ outcome: 'not_revoked' });
    const second = await connect().disconnect();
    expect(second).toMatchObject({ outcome });
    expect(disconnectionWords(second)).toContain('Apps area');
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    expect(await records()).toBe(kept);
    // What could not be revoked for want of an answer is, once there is one.
    provider.script.revocation = null;
    clock.pass(180_000);
    await connections.disconnect();
    expect(await records()).toBe(0);
    expect(provider.living()).toBe(1 - kept);
  });

  it('sends nothing for a connection that the service has ended', async () => {
    const connections = connect();
    provider.script.toldSeconds = 0;
    await signInAt(provider, connections);
    provider.faults.push({ kind: 'answer', status: 400, body: '{"error":"invalid_grant"}' });
    expect(await categoryOf(connections.bearer())).toBe('reconnect_required');
    const disconnection = await connections.disconnect();
    expect(disconnection).toMatchObject({ outcome: 'disconnected' });
    expect(revocations()).toHaveLength(0);
    expect(disconnectionWords(disconnection)).toContain('The service had ended it before');
    expect(disconnectionWords(disconnection)).not.toContain('has revoked');
  });

  it('says that it was revoked by the call alone whose request was answered', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    const both = await Promise.all([connections.disconnect(), connect().disconnect()]);
    expect(revocations()).toHaveLength(1);
    expect(both.map(disconnectionWords).filter((words) => words.includes('has revoked'))).toHaveLength(1);
  });

  it('does not say that it was revoked where nothing that is stored could be', async () => {
    const connections = connect();
    provider.script.toldSeconds = 0;
    await signInAt(provider, connections);
    provider.faults.push({ kind: 'answer', status: 200, body: '{}' });
    expect(await categoryOf(connections.bearer())).toBe('reconnect_required');
    const disconnection = await connections.disconnect();
    expect(disconnection).toMatchObject({ outcome: 'forgotten', why: 'no_token' });
    expect(disconnectionWords(disconnection)).toContain('not revoked');
    expect(revocations()).toHaveLength(0);
  });

  it('revokes a lone access token where the service does, and else leaves it to its end', async () => {
    const connections = connect();
    await signInAt(provider, connections, { scopes: ['openid', 'sets:write'] });
    expect(await connections.disconnect()).toMatchObject({ outcome: 'disconnected' });
    expect(revocations()[0]?.form.get('token_type_hint')).toBe('access_token');
    await signInAt(provider, connections, { scopes: ['openid', 'sets:write'] });
    provider.script.revocation = { kind: 'refuse', status: 400, body: { error: 'unsupported_token_type' } };
    expect(await connections.disconnect()).toMatchObject({ outcome: 'forgotten', why: 'refused' });
  });
});

describe('a renewal that is superseded', () => {
  const held = () => {
    let grant = () => {};
    const until = new Promise<void>((resolve) => (grant = resolve));
    provider.faults.push({ kind: 'slow', until });
    return { grant: () => grant() };
  };

  async function presented(): Promise<void> {
    while (provider.seen.presented === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it('by a disconnect: it revokes what it received', async () => {
    const connections = connect();
    const other = connect();
    provider.script.toldSeconds = 0;
    await signInAt(provider, connections);
    const { grant } = held();
    const renewing = connections.bearer();
    await presented();
    await other.disconnect();
    grant();
    expect(await categoryOf(renewing)).toBe('not_connected');
    expect(await other.status()).toMatchObject({ state: 'not_connected', unrevoked: 0 });
    const [first, second] = revocations().map(({ form }) => form.get('token'));
    expect(second).not.toBe(first);
    expect(provider.living()).toBe(0);
    expect(await records()).toBe(0);
  });

  it('by a new sign-in: it ends in the new connection', async () => {
    const connections = connect();
    const other = connect();
    provider.script.toldSeconds = 0;
    await signInAt(provider, connections);
    const { grant } = held();
    const renewing = connections.bearer();
    await presented();
    provider.script.toldSeconds = 600;
    await signInAt(provider, other, { subject: 'noor', replace: true });
    grant();
    expect((await renewing).subject).toBe('noor');
    expect(provider.living()).toBe(1);
    expect(provider.seen.presentedTwice).toBe(0);
    expect(await call(provider, (await other.bearer()).token.reveal())).toBe(200);
  });
});
