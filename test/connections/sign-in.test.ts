import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/connections/connections.ts';
import { allScopes } from '../../src/settings.ts';
import { freePort } from '../support/free-port.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { type ClientOptions, call, codeOf, connectTo, type Home, openHome, signInAt } from './setup.ts';

let home: Home;
let provider: ScriptedProvider;
const opened: Connections[] = [];

beforeEach(async () => {
  home = await openHome();
  provider = await startScriptedProvider({ basePath: '/v1' });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
  await provider.close();
  await home.remove();
});

function connect(options: ClientOptions = {}): Connections {
  const connections = connectTo(provider, home, options);
  opened.push(connections);
  return connections;
}

function tokenRequest() {
  const found = provider.requests.find(({ path }) => path.endsWith('/token'));
  if (found === undefined) throw new Error('No code was exchanged.');
  return found;
}

describe('signing in', () => {
  it('asks for what the interface document shows, at its paths, whatever the metadata says', async () => {
    const connections = connect();
    const signIn = await connections.signIn({ scopes: ['openid', 'assets:write'] });
    const url = new URL(signIn.url);
    expect(url.origin + url.pathname).toBe(`${provider.authUrl}/api/auth/oauth2/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: 'https://app.example/callback',
      resource: `${provider.baseUrl}/me`,
      scope: 'openid assets:write',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      prompt: 'consent',
    });
    await signIn.paste(provider.approve(signIn.url).href);
    await signIn.done;
    const { form, headers } = tokenRequest();
    expect([...form.keys()].sort()).toEqual(
      ['client_id', 'code', 'code_verifier', 'grant_type', 'redirect_uri', 'resource'].sort(),
    );
    expect(form.get('grant_type')).toBe('authorization_code');
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
    expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(provider.seen.metadata).toBe(1);
  });

  it('authenticates a confidential client with Basic, its id in the form all the same', async () => {
    await provider.close();
    provider = await startScriptedProvider({ secret: 'correct-horse' });
    const connections = connect({ secret: 'correct-horse' });
    await signInAt(provider, connections);
    const { form, headers } = tokenRequest();
    expect(form.get('client_id')).toBe('app');
    expect(form.has('client_secret')).toBe(false);
    expect(headers.authorization).toBe(`Basic ${Buffer.from('app:correct%2Dhorse').toString('base64')}`);
  });

  it('stores a connection that another process can use', async () => {
    const signedIn = await signInAt(provider, connect());
    expect(signedIn).toMatchObject({
      subject: 'mira',
      account: 'Name of mira',
      scopes: [...allScopes],
      withheld: [],
      renewable: true,
      replaced: 'none',
    });
    const other = connect();
    const bearer = await other.bearer();
    expect(await call(provider, bearer.token.reveal())).toBe(200);
    expect(bearer).toMatchObject({ subject: 'mira', scopes: [...allScopes] });
    expect(await other.status()).toMatchObject({
      state: 'connected',
      service: provider.baseUrl,
      user: 'default',
      subject: 'mira',
      renewable: true,
      secrets: { kind: 'file' },
    });
  });

  it('names the clock where it is hours behind', async () => {
    const hour = 3_600_000;
    const claims = { nbf: Math.floor((Date.now() + 10 * hour) / 1000) };
    const headers = { date: new Date(Date.now() + 11 * hour).toUTCString() };
    provider.faults.push({ kind: 'amend', fields: {}, claims, headers });
    expect(await codeOf(signInAt(provider, connect()))).toBe('clock_wrong');
    expect(provider.living()).toBe(0);
  });

  it.each([
    ['iss', { kind: 'amend', fields: {}, claims: { iss: 'https://elsewhere.example' } }, 'identity_mismatch'],
    [
      'a nonce that is missing',
      { kind: 'amend', fields: {}, claims: { nonce: undefined } },
      'identity_mismatch',
    ],
    ['exp', { kind: 'amend', fields: {}, claims: { exp: 1 } }, 'identity_mismatch'],
    ['access_token', { kind: 'amend', fields: { access_token: 'two\nlines' } }, 'bad_response'],
  ] as const)('refuses a wrong answer (%s), and revokes what it brought', async (_what, fault, code) => {
    provider.faults.push(fault);
    const connections = connect();
    expect(await codeOf(signInAt(provider, connections))).toBe(code);
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    expect(provider.living()).toBe(0);
  });

  it.each([
    [{ kind: 'refuse', status: 400, body: { error: 'invalid_grant' } }, 'invalid_grant'],
    [{ kind: 'refuse', status: 429, body: 'slow down' }, 'rate_limited'],
    [{ kind: 'refuse', status: 503, body: {} }, 'service_unavailable'],
    [{ kind: 'refuse', status: 302, body: {}, headers: { location: '/elsewhere' } }, 'bad_response'],
    [{ kind: 'cut', when: 'body' }, 'network'],
  ] as const)('tells a refused or lost exchange by its code: %j', async (fault, code) => {
    provider.faults.push(fault);
    expect(await codeOf(signInAt(provider, connect()))).toBe(code);
    expect(provider.requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
  });

  it('refuses a callback of another issuer before it sends the code', async () => {
    const signIn = await connect().signIn({ scopes: allScopes });
    const callback = provider.approve(signIn.url);
    callback.searchParams.set('iss', 'https://elsewhere.example');
    await signIn.paste(callback.href);
    expect(await codeOf(signIn.done)).toBe('identity_mismatch');
    expect(provider.requests.some(({ path }) => path.endsWith('/token'))).toBe(false);
  });
});

describe('a pasted callback', () => {
  it('counts for its own sign-in only, and once; wrong ones leave it waiting', async () => {
    const connections = connect({ redirectUri: 'https://app.example/callback?from=artwork&x=1' });
    const first = await connections.signIn({ scopes: allScopes });
    const second = await connections.signIn({ scopes: allScopes });
    const callback = provider.approve(first.url);
    expect(await codeOf(first.paste('abc'))).toBe('not_the_callback');
    expect(await codeOf(first.paste('https://app.example/callback?from=artwork&x=1'))).toBe(
      'not_the_callback',
    );
    expect(await codeOf(first.paste(callback.href.replace('x=1', 'x=2')))).toBe('not_the_callback');
    expect(await codeOf(first.paste(callback.href.replace('app.example', 'evil.example')))).toBe(
      'not_the_callback',
    );
    expect(await codeOf(second.paste(callback.href))).toBe('state_unknown');
    const stateless = new URL(callback);
    stateless.searchParams.delete('state');
    expect(await codeOf(first.paste(stateless.href))).toBe('not_the_callback');
    const codeless = new URL(callback);
    codeless.searchParams.delete('code');
    expect(await codeOf(first.paste(codeless.href))).toBe('not_the_callback');

    await first.paste(` ${callback.href}\n`);
    await first.done;
    expect(await codeOf(first.paste(callback.href))).toBe('state_used');
    expect(tokenRequest().form.get('redirect_uri')).toBe('https://app.example/callback?from=artwork&x=1');

    await second.paste(provider.approve(second.url).href);
    expect(await second.done).toMatchObject({ replaced: 'revoked' });
  });
});

describe('a connection that exists', () => {
  const paths = () => provider.requests.map(({ path }) => path.split('/').at(-1));

  it('is revoked once the code is there, before it is exchanged, and forgotten', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    const signIn = await connections.signIn({ scopes: allScopes, listen: false });
    expect(paths()).not.toContain('revoke');
    expect(await call(provider, (await connections.bearer()).token.reveal())).toBe(200);
    await signIn.paste(provider.approve(signIn.url, 'noor').href);
    expect(await signIn.done).toMatchObject({ subject: 'noor', replaced: 'revoked' });
    const order = paths().filter((path) => path === 'revoke' || path === 'token');
    expect(order).toEqual(['token', 'revoke', 'token']);
    expect(provider.living()).toBe(1);
    expect((await connections.bearer()).subject).toBe('noor');
  });

  it('is only forgotten where its token may have been used, which could count as theft', async () => {
    const connections = connect();
    provider.script.toldSeconds = 0;
    await signInAt(provider, connections);
    provider.faults.push({ kind: 'cut', when: 'body' });
    await connections.bearer();
    provider.script.toldSeconds = 600;
    expect(await signInAt(provider, connections)).toMatchObject({ replaced: 'forgotten' });
    expect(paths()).not.toContain('revoke');
    expect(await call(provider, (await connections.bearer()).token.reveal())).toBe(200);
  });

  it('stays where a person declines, and is gone where the exchange fails', async () => {
    const connections = connect();
    await signInAt(provider, connections);
    const declined = await connections.signIn({ scopes: allScopes, listen: false });
    await declined.paste(provider.decline(declined.url).href);
    expect(await codeOf(declined.done)).toBe('access_denied');
    expect(await connections.status()).toMatchObject({ state: 'connected' });
    provider.faults.push({ kind: 'refuse', status: 400, body: { error: 'invalid_grant' } });
    expect(await codeOf(signInAt(provider, connections))).toBe('invalid_grant');
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
  });
});

describe('the account’s name', () => {
  const named = (claims: Record<string, unknown>) =>
    ({ kind: 'amend', fields: {}, claims: { name: undefined, ...claims } }) as const;

  it.each([
    [{ preferred_username: 'lantern' }, 'lantern'],
    [{ name: '\u001b\u202e\u0000', email: 'mira@example.test' }, 'mira@example.test'],
    [{ name: `\u001b]0;owned\u0007${'x'.repeat(5000)}` }, `]0;owned${'x'.repeat(92)}`],
  ])('comes from the id_token: %j', async (claims, account) => {
    provider.faults.push(named(claims));
    expect(await signInAt(provider, connect())).toMatchObject({ subject: 'mira', account });
  });

  it('is nothing that quotes the access token, which userinfo was asked with', async () => {
    const accessToken = `userinfo/token+0123456789${'x'.repeat(200)}==`;
    const granted = { kind: 'amend', fields: { access_token: accessToken, id_token: undefined } } as const;
    const spelled = encodeURIComponent(accessToken);
    provider.script.userInfo = {
      status: 200,
      body: { sub: 'mira', name: `Bearer ${spelled}`, email: 'm@x' },
    };
    provider.faults.push(granted);
    expect(await signInAt(provider, connect())).toMatchObject({ subject: 'mira', account: 'm@x' });
    provider.script.userInfo = { status: 200, body: { sub: accessToken, name: 'Mira' } };
    provider.faults.push(granted);
    const again = await signInAt(provider, connect());
    expect(again).toMatchObject({ subject: null, account: null });
  });

  it.each([
    ['a failure', { status: 500, body: {} }],
    ['another account', { status: 200, body: { sub: 'noor', name: 'Noor' } }],
    [
      'another origin, which gets no token',
      { status: 200, body: { sub: 'mira', name: 'x' }, at: 'https://userinfo.example/me' },
    ],
  ])('stays unknown, and the sign-in succeeds, where userinfo answers with %s', async (_what, userInfo) => {
    provider.script.userInfo = userInfo;
    provider.faults.push(named({}));
    expect(await signInAt(provider, connect())).toMatchObject({ subject: 'mira', account: null });
  });
});

describe('the loopback callback', () => {
  it('is listened for at exactly its address', async () => {
    const host = 'localhost';
    const port = await freePort();
    const redirectUri = `http://${host}:${port}/callback?from=artwork`;
    const connections = connect({ redirectUri });
    const signIn = await connections.signIn({ scopes: allScopes });
    expect(signIn.listening).toBe(true);
    const callback = provider.approve(signIn.url);
    const status = async (url: string, init: RequestInit = {}) => {
      const response = await fetch(url, { redirect: 'manual', ...init });
      await response.body?.cancel();
      return response.status;
    };
    const base = `http://${host}:${port}`;
    expect(await status(`${base}/`)).toBe(404);
    expect(await status(`${base}/callback`)).toBe(404);
    expect(await status(redirectUri)).toBe(404);
    expect(await status(callback.href.replace('/callback', '/callback/'))).toBe(404);
    expect(await status(callback.href.replace('from=artwork', 'from=elsewhere'))).toBe(404);
    expect(await status(callback.href, { method: 'POST' })).toBe(405);
    expect(await status(callback.href, { method: 'HEAD' })).toBe(405);

    const page = await fetch(callback.href);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Connected');
    await signIn.done;
    expect(tokenRequest().form.get('redirect_uri')).toBe(redirectUri);
    await connections.close();
    await expect(fetch(redirectUri)).rejects.toThrow();
  });

  it('answers no other name than its own, which another site could make point here', async () => {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const signIn = await connect({ redirectUri }).signIn({ scopes: allScopes });
    const callback = provider.approve(signIn.url);
    const asked = new URL(callback);
    asked.hostname = 'localhost';
    await expect(fetch(asked).then(({ status }) => status)).resolves.toBe(404);
    expect((await fetch(callback)).status).toBe(200);
  });

  it('ends at a page with security headers that holds nothing of the callback, nor does its address', async () => {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const signIn = await connect({ redirectUri }).signIn({ scopes: allScopes });
    const callback = provider.approve(signIn.url);
    const page = await fetch(callback);
    const headers = Object.fromEntries(page.headers);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const seen = page.url + JSON.stringify(headers) + (await page.text());
    for (const name of ['code', 'state']) {
      const secret = callback.searchParams.get(name) ?? '';
      expect(secret).not.toBe('');
      expect(seen).not.toContain(secret);
    }
  });

  it('is a clear error where its port is taken, and free again afterwards', async () => {
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    const first = connect({ redirectUri });
    const second = connect({ redirectUri });
    const signIn = await first.signIn({ scopes: allScopes });
    expect(await codeOf(second.signIn({ scopes: allScopes }))).toBe('sign_in_waits');
    const pasted = await second.signIn({ scopes: allScopes, listen: false });
    expect(pasted.listening).toBe(false);
    await pasted.paste(provider.approve(pasted.url).href);
    await pasted.done;
    signIn.cancel();
    await first.close();
    expect((await second.signIn({ scopes: allScopes })).listening).toBe(true);
  });
});
