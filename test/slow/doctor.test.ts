import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type Household, startHousehold } from '../support/account.ts';
import { freePort } from '../support/free-port.ts';
import { initialize, startRawServer } from '../support/raw-server.ts';
import { runCli, typed } from '../support/run-cli.ts';
import { isSlowRun } from '../support/share.ts';
import { startConnect } from '../support/start-connect.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: Household;
let app: Record<string, string>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A data directory of its own, and the household's catalogue as a service that was configured. */
let env: Record<string, string>;

beforeAll(async () => {
  household = await startHousehold();
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  app = await household.register({ type: 'public', redirectUri, scopes: allScopes });
});

beforeEach(async () => {
  folder = await temporaryFolder();
  env = { ...app, ARTWORK_HOME: path.join(folder.path, 'home'), ARTWORK_BASE_URL: household.baseUrl };
});

afterEach(() => folder.remove());
afterAll(() => household.remove());

const report = z.object({
  checks: z.array(
    z.object({ name: z.string(), outcome: z.string(), found: z.string(), mend: z.string().optional() }),
  ),
});

/** What the doctor finds ill, by the name of the check; it exits with 1 exactly where there is something. */
async function ills(settings = env): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], settings);
  const { checks } = report.parse(JSON.parse(stdout));
  const ill = checks.filter(({ outcome }) => outcome !== 'well');
  expect({ code, stderr }).toEqual({ code: ill.length === 0 ? 0 : 1, stderr: '' });
  for (const { mend } of ill) expect(mend).toMatch(/\w.{10}/);
  return Object.fromEntries(ill.map(({ name, found, mend }) => [name, `${found} ${mend}`]));
}

async function connect(): Promise<void> {
  const connecting = startConnect(env);
  await fetch(await household.agree(await connecting.url()));
  expect(await connecting.end()).toMatchObject({ code: 0 });
}

describe('doctor', () => {
  it('finds that the key is gone with which all is sealed', async () => {
    await connect();
    expect(await ills()).toEqual({});
    const home = path.join(folder.path, 'home');
    const [key] = (await readdir(home)).filter((name) => name.startsWith('key-'));
    const file = path.join(home, key ?? '');
    await rename(file, `${file}.away`);
    expect(await ills()).toMatchObject({ store: expect.stringContaining(file) });
    if (!isSlowRun()) return;
    await writeFile(file, Buffer.alloc(32, 1).toString('base64url'), { mode: 0o600 });
    expect(await ills()).toMatchObject({ store: expect.stringContaining('is not the one that sealed') });
    await rename(`${file}.away`, file);
    expect(await ills()).toEqual({});
  });

  it('finds that no sign-in is possible without a registered app, unless no tool needs one', async () => {
    const { ARTWORK_CLIENT_ID: _, ...without } = env;
    expect(await ills(without)).toEqual({ account: expect.stringContaining('ARTWORK_CLIENT_ID') });
    expect(await ills({ ...without, ARTWORK_TOOLSETS: 'catalogue' })).toEqual({});
  });

  it('names the app of an embedded catalogue that is given as a service, and no other one', async () => {
    const { ARTWORK_CLIENT_ID: _, ARTWORK_REDIRECT_URI: __, ...without } = env;
    const words = 'ARTWORK_CLIENT_ID=artwork-mcp';
    expect(await ills(without)).toMatchObject({ account: expect.stringContaining(words) });
    expect(await runCli(['connect'], without)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(words),
    });
    const other = createHttpServer((_, response) => response.end('{"baseUrl":1}')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('It has no port.');
    const elsewhere = { ...without, ARTWORK_BASE_URL: `http://127.0.0.1:${address.port}` };
    const { stdout } = await runCli(['doctor'], elsewhere);
    expect(stdout).toContain("registers an app in the account's Apps area");
    expect(stdout).not.toContain(words);
    other.close();
  });

  it('names a broken store once', async () => {
    await runCli(['status'], env);
    const store = path.join(folder.path, 'home', 'store.db');
    await writeFile(store, Buffer.alloc(8_192, 7));
    expect(await ills()).toEqual({ store: expect.stringContaining(`${store} is damaged`) });
    const { stdout } = await runCli(['doctor'], env);
    expect(stdout.split('is damaged')).toHaveLength(2);
    expect(stdout).toMatch(/^ok {4}account +not looked at: the store has to be mended first$/m);
  });

  it('takes the port of the callback for well while a sign-in of ours waits there, and for no other', async () => {
    const connecting = startConnect(env);
    const url = await connecting.url();
    expect(await ills()).toEqual({});
    await fetch(await household.agree(url));
    await connecting.end();
    const { port } = new URL(app.ARTWORK_REDIRECT_URI ?? '');
    const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nserver: other\r\n\r\n'));
    other.listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    expect(await ills()).toEqual({ redirect: expect.stringContaining(port) });
    other.close();
  });

  it('claims of what listens at the callback only what that says of itself', async () => {
    const claiming = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nserver: artwork-mcp\r\n\r\n'));
    claiming.listen(Number(new URL(app.ARTWORK_REDIRECT_URI ?? '').port), '127.0.0.1');
    await once(claiming, 'listening');
    const { checks } = report.parse(JSON.parse((await runCli(['doctor', '--json'], env)).stdout));
    claiming.close();
    expect(checks.find(({ name }) => name === 'redirect')?.found).toContain(
      'says it is a sign-in of artwork-mcp',
    );
  });

  it('waits for no client secret from a pipe', async () => {
    const pipe = path.join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const secret = { ARTWORK_CLIENT_SECRET_FILE: pipe, ARTWORK_REDIRECT_URI: 'https://app.example/callback' };
    expect(await ills({ ...env, ...secret })).toEqual({
      settings: expect.stringMatching(/^ARTWORK_CLIENT_SECRET_FILE must name a regular file\. .*chmod 600/),
    });
  });

  it('goes on with the other checks where the file of the secret can not be read', async () => {
    await connect();
    const secret = {
      ARTWORK_CLIENT_SECRET_FILE: path.join(folder.path, 'absent'),
      ARTWORK_REDIRECT_URI: 'https://app.example/callback',
    };
    const { code, stdout, stderr } = await runCli(['doctor'], { ...env, ...secret });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe("FAIL  settings  ARTWORK_CLIENT_SECRET_FILE can't be read (ENOENT).");
    expect(lines[1]).toMatch(/^ +next: Make the file readable for this user alone/);
    for (const name of ['service', 'clock', 'store', 'downloads', 'account', 'redirect'])
      expect(stdout).toMatch(new RegExp(`^(ok  |FAIL)  ${name} `, 'm'));
    expect(stdout).toContain(`then run ${typed} doctor again.\n`);
  });

  it('names the next step of each finding, as status does, and nothing of it to programs', async () => {
    const fields = async (command: string) => JSON.parse((await runCli([command, '--json'], env)).stdout);
    const words = `Reading the catalogue needs no account. To sign in: ${typed} connect`;
    expect((await runCli(['doctor'], env)).stdout).toContain(`                next: ${words}\n`);
    const before = await runCli(['status'], env);
    expect(before.stdout).toContain(`\nNext          ${words}\n`);
    expect(before.stdout).toMatch(/^State +User "default" is not connected\.$/m);
    expect((await runCli(['status', '--user', 'mia lane'], env)).stdout).toContain(
      'connect --user "mia lane"\n',
    );
    const told = Object.keys(await fields('status')).sort();
    await connect();
    expect((await runCli(['status'], env)).stdout).not.toContain('Next');
    expect(Object.keys(await fields('status')).sort()).toEqual(told);
    for (const check of (await fields('doctor')).checks)
      expect(Object.keys(check)).toEqual(['name', 'outcome', 'found']);
    await runCli(['disconnect'], env);
  });
});

