import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allScopes } from '../../src/settings.ts';
import { liveThrough } from '../connection/life.ts';
import { call, codeOf, connectTo, openHome, testClock } from '../connection/setup.ts';

const redirectUri = 'http://127.0.0.1:43999/callback';

/** The server, a person's browser at it, and their connection. */
async function start(grants: 'own-grants' | 'one-grant') {
  const program = fileURLToPath(new URL('oidc-provider.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, redirectUri, grants], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [origin = '']: string[] = await once(createInterface({ input: child.stdout }), 'line');
  const [home, clock] = [await openHome(), testClock()];
  const connections = connectTo({ baseUrl: origin, authUrl: origin }, home, { clock, redirectUri });
  onTestFinished(async () => {
    await connections.close();
    await home.remove();
    child.stdin.end();
  });
  const cookies = new Map<string, string>();
  const approve = async (url: URL): Promise<URL> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { 'x-person': 'mira', cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = new URL(response.headers.get('location') ?? '', url);
    return next.origin === origin ? approve(next) : next;
  };
  const ask = async (name: 'living' | 'presentedTwice' | 'loseRenewal' | 'endThere'): Promise<unknown> =>
    (await fetch(`${origin}/control/${name}`)).json();
  const signIn = async (scopes: readonly string[] = allScopes) => {
    const begun = await connections.signIn({ scopes, listen: false });
    await begun.paste((await approve(new URL(begun.url))).href);
    return begun.done;
  };
  const taken = async () => call({ baseUrl: origin }, (await connections.bearer()).token.reveal());
  return { baseUrl: origin, connections, clock, signIn, taken, ask };
}

describe('at oidc-provider', { timeout: 300_000 }, () => {
  it('a connection lives', async () => {
    const { ask, ...server } = await start('own-grants');
    const [loseRenewal, endThere, living] = [
      () => ask('loseRenewal'),
      () => ask('endThere'),
      () => ask('living'),
    ];
    await liveThrough({ ...server, lifetimeMs: 3_600_000, loseRenewal, endThere, living });
    expect(await ask('presentedTwice')).toBe(0);
  });

  it.each([
    [['sets:write', 'offline_access'], { subject: null, permissions: [] }, true],
    [['openid', 'sets:write'], { subject: 'mira', permissions: [] }, false],
  ] as const)('takes a sign-in for %j alone', async (scopes, signedIn, renewable) => {
    const { connections, signIn, taken } = await start('own-grants');
    expect(await signIn(scopes)).toMatchObject(signedIn);
    expect(await connections.status()).toMatchObject({
      scopes: expect.arrayContaining([...scopes]),
      renewable,
    });
    expect(await taken()).toBe(200);
  });

  it('where a person has one grant for an app, a sign-in over another ends both, and the next one lives', async () => {
    const { connections, signIn, taken, ask } = await start('one-grant');
    await signIn();
    expect(await codeOf(signIn())).toBe('invalid_grant');
    expect(await connections.status()).toMatchObject({ state: 'reconnect_required', reason: 'replaced' });
    await signIn();
    expect(await taken()).toBe(200);
    expect(await ask('living')).toBe(1);
  });
});
