import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFolder, ensureSandbox, type RunningSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { openDatabase } from '../../src/sandbox/store/database.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { fillFolder } from '../support/filled.ts';
import { isRunning } from '../support/is-running.ts';
import { temporaryFolder } from '../support/temporary.ts';

const patience = { timeout: 100_000, interval: 20 };
let built: Bundle;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  built = await bundle({ sandbox: 'src/sandbox/main.ts', launcher: 'test/support/launcher.ts' });
});
afterAll(() => built.remove());
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await stopSandbox({ home: folder.path });
  await folder.remove();
});

async function ensure(options: { signal?: AbortSignal } = {}): Promise<RunningSandbox> {
  await fillFolder(dataFolder(folder.path));
  return ensureSandbox({ home: folder.path, entry: built.program('sandbox'), idleSeconds: 60, ...options });
}

function log(home = folder.path): Promise<string> {
  return readFile(path.join(dataFolder(home), 'log'), 'utf8');
}

/** A server that has loaded, and goes for the catalogue when it is told to. */
async function launcher(home: string) {
  const child = spawn(process.execPath, [built.program('launcher'), home], { stdio: 'pipe' });
  const [output, complaints] = [text(child.stdout), text(child.stderr)];
  const closed = once(child, 'close');
  await once(child.stdout, 'readable');
  return async (): Promise<RunningSandbox> => {
    child.stdin.end('go\n');
    await closed;
    expect({ code: child.exitCode, complaints: await complaints }).toEqual({ code: 0, complaints: '' });
    return JSON.parse((await output).replace('loaded\n', ''));
  };
}

async function launchTogether(count: number, home: string): Promise<RunningSandbox> {
  const launchers = await Promise.all(Array.from({ length: count }, () => launcher(home)));
  const found = await Promise.all(launchers.map((go) => go()));
  const [first] = found;
  expect(found).toEqual(found.map(() => first));
  if (first === undefined) throw new Error('No launcher ran.');
  // The other processes have found the first one, and have ended.
  await vi.waitFor(async () => {
    const started = new Set([...(await log(home)).matchAll(/ \[(\d+)\] /g)].map((match) => Number(match[1])));
    expect([...started].filter(isRunning)).toEqual([first.pid]);
  }, patience);
  expect((await log(home)).match(/ answers at /g)).toHaveLength(1);
  return first;
}

describe('servers that need the catalogue at the same moment', () => {
  it.each(Array.from({ length: 10 }, (_, index) => index + 1))('share one: two of them, %i', async () => {
    await fillFolder(dataFolder(folder.path));
    const shared = await launchTogether(2, folder.path);
    expect((await fetch(`${shared.baseUrl}/shows/999999999`)).status).toBe(404);
  });

  it('share one, that one of them fills: eight of them', async () => {
    await launchTogether(8, folder.path);
  });
});

describe('a server that needs the catalogue', () => {
  it('joins the one that runs', async () => {
    const first = await ensure();
    expect(await ensure()).toEqual(first);
    expect(first.baseUrl).toBe(`http://127.0.0.1:${first.port}`);
    expect(first.dataDir).toBe(dataFolder(folder.path));
  });

  it('is neither kept alive by it nor shares its stdout with it', async () => {
    const go = await launcher(folder.path);
    // Resolves only when the launcher has ended and every writer of its stdout and stderr is gone.
    const running = await go();
    expect(isRunning(running.pid)).toBe(true);
  });

  it('finds it on the same port, with its data, after it was killed', async () => {
    const first = await ensure();
    const leave = openDatabase(first.dataDir, () => {});
    leave.execute("CREATE TABLE left_behind (word TEXT); INSERT INTO left_behind VALUES ('kept')");
    leave.close();
    const before = await (await fetch(`${first.baseUrl}/categories/1`)).json();
    process.kill(first.pid, 'SIGKILL');
    await vi.waitFor(() => expect(isRunning(first.pid)).toBe(false), patience);
    const second = await ensure();
    expect(second).toEqual({ ...first, pid: second.pid });
    expect(second.pid).not.toBe(first.pid);
    expect(await (await fetch(`${second.baseUrl}/categories/1`)).json()).toEqual(before);
    const find = openDatabase(second.dataDir, () => {});
    expect(find.first('SELECT word FROM left_behind')?.text('word')).toBe('kept');
    find.close();
  });

  it('ends the one that it started itself when another was faster', async () => {
    const dataDir = dataFolder(folder.path);
    const late = path.join(folder.path, 'late.mjs');
    await writeFile(
      late,
      "import { writeFileSync } from 'node:fs'; writeFileSync('late', process.pid + ' '); setTimeout(() => {}, 60000);",
    );
    const joining = ensureSandbox({ home: folder.path, entry: late });
    const pid = await vi.waitFor(async () => {
      const written = await readFile(path.join(dataDir, 'late'), 'utf8');
      expect(written).toContain(' ');
      return Number(written);
    }, patience);
    expect(isRunning(pid)).toBe(true);
    const faster = await ensure();
    expect(await joining).toEqual(faster);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), patience);
    expect(isRunning(faster.pid)).toBe(true);
  });

  it('gives up waiting when its call is cancelled', async () => {
    const holder = createServer(() => {});
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    if (address === null || typeof address === 'string') throw new Error('No port.');
    await ensure();
    await stopSandbox({ home: folder.path });
    await writeFile(path.join(dataFolder(folder.path), 'port'), `${address.port}\n`);
    const cancel = new AbortController();
    holder.once('connection', () => cancel.abort());
    await expect(ensure({ signal: cancel.signal })).rejects.toThrow(/abort/i);
    holder.close();
  });
});

