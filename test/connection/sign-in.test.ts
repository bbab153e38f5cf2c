import { describe, expect, it } from 'vitest';
import { allScopes } from '../../src/settings.ts';
import { freePort } from '../support/free-port.ts';
import { call, codeOf, eachInItsWorld } from './setup.ts';

const world = eachInItsWorld({ basePath: '/v1' });
const { connect, signIn } = world;

const requests = (end: string) => world.provider.requests.filter(({ path }) => path.endsWith(end));
const loopback = async () => `http://127.0.0.1:${await freePort()}/callback`;

describe('signing in', () => {
  it('asks for what the interface document shows, at its paths, whatever the metadata says', async () => {
    const redirectUri = 'https://app.example/signed%20in?from=artwork&x=a%2Fb';
    const connections = connect({ redirectUri });
    const begun = await connections.signIn({ scopes: ['openid', 'assets:write'] });
    const url = new URL(begun.url);
    expect(url.origin + url.pathname).toBe(`${world.provider.authUrl}/api/auth/oauth2/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: redirectUri,
      resource: `${world.provider.baseUrl}/me`,
      scope: 'openid assets:write',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      prompt: 'consent',
    });
    expect(world.provider.requests).toEqual([]);
    await begun.paste(world.provider.approve(begun.url).href);
    await begun.done;
    const [{ form, headers } = { form: new URLSearchParams(), headers: {} }] = requests('/token');
    const names = ['client_id', 'code', 'code_verifier', 'grant_type', 'redirect_uri', 'resource'];
    expect([...form.keys()].sort()).toEqual(names);
    expect(form.get('redirect_uri')).toBe(redirectUri);
    expect([headers.authorization, headers.cookie]).toEqual([undefined, undefined]);
  });

  it('sends no nonce without openid', async () => {
    const { url } = await connect().signIn({ scopes: ['assets:write'] });
    expect(new URL(url).searchParams.has('nonce')).toBe(false);
  });

  it('authenticates a confidential client with Basic, its id in the form all the same', async () => {
    world.provider.script.secret = 'correct-horse';
    await signIn(connect({ secret: 'correct-horse' }));
    const [{ form, headers } = { form: new URLSearchParams(), headers: {} }] = requests('/token');
    expect([form.get('client_id'), form.has('client_secret')]).toEqual(['app', false]);
    expect(headers.authorization).toBe(`Basic ${Buffer.from('app:correct%2Dhorse').toString('base64')}`);
  });

  it('stores a connection that another process can use, and tells what was not granted', async () => {
    world.provider.faults.push({
      kind: 'amend',
      fields: { scope: 'assets:write next_steps' },
      claims: { name: '\u001b\u202e', email: `mira@example.test${'x'.repeat(500)}` },
    });
    const signedIn = await signIn(connect());
    expect(signedIn.account).toBe(`mira@example.test${'x'.repeat(83)}`);
    expect(signedIn).toMatchObject({ subject: 'mira', leftOne: false });
    // What shows itself by its effect was granted: an account's id, and a refresh token.
    const granted = ['assets:write', 'openid', 'offline_access', 'profile'];
    const withheld = allScopes.filter((scope) => !granted.includes(scope));
    const other = connect();
    expect(await other.status()).toMatchObject({ state: 'connected', scopes: granted, withheld });
    expect(await call(world.provider, (await other.bearer()).token.reveal())).toBe(200);
    const ofAnotherApp = connect({ clientId: 'other' }).bearer();
    await expect(ofAnotherApp).rejects.toMatchObject({ details: { reason: 'another_app' } });
  });

  it.each([
    [{ kind: 'refuse', status: 400, body: { error: 'invalid_grant' } }, 'invalid_grant'],
    [{ kind: 'refuse', status: 503, body: {} }, 'service_unavailable'],
    [{ kind: 'refuse', status: 302, body: {}, headers: { location: '/elsewhere' } }, 'bad_response'],
    [{ kind: 'cut', when: 'body' }, 'network'],
    [{ kind: 'amend', fields: { access_token: 'two\nlines' } }, 'identity_mismatch'],
    [{ kind: 'amend', fields: { token_type: 'DPoP' } }, 'identity_mismatch'],
    [{ kind: 'amend', fields: {}, claims: { iss: 'https://elsewhere.example' } }, 'identity_mismatch'],
    [{ kind: 'amend', fields: {}, claims: { nonce: 'another' } }, 'identity_mismatch'],
    [{ kind: 'amend', fields: {}, claims: { exp: 1 } }, 'identity_mismatch'],
    [{ kind: 'amend', fields: {}, claims: { aud: 'another app' } }, 'identity_mismatch'],
  ] as const)('stores nothing where the exchange is refused, lost or wrong: %j', async (fault, code) => {
    world.provider.faults.push(fault);
    const connections = connect();
    expect(await codeOf(signIn(connections))).toBe(code);
    expect(await connections.status()).toMatchObject({ state: 'not_connected' });
    expect(requests('/token')).toHaveLength(1);
  });

  it.each([
    ['our own service', (origin: string) => `${origin}/userinfo`, 'Mira'],
    ['our own service, which fails', (origin: string) => `${origin}/nowhere`, null],
    ['another origin, which gets no token', () => 'http://localhost:1/userinfo', null],
  ])('asks for the name at %s', async (_what, at, account) => {
    world.provider.script.userinfo = at(world.provider.authUrl);
    world.provider.faults.push({ kind: 'amend', fields: {}, claims: { name: undefined } });
    expect(await signIn(connect())).toMatchObject({ subject: 'mira', account });
  });

  it('refuses a callback of another issuer before it sends the code', async () => {
    const begun = await connect().signIn({ scopes: allScopes });
    const callback = world.provider.approve(begun.url);
    callback.searchParams.set('iss', 'https://elsewhere.example');
    await begun.paste(callback.href);
    expect(await codeOf(begun.done)).toBe('identity_mismatch');
    expect(requests('/token')).toEqual([]);
  });
});

describe('a pasted callback', () => {
  it('counts for its own sign-in only, and once; wrong ones leave it waiting', async () => {
    const redirectUri = 'https://app.example/callback?x=1';
    const begun = await connect({ redirectUri }).signIn({ scopes: allScopes });
    const { href } = world.provider.approve(begun.url);
    const without = (name: string) => {
      const url = new URL(href);
      url.searchParams.delete(name);
      return url.href;
    };
    const wrong = ['abc', redirectUri, href.replace('x=1', 'x=2'), href.replace('app.', 'evil.')];
    const twice = `${href}&state=${new URL(href).searchParams.get('state')}`;
    for (const text of [...wrong, without('code'), without('state'), twice]) {
      expect(await codeOf(begun.paste(text))).toBe('not_the_callback');
    }
    expect(await codeOf(begun.paste(href.replace(/state=../, 'state=--')))).toBe('state_unknown');
    await begun.paste(` ${href}\n`);
    await begun.done;
    await begun.paste(href);
    expect(requests('/token')).toHaveLength(1);
  });

  it('comes too late after ten minutes, and after a newer sign-in was begun', async () => {
    const connections = connect({ signInMs: 100 });
    const first = await connections.signIn({ scopes: allScopes });
    expect(await codeOf(first.done)).toBe('sign_in_expired');
    const second = await connections.signIn({ scopes: allScopes });
    const third = await connections.signIn({ scopes: allScopes });
    expect(await codeOf(second.done)).toBe('sign_in_cancelled');
    for (const late of [first, second]) await late.paste(world.provider.approve(late.url).href);
    expect(requests('/token')).toEqual([]);
    await third.cancel();
  });
});

describe('a connection that exists', () => {
  it('is revoked once the code is there, before it is exchanged', async () => {
    const connections = connect();
    await signIn(connections);
    const begun = await connections.signIn({ scopes: allScopes });
    expect(await call(world.provider, (await connections.bearer()).token.reveal())).toBe(200);
    await begun.paste(world.provider.approve(begun.url, 'noor').href);
    expect(await begun.done).toMatchObject({ subject: 'noor', leftOne: false });
    const order = world.provider.requests.map(({ path }) => path.split('/').at(-1));
    expect(order.filter((end) => end === 'revoke' || end === 'token')).toEqual(['token', 'revoke', 'token']);
    expect(world.provider.living()).toBe(1);
    expect((await connect().bearer()).subject).toBe('noor');
  });

  it('stays where a person declines, or where nothing can be sent; a failed exchange ends it', async () => {
    const connections = connect();
    await signIn(connections);
    const declined = await connections.signIn({ scopes: allScopes });
    await declined.paste(world.provider.decline(declined.url).href);
    expect(await codeOf(declined.done)).toBe('access_denied');
    const unsent = await connections.signIn({ scopes: allScopes });
    await world.provider.pause();
    await unsent.paste(world.provider.approve(unsent.url).href);
    expect(await codeOf(unsent.done)).toBe('network');
    await world.provider.resume();
    expect((await connect().onUnauthorized(await connections.bearer())).generation).toBe(2);
    world.provider.faults.push({ kind: 'refuse', status: 400, body: { error: 'invalid_grant' } });
    expect(await codeOf(signIn(connections))).toBe('invalid_grant');
    expect(await connections.status()).toMatchObject({ state: 'reconnect_required', reason: 'replaced' });
  });

  it('has an address for a new sign-in at once, though its renewal is stuck', async () => {
    const connections = connect();
    await signIn(connections);
    let answer = () => {};
    world.provider.faults.push({ kind: 'slow', until: new Promise<void>((resolve) => (answer = resolve)) });
    const renewing = connections.onUnauthorized(await connections.bearer());
    while (world.provider.seen.presented === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const begun = await connect().signIn({ scopes: allScopes });
    expect(new URL(begun.url).pathname).toBe('/api/auth/oauth2/authorize');
    answer();
    expect((await renewing).generation).toBe(2);
  });
});

describe('the loopback callback', () => {
  it('is listened for at exactly its address, and ends at a page of one line', async () => {
    const port = await freePort();
    const redirectUri = `http://localhost:${port}/callback?from=artwork`;
    const begun = await connect({ redirectUri }).signIn({ scopes: allScopes });
    expect(begun.listening).toBe(true);
    const { href } = world.provider.approve(begun.url);
    const status = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status;
    const base = `http://localhost:${port}`;
    const elsewhere = [`${base}/`, `${base}/callback`, redirectUri, href.replace('/callback', '/callback/')];
    for (const url of [...elsewhere, href.replace('from=artwork', 'from=elsewhere')]) {
      expect(await status(url)).toBe(404);
    }
    expect(await status(href, { method: 'POST' })).toBe(404);
    // Another site could make a name of its own point here.
    expect(await status(href.replace('localhost', '127.0.0.1')).catch(() => 404)).toBe(404);
    const forged = href.replace(/state=../, 'state=--').replace(/code=[^&]*/, 'code=stolen');
    expect(await status(forged)).toBe(400);
    expect(requests('/token')).toEqual([]);

    const page = await fetch(href);
    expect(page.status).toBe(200);
    const { code = '', state = '' } = Object.fromEntries(new URL(href).searchParams);
    const text = await page.text();
    expect([text.includes(code), text.includes(state), text.match(/<p>/g)?.length]).toEqual([
      false,
      false,
      1,
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    await begun.done;
    await begun.cancel();
    await expect(fetch(redirectUri)).rejects.toThrow();
    expect(requests('/token')).toHaveLength(1);
  });

  it('of two at once counts once', async () => {
    const begun = await connect({ redirectUri: await loopback() }).signIn({ scopes: allScopes });
    const { href } = world.provider.approve(begun.url);
    const pages = await Promise.all([fetch(href), fetch(href), fetch(href)]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(requests('/token')).toHaveLength(1);
  });

  it('has one listener for a port: another host is told who waits', async () => {
    const redirectUri = await loopback();
    const first = await connect({ redirectUri }).signIn({ scopes: allScopes });
    const other = connect({ redirectUri });
    const error = await other.signIn({ scopes: allScopes }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ failure: 'conflict', code: 'sign_in_waits' });
    expect(String(error)).toContain(String(process.pid));
    await first.cancel();
    const second = await other.signIn({ scopes: allScopes });
    expect((await fetch(world.provider.approve(second.url))).status).toBe(200);
    await second.done;
  });

  it('stays open for the browser, whoever knocks, and for a page that nobody fetches no longer', async () => {
    const redirectUri = await loopback();
    const connections = connect({ redirectUri });
    const begun = await connections.signIn({ scopes: allScopes });
    await Promise.all(Array.from({ length: 50 }, () => fetch(redirectUri).then(({ status }) => status)));
    const huge = await fetch(`${redirectUri}?state=${'x'.repeat(100_000)}`).then(({ status }) => status);
    expect(huge).toBe(431);
    expect((await fetch(world.provider.approve(begun.url))).status).toBe(200);
    await begun.done;
  });
});