describe('a folder of ARTWORK_UPLOAD_ROOTS', () => {
  const starts = async (roots: string, args: readonly string[] = []) => {
    const server = await startRawServer({ ...env, ARTWORK_UPLOAD_ROOTS: roots }, args);
    server.send(initialize);
    await server.answer(1);
    server.process.stdin.end();
    await server.exit();
    await server.remove();
    return server.stderr();
  };

  it('that is not there, or can not be read, is told in one line at the start, which goes on', async () => {
    const absent = path.join(folder.path, 'disk', 'artwork');
    const loop = path.join(folder.path, 'loop');
    await symlink(loop, loop);
    const roots = [absent, folder.path, loop].join(path.delimiter);
    const said = await starts(roots);
    expect(said).toMatch(/^artwork-mcp warn: ARTWORK_UPLOAD_ROOTS: [^\n]+\n$/);
    expect(said).toContain(`${absent} does not exist, ${loop} can't be read (ELOOP)`);
    expect(said).not.toContain(`${folder.path} `);
    const settings = { ...env, ARTWORK_UPLOAD_ROOTS: roots };
    expect(await ills(settings)).toEqual({ settings: expect.stringContaining(absent) });
    // A disk that is plugged in later.
    await mkdir(absent, { recursive: true });
    await rm(loop);
    await mkdir(loop);
    expect(await starts(roots)).toBe('');
    expect(await ills(settings)).toEqual({});
  });

  it('may be a word of the command, from where it is started, and takes the place of the setting', async () => {
    const said = await starts('/nowhere/at/all', ['serve', 'no such folder', folder.path]);
    expect(said).toContain(`: ${path.resolve('no such folder')} does not exist. `);
  });

  it('is no empty word of the command, and none that a host left unfilled: the setting counts then', async () => {
    const words = ['serve', '', '$'.concat('{user_config.folder}')];
    const absent = path.join(folder.path, 'unplugged');
    expect(await starts(absent, words)).toContain(`: ${absent} does not exist. `);
    expect(await starts('', [...words, absent])).toContain(`: ${absent} does not exist. `);
    const server = await startRawServer(env, words);
    server.send(initialize);
    const items = [{ file: path.resolve('package.json') }];
    server.send({ id: 2, method: 'tools/call', params: { name: 'view_artwork', arguments: { items } } });
    expect(JSON.stringify((await server.answer(2)).result)).toContain('No folder is open for uploads');
    server.process.kill('SIGKILL');
    await server.exit();
    await server.remove();
  });

  it('that is a file stops the start, also where it is a word of the command', async () => {
    const file = path.join(folder.path, 'poster.png');
    await writeFile(file, '');
    const settings = { ...env, ARTWORK_UPLOAD_ROOTS: file };
    for (const [args, given] of [
      [['serve'], settings],
      [['serve', file], env],
    ] as const) {
      const { code, stdout, stderr } = await runCli(args, given);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^artwork-mcp: ARTWORK_UPLOAD_ROOTS must name folders: [^\n]+\n$/);
      expect(stderr).toContain(file);
    }
    expect(await ills(settings)).toEqual({ settings: expect.stringContaining(file) });
  });
});
