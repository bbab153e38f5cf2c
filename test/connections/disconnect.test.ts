import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import {
  call,
  connectTo,
  failure,
  type Home,
  openHome,
  signInAt,
  type TestClock,
  testClock,
} from './setup.ts';

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
    expect(await connections.disconnect()).toEqual({ outcome: 'disconnected' });
    const [{ form, headers } = { form: new URLSearchParams(), headers: {} }] = revocations();
    expect([...form.keys()].sort()).toEqual(['client_id', 'token', 'token_type_hint']);
    expect(form.get('token_type_hint')).toBe('refresh_token');
    expect(headers.authorization).toBeUndefined();
    expect(await call(provider, token.reveal())).toBe(401);
    expect(await failure(connect().bearer())).toMatchObject({ category: 'not_connected' });
    expect(await connections.status()).toMatchObject({ state: 'not_connected', subject: null, scopes: [] });
    expect(await records()).toBe(0);
  });

  it.each([
    ['network', { kind: 'cut', when: 'before' }],
    ['unavailable', { kind: 'refuse', status: 503, body: {} }],
    ['refused', { kind: 'refuse', status: 401, body: { error: 'invalid_client' } }],
  ] as const)('blocks use at once and is finished later where revoking fails: %s', async (why, fault) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.script.revocation = fault;
    expect(await connections.disconnect()).toMatchObject({ outcome: 'not_revoked', why });
    expect(await failure(connect().bearer())).toMatchObject({ category: 'not_connected' });
    expect(await connections.status()).toMatchObject({ state: 'disconnecting', subject: 'mira' });
    expect(provider.living()).toBe(1);
    provider.script.revocation = null;
    expect(await connect().disconnect()).toEqual({ outcome: 'disconnected' });
    expect(provider.living()).toBe(0);
    expect(await records()).toBe(0);
  });

  it.each([
    [400, { error: 'invalid_token' }, 'invalid_token'],
    [400, { error: 'invalid_request', error_description: 'token not found' }, 'invalid_request'],
    [410, {}, 'HTTP_410'],
  ])('ends at a token that the service knows no more: %d %j', async (status, body, gone) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.script.revocation = { kind: 'refuse', status, body };
    const disconnection = await connections.disconnect();
    expect(disconnection).toEqual({ outcome: 'disconnected', gone });
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    expect(await records()).toBe(0);
  });

  it('does not say that it was revoked where nothing that is stored could be', async () => {
    const connections = connect();
    provider.script.toldSeconds = 0;
    await signInAt(provider, connections);
    provider.faults.push({ kind: 'answer', status: 200, body: '{}' });
    expect(await failure(connections.bearer())).toMatchObject({ category: 'reconnect_required' });
    const disconnection = await connections.disconnect();
    expect(disconnection).toMatchObject({ outcome: 'forgotten', why: 'no_token' });
    expect(revocations()).toHaveLength(0);
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
    expect(await failure(renewing)).toMatchObject({ category: 'not_connected' });
    expect(await other.status()).toMatchObject({ state: 'not_connected' });
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
    await signInAt(provider, other, { subject: 'noor' });
    grant();
    expect((await renewing).subject).toBe('noor');
    expect(revocations()).toHaveLength(0);
    expect(provider.seen.presentedTwice).toBe(0);
    expect(await call(provider, (await other.bearer()).token.reveal())).toBe(200);
  });
});
