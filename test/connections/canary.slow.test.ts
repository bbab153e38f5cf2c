import { mkdir, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secret } from '../../src/connections/grant.ts';
import { allScopes } from '../../src/settings.ts';
import { freePort } from '../support/free-port.ts';
import { type Fault, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { connectTo, type Home, openHome, testClock } from './setup.ts';

/** In no name of a file, a function or a test. */
const mark = 'q7zmark';
const clientSecret = `${mark}-client-secret`;

let home: Home;
let provider: ScriptedProvider;

beforeEach(async () => {
  home = await openHome();
  provider = await startScriptedProvider({ mark, secret: clientSecret, toldSeconds: 0 });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await provider.close();
  await home.remove();
});

/** Whatever a host, a log or a crash could show of a value. */
function shown(value: unknown): string {
  const parts = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    inspect(value, { depth: Infinity, customInspect: false }),
    JSON.stringify(value),
    String(value),
  ];
  for (let error = value; error instanceof Error; error = error.cause) {
    parts.push(error.message, error.stack ?? '', JSON.stringify(Object.entries(error)));
  }
  return parts.join('\n');
}

/** The bytes of every file below a folder, as text. */
async function contents(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')),
  );
  return texts.join('\n');
}

/** Every secret that went over the wire, beside those that bear the mark. */
function sent(): string[] {
  const fields = ['code', 'code_verifier', 'refresh_token', 'token'];
  const found = provider.requests.flatMap(({ form }) => fields.flatMap((name) => form.getAll(name)));
  const basic = provider.requests.map(({ headers }) => headers.authorization?.replace('Basic ', '') ?? '');
  return [mark, ...found, ...basic].filter((secret) => secret !== '');
}

const faults: Fault[] = [
  { kind: 'echo', status: 400 },
  { kind: 'echo', status: 401 },
  { kind: 'echo', status: 500 },
  { kind: 'echo', status: 200 },
  { kind: 'cut', when: 'body' },
  { kind: 'amend', fields: { access_token: `${mark}-access\n` } },
  { kind: 'amend', fields: { id_token: `${mark}.id.token` } },
  { kind: 'amend', fields: {}, claims: { nonce: `${mark}-nonce`, iss: `${mark}-issuer` } },
  { kind: 'amend', fields: {}, claims: { sub: 'noor' } },
  { kind: 'answer', status: 400, body: '{"error":"invalid_grant"}' },
];

it('nothing secret is ever shown, logged or written down', async () => {
  // A folder for temporary files that no other test has.
  const temporary = path.join(home.path, 'temporary');
  await mkdir(temporary);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary);
  expect(tmpdir()).toBe(temporary);
  const seen: unknown[] = [];
  const attempt = async (what: Promise<unknown>) => {
    seen.push(await what.catch((error: unknown) => error));
  };
  const clock = testClock();
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const listening = connectTo(provider, home, { clock, redirectUri, secret: clientSecret });
  const connections = connectTo(provider, home, { clock, secret: clientSecret });
  const pages: string[] = [];
  const signIn = async () => {
    const begun = await connections.signIn({ scopes: allScopes, replace: true });
    seen.push(begun);
    await begun.paste(provider.approve(begun.url).href);
    await attempt(begun.done);
  };

  for (const fault of [null, ...faults]) {
    // At the sign-in, in the browser and pasted; then at a renewal.
    if (fault !== null) provider.faults.push(fault);
    const begun = await listening.signIn({ scopes: allScopes, replace: true });
    seen.push(begun, listening);
    const page = await fetch(provider.approve(begun.url));
    pages.push(page.url, await page.text(), JSON.stringify([...page.headers]));
    await attempt(begun.done);
    if (fault !== null) provider.faults.push(fault);
    await signIn();
    await signIn();
    clock.pass(10_000);
    if (fault !== null) provider.faults.push(fault);
    await attempt(connections.bearer());
    await attempt(connections.status());
    await attempt(connections.account());
    provider.script.revocation = fault === null ? null : { kind: 'echo', status: 400 };
    await attempt(connections.disconnect());
    provider.script.revocation = null;
  }
  await attempt(connections.bearer());
  await Promise.all([listening.close(), connections.close()]);

  const bearers = seen.filter((one) => typeof one === 'object' && one !== null && 'token' in one);
  expect(bearers.length).toBeGreaterThan(0);
  const text = [...seen.map(shown), ...home.logged, ...pages].join('\n');
  const stored = await contents(home.path);
  expect(stored.length).toBeGreaterThan(10_000);
  expect(await readdir(temporary)).toEqual([]);
  const secrets = sent();
  expect(secrets.length).toBeGreaterThan(100);
  for (const secret of new Set(secrets)) {
    expect(text.includes(secret), 'shown or logged').toBe(false);
    expect(stored.includes(secret), 'stored in clear').toBe(false);
  }
});

it('a secret is only given out where it is asked for', () => {
  const secret = new Secret('canary');
  expect(`${shown({ secret, list: [secret] })}${secret}`).not.toContain('canary');
  expect(secret.reveal()).toBe('canary');
});
