import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type Household, startHousehold } from '../support/account.ts';
import { freePort } from '../support/free-port.ts';
import { initialize, startRawServer } from '../support/raw-server.ts';
import { runCli, startConnect } from '../support/run-cli.ts';
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
  it('names the proxy whose address has no scheme', async () => {
    const proxied = {
      ...env,
      ARTWORK_BASE_URL: 'https://catalogue.invalid',
      HTTPS_PROXY: 'proxy.invalid:3128',
    };
    expect((await ills(proxied)).service).toContain('HTTPS_PROXY');
  });

  it('finds that the key is gone with which all is sealed', async () => {
    await connect();
    expect(await ills()).toEqual({});
    const home = path.join(folder.path, 'home');
    const [key] = (await readdir(home)).filter((name) => name.startsWith('key-'));
    const file = path.join(home, key ?? '');
    await rename(file, `${file}.away`);
    expect(await ills()).toMatchObject({ store: expect.stringContaining(file) });
    await writeFile(file, Buffer.alloc(32, 1).toString('base64url'), { mode: 0o600 });
    expect(await ills()).toMatchObject({ store: expect.stringMatching(/key/) });
    await rename(`${file}.away`, file);
    expect(await ills()).toEqual({});
  });

  it('names a broken store once', async () => {
    await runCli(['status'], env);
    const store = path.join(folder.path, 'home', 'store.db');
    await writeFile(store, Buffer.alloc(8_192, 7));
    expect(await ills()).toEqual({ store: expect.stringContaining(store) });
    const { stdout } = await runCli(['doctor'], env);
    expect(stdout.split(`${store} `)).toHaveLength(2);
  });

  it('waits for no client secret from a pipe', async () => {
    const pipe = path.join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const secret = { ARTWORK_CLIENT_SECRET_FILE: pipe, ARTWORK_REDIRECT_URI: 'https://app.example/callback' };
    expect(await ills({ ...env, ...secret })).toEqual({
      settings: expect.stringMatching(/^ARTWORK_CLIENT_SECRET_FILE .*chmod 600/),
    });
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

  it('that is not there, or can not be read, is told in a line at the start, which goes on', async () => {
    const absent = path.join(folder.path, 'disk', 'artwork');
    const loop = path.join(folder.path, 'loop');
    await symlink(loop, loop);
    const roots = [absent, folder.path, loop].join(path.delimiter);
    const said = await starts(roots);
    expect(said).toMatch(/^(artwork-mcp warn: ARTWORK_UPLOAD_ROOTS: [^\n]+\n){2}$/);
    expect(said).toContain(`${absent} `);
    expect(said).toMatch(/loop [^\n]*ELOOP/);
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
      expect(stderr).toMatch(/^artwork-mcp: ARTWORK_UPLOAD_ROOTS [^\n]+\n$/);
      expect(stderr).toContain(file);
    }
    expect(await ills(settings)).toEqual({ settings: expect.stringContaining(file) });
  });
});
