import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFolder, ensureSandbox, type RunningSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { ensureIdentity } from '../../src/sandbox/process/identity.ts';
import { portFile } from '../../src/sandbox/process/port.ts';
import { probePort } from '../../src/sandbox/process/probe.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { fillFolder } from '../support/filled.ts';
import { isRunning } from '../support/is-running.ts';
import { startSandbox } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

const patience = { timeout: 100_000, interval: 20 };
let built: Bundle;
/** Two data directories: some tests compare two catalogues. */
let homes: Awaited<ReturnType<typeof temporaryFolder>>[];
beforeAll(async () => {
  built = await bundle({ sandbox: 'test/support/slow-sandbox.ts' });
});
afterAll(() => built.remove());
beforeEach(async () => {
  homes = [await temporaryFolder(), await temporaryFolder()];
  for (const home of homes) await fillFolder(dataFolder(home.path));
});
afterEach(async () => {
  for (const home of homes) {
    await stopSandbox({ home: home.path });
    await home.remove();
  }
});

function ensure(idleSeconds: number, which: 0 | 1 = 0): Promise<RunningSandbox> {
  const home = homes[which]?.path ?? '';
  return ensureSandbox({ home, entry: built.program('sandbox'), idleSeconds });
}

/** Begins something on a catalogue that would end soon; one that ended before is started again. */
async function begin(request: {
  method: string;
  path: string;
}): Promise<{ busy: RunningSandbox; answer: Response }> {
  return vi.waitFor(async () => {
    const busy = await ensure(0.5);
    return { busy, answer: await fetch(busy.baseUrl + request.path, { method: request.method }) };
  }, patience);
}

function release(dataDir: string): Promise<void> {
  return writeFile(path.join(dataDir, 'release'), '');
}

function log({ dataDir }: RunningSandbox): Promise<string> {
  return readFile(path.join(dataDir, 'log'), 'utf8');
}

function ended({ pid }: RunningSandbox): Promise<void> {
  return vi.waitFor(() => expect(isRunning(pid)).toBe(false), patience);
}

describe('an unused catalogue', () => {
  it('ends, and the next server starts it again at the same place', async () => {
    const first = await ensure(0.2);
    await ended(first);
    expect(await log(first)).toContain('ends: it was not used for 0.2 seconds');
    const second = await ensure(60);
    expect(second).toEqual({ ...first, pid: second.pid });
  });

  it.each([
    { method: 'GET', path: '/slow', body: 'whole' },
    { method: 'POST', path: '/work', body: '' },
  ])('does not end before what $method $path began has ended', async (request) => {
    const { busy, answer } = await begin(request);
    // This one's whole idle time passes while the other one is busy.
    const idle = await ensure(0.5, 1);
    await ended(idle);
    expect(isRunning(busy.pid)).toBe(true);
    await release(busy.dataDir);
    expect(await answer.text()).toBe(request.body);
    await ended(busy);
    expect(await log(busy)).toContain('ends: it was not used for 0.5 seconds');
  });

  it('is kept running by servers that join it', async () => {
    const first = await ensure(4);
    const unjoined: { pid: number | null } = { pid: null };
    const starting = ensure(4, 1).then(({ pid }) => {
      unjoined.pid = pid;
    });
    // As long as the other one takes to start, and to end unused.
    while (unjoined.pid === null || isRunning(unjoined.pid)) {
      expect((await ensure(4)).pid).toBe(first.pid);
      await sleep(100);
    }
    await starting;
  });

  it('is not kept running by a probe', async () => {
    const running = await ensure(0.5);
    const identity = await ensureIdentity(running.dataDir);
    await vi.waitFor(async () => {
      expect(await probePort(running.port, identity)).toEqual({ kind: 'closed' });
    }, patience);
  });

  it('ends when its folder has another port, since no launcher would look for it at the old one', async () => {
    const { busy: running } = await begin({ method: 'POST', path: '/work' });
    await rm(portFile(running.dataDir));
    await vi.waitFor(async () => {
      expect(await log(running)).toContain('ends: its data folder has another port, or is gone');
    }, patience);
    await release(running.dataDir);
    await ended(running);
  });
});

describe('a catalogue that ends', () => {
  it('finishes what was asked, refuses what is new, and is followed by another on its port', async () => {
    const first = await ensure(60);
    const identity = await ensureIdentity(first.dataDir);
    const answer = await fetch(`${first.baseUrl}/slow`);
    const stopped = stopSandbox({ home: homes[0]?.path ?? '' });
    await vi.waitFor(async () => {
      const probe = await probePort(first.port, identity);
      expect(probe).toMatchObject({ kind: 'verified', hello: { pid: first.pid, state: 'draining' } });
    }, patience);
    const refused = await fetch(`${first.baseUrl}/shows/1`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ data: null, error: { code: 'ending' } });
    const next = ensure(60);
    await release(first.dataDir);
    expect(await answer.text()).toBe('whole');
    expect(await stopped).toBe(true);
    const second = await next;
    expect(second).toEqual({ ...first, pid: second.pid });
    expect(second.pid).not.toBe(first.pid);
    await ended(first);
  });

  // Windows has no such signals: there it is stopped by its launchers.
  const signals = process.platform === 'win32' ? [] : (['SIGTERM', 'SIGINT', 'SIGHUP'] as const);
  it.each(signals)('by %s, even twice, finishes and exits with 0', async (signal) => {
    const sandbox = await startSandbox({ program: built.program('sandbox') });
    const answer = await fetch(`${sandbox.baseUrl}/slow`);
    await fetch(`${sandbox.baseUrl}/work`, { method: 'POST' });
    process.kill(sandbox.pid, signal);
    await vi.waitFor(() => expect(sandbox.printed()).toContain(`ends: it received ${signal}`), patience);
    process.kill(sandbox.pid, signal);
    await vi.waitFor(async () => expect((await fetch(sandbox.baseUrl)).status).toBe(503), patience);
    await release(sandbox.dataDir);
    expect(await answer.text()).toBe('whole');
    expect(await sandbox.stop()).toBe(0);
  });
});
