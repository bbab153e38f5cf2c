import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueMounts } from '../../src/sandbox/mounts.ts';
import { helloPath, proofHeader, stopPath } from '../../src/sandbox/process/handshake.ts';
import { ensureIdentity, type FolderIdentity } from '../../src/sandbox/process/identity.ts';
import { createRequestGuard, type RequestGuard } from '../../src/sandbox/process/request-guard.ts';
import { publicRoutes } from '../../src/sandbox/public/routes.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import type { ServerContext } from '../../src/sandbox/server-context.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sandbox: Sandbox;
let identity: FolderIdentity;
let guard: RequestGuard;
let context: ServerContext;
let stopped = false;
beforeAll(async () => {
  folder = await temporaryFolder();
  identity = await ensureIdentity(folder.path);
  guard = createRequestGuard(identity, () => {
    stopped = true;
  });
  const learn = (given: ServerContext) => {
    context = given;
    return () => false;
  };
  sandbox = await serveSandbox({
    dataDir: folder.path,
    port: 0,
    basePath: '/v1',
    mounts: [guard.mount, learn, ...catalogueMounts({ faults: true })],
  });
});
afterAll(async () => {
  await sandbox.close();
  await folder.remove();
});

const nonce = '0'.repeat(64);

/** Every path that there is, with a value for each name. */
function paths(): string[] {
  const reads = publicRoutes(context).map(({ path }) => path.replace(/\{\w+\}/g, '1'));
  const me = ['', '/assets', '/assets/x/metadata', '/groups', '/relationships', '/set-uploads', '/sets/1'];
  const auth = ['authorize', 'token', 'revoke'].map((name) => `/api/auth/oauth2/${name}`);
  const known = ['/api/auth/jwks', '/api/auth/.well-known/openid-configuration'];
  const pages = [
    '',
    '/apps',
    '/apps/new',
    '/sign-in',
    '/sign-in/choice',
    '/sign-out',
    '/style.css',
    '/icon.svg',
  ];
  return [
    ...[
      '/',
      '/nowhere',
      helloPath,
      `${helloPath}?nonce=${nonce}&join=1`,
      `${helloPath}?nonce=${nonce}&join=1&keep=1`,
    ],
    ...[stopPath, '/.sandbox/faults', '/.sandbox/requests', '/.sandbox/effects'],
    ...pages.map((page) => `/account${page}`),
    ...[...auth, ...known].flatMap((path) => [path, `/v1${path}`]),
    ...me.map((path) => `/v1/me${path}`),
    ...reads.map((path) => (path.startsWith('/images') ? path : `/v1${path}`)),
    ...reads,
  ];
}

/** By node's own client: fetch lets nobody set what only a browser may say. */
function send(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port: sandbox.port, method, path, headers, agent: false })
      .on('response', (response) => {
        let body = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (body += chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body }))
          .on('error', reject);
      })
      .on('error', reject)
      .end(method === 'POST' ? 'a=b' : undefined);
  });
}

/** Whether what was done counted as use. */
async function counts(work: () => Promise<unknown>): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  const start = performance.now();
  await work();
  const idle = guard.idleMs();
  return idle <= performance.now() - start;
}

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: '*/*' };
/** What the page of another site, or of another port of this machine, can make the browser send. */
const foreign: readonly (readonly [what: string, method: string, headers: Record<string, string>])[] = [
  [
    'an image',
    'GET',
    { ...browser, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ],
  [
    'an image of another port',
    'GET',
    { ...browser, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ],
  [
    'a frame',
    'GET',
    { ...browser, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ],
  [
    'a fetch',
    'GET',
    { ...browser, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  ],
  [
    'a form',
    'POST',
    {
      ...browser,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'content-type': 'application/x-www-form-urlencoded',
    },
  ],
  [
    'a form of a page without an origin',
    'POST',
    { ...browser, origin: 'null', 'sec-fetch-site': 'cross-site' },
  ],
  [
    'a preflight',
    'OPTIONS',
    { ...browser, origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  ],
  ['a form of a browser that tells no site', 'POST', { ...browser, origin: 'http://127.0.0.1:1' }],
];

describe('a page from elsewhere', () => {
  it.each(foreign)(
    'is refused on every path, and keeps nothing awake: %s',
    async (_what, method, headers) => {
      for (const path of paths()) {
        let status = 0;
        const counted = await counts(async () => {
          ({ status } = await send(method, path, { host: `127.0.0.1:${sandbox.port}`, ...headers }));
        });
        expect([path, status, counted]).toEqual([path, 403, false]);
      }
      expect(stopped).toBe(false);
    },
  );

  it.each([
    [
      'as browsers say',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['by a browser that tells no site', {}],
  ])('may lead a person here, which keeps nothing awake, %s', async (_what, headers) => {
    for (const path of paths()) {
      const counted = await counts(() =>
        send('GET', path, { host: `127.0.0.1:${sandbox.port}`, ...browser, accept: 'text/html', ...headers }),
      );
      expect([path, counted]).toEqual([path, false]);
    }
  });

  it('keeps nothing awake by what the page loads that it has led to', async () => {
    const headers = {
      ...browser,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'style',
    };
    const host = `127.0.0.1:${sandbox.port}`;
    expect(await counts(() => send('GET', '/account/style.css', { host, ...headers }))).toBe(false);
  });
});

describe('what counts as use', () => {
  const host = () => `127.0.0.1:${sandbox.port}`;
  it.each([
    ['a program', {}],
    [
      'a person who types the address',
      { ...browser, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    [
      'a page of the catalogue',
      {
        ...browser,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    ],
  ])('is what %s reads', async (_what, headers) => {
    expect(await counts(() => send('GET', '/v1/episodes', { host: host(), ...headers }))).toBe(true);
  });

  it('is a join with the proof of the data folder, and none without', async () => {
    const join = (headers: Record<string, string>) =>
      counts(() => send('GET', `${helloPath}?nonce=${nonce}&join=1`, { host: host(), ...headers }));
    expect(await join({})).toBe(false);
    expect(await join({ [proofHeader]: identity.prove('join', ['1'.repeat(64)]) })).toBe(false);
    expect(await join({ [proofHeader]: identity.prove('hello', [nonce]) })).toBe(false);
    expect(await join({ [proofHeader]: identity.prove('join', [nonce]) })).toBe(true);
  });
});

describe('a refusal below /me', () => {
  it.each([
    ['another Host', { host: 'evil.example' }, 421, 'misdirected_request'],
    ['a page from elsewhere', { origin: 'https://evil.example' }, 403, 'foreign_page'],
  ])('has the body of protected errors: %s', async (_what, headers, status, code) => {
    const host = `127.0.0.1:${sandbox.port}`;
    const below = await send('GET', '/v1/me/sets/1', { host, ...headers });
    expect(below.status).toBe(status);
    expect(JSON.parse(below.body)).toEqual({
      error: { code, message: expect.any(String), details: {}, issues: [] },
    });
    const above = await send('GET', '/v1/episodes', { host, ...headers });
    expect(JSON.parse(above.body)).toEqual({ data: null, error: { code, message: expect.any(String) } });
  });

  it('has it while the catalogue drains, too', async () => {
    guard.drain();
    const host = `127.0.0.1:${sandbox.port}`;
    const below = await send('GET', '/v1/me/sets/1', { host });
    expect([below.status, JSON.parse(below.body)]).toEqual([
      503,
      { error: { code: 'ending', message: expect.any(String), details: {}, issues: [] } },
    ]);
    expect(JSON.parse((await send('GET', '/v1/episodes', { host })).body)).toMatchObject({ data: null });
  });
});