describe('a catalogue that cannot start', () => {
  async function dying(source: string): Promise<string> {
    const entry = path.join(folder.path, 'dying.mjs');
    await writeFile(entry, source);
    const failure = await ensureSandbox({ home: folder.path, entry }).catch((error: unknown) => error);
    if (!(failure instanceof Error)) throw new Error('It started.');
    return failure.message;
  }

  it('is reported with its last words, not with those of an earlier one', async () => {
    await expect(
      dying("console.error('first'); console.error('The disk is full.'); process.exit(3)"),
    ).resolves.toMatch(/^The embedded catalogue did not start: The disk is full\. Its log: [^\n]*log$/);
    await expect(dying('process.exit(4)')).resolves.toMatch(/did not start: it said nothing \(exit code 4\)/);
  });

  it('has nothing of its starter: no secret, not even by another name', async () => {
    vi.stubEnv('ARTWORK_CLIENT_SECRET', 'one-secret');
    vi.stubEnv('SOME_TOKEN', 'another-secret');
    vi.stubEnv('TZ', 'UTC');
    await dying(
      "import { writeFileSync } from 'node:fs'; writeFileSync('seen', JSON.stringify(process.env)); process.exit(1)",
    );
    vi.unstubAllEnvs();
    const seen = await readFile(path.join(dataFolder(folder.path), 'seen'), 'utf8');
    expect(JSON.parse(seen)).toMatchObject({ TZ: 'UTC' });
    expect(seen).not.toContain('secret');
  });

  it('names the folder where that is the reason', async () => {
    const dataDir = dataFolder(folder.path);
    await writeFile(dataDir, 'in the way');
    await expect(ensure()).rejects.toThrow(`${dataDir} is not a folder. Make it a folder that you can write`);
    await expect(ensureSandbox({ home: dataDir })).rejects.toThrow("can't be written (ENOTDIR)");
  });
});

describe('the log of a catalogue', () => {
  it('is emptied before it grows without end, and is for its owner alone', async () => {
    const { dataDir } = await ensure();
    await stopSandbox({ home: folder.path });
    await writeFile(path.join(dataDir, 'log'), 'old line\n'.repeat(200_000), { mode: 0o644 });
    await ensure();
    // It answers before it says so.
    await vi.waitFor(async () => {
      expect(await log()).toMatch(/^\S+ \[\d+\] The embedded catalogue answers at [^\n]*\n$/);
    }, patience);
    if (process.platform !== 'win32')
      expect((await stat(path.join(dataDir, 'log'))).mode & 0o777).toBe(0o600);
  });
});

describe('stopping', () => {
  it('is no work where none runs, or ever ran', async () => {
    expect(await stopSandbox({ home: folder.path })).toBe(false);
    await ensure();
    expect(await stopSandbox({ home: folder.path })).toBe(true);
    expect(await stopSandbox({ home: folder.path })).toBe(false);
  });

  it('leaves no process and a free port', async () => {
    const { pid, port } = await ensure();
    expect(await stopSandbox({ home: folder.path })).toBe(true);
    const holder = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
    await once(holder, 'listening');
    holder.close();
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), patience);
    expect(await log()).toContain('ends: it was asked to stop');
  });
});
