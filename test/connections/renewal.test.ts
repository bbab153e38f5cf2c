import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { type Fault, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
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
  // By what is told, a token has ended when it arrives: every call is due to renew it.
  provider = await startScriptedProvider({ toldSeconds: 0 });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await provider.close();
  await home.remove();
});

function connect(): Connections {
  const connections = connectTo(provider, home, { clock });
  opened.push(connections);
  return connections;
}

describe('a renewal', () => {
  it('happens once for all who ask at the same time', async () => {
    const connections = connect();
    const other = connect();
    await signInAt(provider, connections);
    // From now on tokens live long enough to be shared.
    provider.script.toldSeconds = 600;
    const bearers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? connections : other).bearer()),
    );
    expect(new Set(bearers.map(({ token }) => token.reveal())).size).toBe(1);
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });

  it('follows a 401: first the store is read, then one renewal is made', async () => {
    const connections = connect();
    const other = connect();
    provider.script.toldSeconds = 3600;
    await signInAt(provider, connections);
    const old = await other.bearer();
    provider.expireAccess();
    const fresh = await connections.onUnauthorized(await connections.bearer());
    expect(await call(provider, old.token.reveal())).toBe(401);
    const found = await other.onUnauthorized(old);
    expect(found.token.reveal()).toBe(fresh.token.reveal());
    expect(provider.seen.presented).toBe(1);
  });

  it('goes on when the call that began it is cancelled', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    let grant = () => {};
    provider.faults.push({ kind: 'slow', until: new Promise<void>((resolve) => (grant = resolve)) });
    const controller = new AbortController();
    const asked = connections.bearer({ signal: controller.signal });
    await until(() => provider.seen.presented === 1);
    controller.abort();
    expect((await failure(asked)).category).toBe('cancelled');
    grant();
    await connections.close();
    expect(await connections.status()).toMatchObject({ state: 'connected' });
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });

  it('does not follow a 401 to the token that it has just brought, for a minute', async () => {
    const connections = connect();
    provider.script.toldSeconds = 3600;
    await signInAt(provider, connections);
    provider.expireAccess();
    const fresh = await connections.onUnauthorized(await connections.bearer());
    provider.expireAccess();
    for (let calls = 0; calls < 5; calls += 1) {
      const error = await failure(connections.onUnauthorized(fresh));
      expect(error).toMatchObject({ category: 'forbidden', code: 'new_token_refused', status: 401 });
      expect(error.next?.why).toContain('ARTWORK_BASE_URL');
    }
    expect(provider.seen.presented).toBe(1);
    clock.pass(60_000);
    expect((await connections.onUnauthorized(fresh)).generation).toBe(3);
  });
});

const refusal = (error: string, status = 400): Fault => ({ kind: 'refuse', status, body: { error } });

/** What the service says, what a call is told, and what the status says once the access token has ended. */
const harmless: [string, Fault, string, string][] = [
  [
    'a 429',
    { kind: 'refuse', status: 429, body: {}, headers: { 'retry-after': '0' } },
    'rate_limited',
    'connected',
  ],
  ['invalid_client', refusal('invalid_client', 401), 'forbidden', 'app_refused'],
  ['invalid_request', refusal('invalid_request'), 'reconnect_required', 'reconnect_required'],
  ['a code of its own', refusal('account_frozen'), 'reconnect_required', 'reconnect_required'],
];

describe('a failure that proves the refresh token unused', () => {
  it.each(harmless)('lets the next call try again: %s', async (_what, fault, category, state) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.faults.push(fault);
    const error = await failure(connections.bearer());
    expect(error.category).toBe(category);
    const status = await connections.status();
    expect(status.state).toBe(state);
    if (state !== 'connected') {
      expect(error.next?.why).toMatch(/\w/);
      expect(error.next?.tool).toBe(category === 'reconnect_required' ? 'connect_account' : undefined);
      expect(status).toMatchObject({ renewable: false, reason: 'renewal_refused' });
      expect(status.explanation).not.toContain('renews itself');
    }
    clock.pass(1000);
    await connections.bearer();
    expect(provider.seen).toMatchObject({ presented: 2, presentedTwice: 0 });
  });

  it('is one where nothing was sent', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    await provider.pause();
    expect((await failure(connections.bearer())).category).toBe('network');
    await provider.resume();
    clock.pass(1000);
    await connections.bearer();
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });

  it('is waited out as long as the service asks', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.faults.push({ kind: 'refuse', status: 429, body: {}, headers: { 'retry-after': '120' } });
    await failure(connections.bearer());
    const error = await failure(connect().bearer());
    expect(error).toMatchObject({ category: 'rate_limited', details: { retryAfterSeconds: 120 } });
    expect(provider.seen.presented).toBe(1);
  });
});

describe('a holder that never says what came of its renewal', () => {
  it('is waited for, 35 s by one’s own clock, and may still be late', async () => {
    const connections = connect();
    const other = connect();
    provider.script.toldSeconds = 3600;
    await signInAt(provider, connections);
    const old = await connections.bearer();
    let grant = () => {};
    provider.faults.push({ kind: 'slow', until: new Promise<void>((resolve) => (grant = resolve)) });
    const late = connections.onUnauthorized(old);
    await until(() => provider.seen.presented === 1);

    const before = clock.monotonic();
    expect((await failure(other.onUnauthorized(old))).details).toEqual({ reason: 'renewal_unknown' });
    expect(clock.monotonic() - before).toBeGreaterThan(35_000);
    expect(await other.status()).toMatchObject({ state: 'reconnect_required' });
    expect((await failure(other.account())).category).toBe('reconnect_required');

    grant();
    const recovered = await late;
    expect(await other.account()).toMatchObject({ subject: 'mira' });
    expect(await other.status()).toMatchObject({ state: 'connected' });
    expect((await other.onUnauthorized(old)).token.reveal()).toBe(recovered.token.reveal());
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });
});

const amended = (fields: Record<string, unknown>, claims?: Record<string, unknown>): Fault => ({
  kind: 'amend',
  fields,
  ...(claims === undefined ? {} : { claims }),
});

/** What an answer may hold besides a good access token without costing it, and whether it can be renewed again. */
const oddities: [string, Fault, boolean][] = [
  [
    'null where something is missing',
    amended({ refresh_token: null, expires_in: null, scope: null, id_token: null, token_type: null }),
    true,
  ],
  ['an end in the past', amended({ expires_in: -1 }), true],
  ['an id_token of another issuer', amended({}, { iss: 'https://elsewhere.example' }), true],
  ['an id_token that has ended by this clock', amended({}, { exp: 1 }), true],
  ['a refresh token that fits into no header', amended({ refresh_token: 'a b' }), false],
  ['an empty refresh token', amended({ refresh_token: '' }), false],
];

describe('an answer with something odd', () => {
  it.each(oddities)('counts all the same: %s', async (_what, fault, renewable) => {
    const connections = connect();
    const { scopes } = await signInAt(provider, connections);
    provider.script.toldSeconds = 600;
    provider.faults.push(fault);
    const bearer = await connections.bearer();
    expect(bearer.generation).toBe(2);
    expect(await call(provider, bearer.token.reveal())).toBe(200);
    expect(await connections.status()).toMatchObject({
      state: 'connected',
      subject: 'mira',
      scopes,
      renewable,
    });
    // What came in place of a refresh token is not taken for leave to present the old one again.
    clock.pass(3_600_000);
    await connections.bearer().catch(() => undefined);
    expect(provider.seen.presentedTwice).toBe(0);
  });
});

const losses: [string, Fault][] = [
  ['cut before the status', { kind: 'cut', when: 'before' }],
  ['cut in the body', { kind: 'cut', when: 'body' }],
  ['a 500', { kind: 'answer', status: 500, body: '{"error":"server_error"}' }],
  ['a 400 of a service that failed', { kind: 'answer', status: 400, body: '{"error":"server_error"}' }],
];

describe('an answer that is lost', () => {
  it('is one that does not come in time', async () => {
    const connections = connectTo(provider, home, { clock, requestMs: 300 });
    opened.push(connections);
    await signInAt(provider, connections);
    provider.faults.push({ kind: 'slow', until: new Promise(() => undefined) });
    const old = await connections.bearer();
    expect(old.generation).toBe(1);
    expect(await connections.status()).toMatchObject({ state: 'uncertain' });
    expect(home.logged.join('')).toContain('ETIMEDOUT');
    expect((await failure(connections.onUnauthorized(old))).category).toBe('reconnect_required');
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });

  it.each(losses)('leaves the old token until the service refuses it: %s', async (_what, fault) => {
    const connections = connect();
    provider.script.toldSeconds = 3600;
    await signInAt(provider, connections);
    provider.expireAccess();
    const old = await connections.bearer();
    provider.faults.push(fault);
    // The 401 is what asks for the renewal, so its loss is final.
    const error = await failure(connections.onUnauthorized(old));
    expect(error).toMatchObject({ category: 'reconnect_required', details: { reason: 'renewal_unknown' } });
    expect((await failure(connect().bearer())).category).toBe('reconnect_required');
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });
  });
});

const ends: [string, Fault, string][] = [
  ['invalid_grant', { kind: 'answer', status: 400, body: '{"error":"invalid_grant"}' }, 'refused'],
  ['garbage', { kind: 'answer', status: 200, body: '<html>' }, 'unusable_answer'],
  ['no access token', { kind: 'amend', fields: { access_token: 7 } }, 'unusable_answer'],
  ['another account', { kind: 'amend', fields: {}, claims: { sub: 'noor' } }, 'other_subject'],
];

describe('an answer that ends the connection', () => {
  it.each(ends)('is told for what it is, and never asked for again: %s', async (_what, fault, reason) => {
    const connections = connect();
    await signInAt(provider, connections);
    provider.faults.push(fault);
    expect(await failure(connections.bearer())).toMatchObject({
      category: 'reconnect_required',
      details: { reason },
    });
    expect((await failure(connect().bearer())).category).toBe('reconnect_required');
    expect(await connections.status()).toMatchObject({ state: 'reconnect_required', reason });
    expect(provider.seen).toMatchObject({ presented: 1, presentedTwice: 0 });

    // The same account signs in again, and all is well.
    provider.script.toldSeconds = 600;
    await signInAt(provider, connections);
    expect(await call(provider, (await connections.bearer()).token.reveal())).toBe(200);
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
