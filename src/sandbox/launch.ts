import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, openDataFolder } from './data-folder.ts';
import { logFile } from './log.ts';
import { ownApp } from './oauth/registration.ts';
import { builtEntry, type DetachedProcess, startDetached } from './process/detach.ts';
import { ensureIdentity, storedIdentity } from './process/identity.ts';
import { ensurePort, portTaken, storedPort } from './process/port.ts';
import { probePort, requestStop } from './process/probe.ts';
import type { RunOptions } from './process/run.ts';
import { SandboxError } from './sandbox-error.ts';

export { dataFolder } from './data-folder.ts';
export { isUsablePort, unusablePort } from './process/port.ts';

/** An embedded catalogue that answers. */
export interface RunningSandbox {
  /** `{base_url}` of the interface document, without a trailing slash. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly port: number;
  readonly pid: number;
  /** The app for a person's sign-in that needs no registration. */
  readonly clientId: string;
}

interface LaunchOptions {
  /** The data directory (`ARTWORK_HOME`); the catalogue has its own folder in it. */
  readonly home: string;
  /** Ends the wait, not the catalogue. */
  readonly signal?: AbortSignal | undefined;
  /** How many seconds without use end a catalogue that is started here. */
  readonly idleSeconds?: number;
  /** Enables fault injection at `/.sandbox/faults` in a catalogue that is started here. */
  readonly faults?: boolean;
  /** The built program; default: the one beside this program. */
  readonly entry?: string;
}

const pauseMs = 50;
const startLimitMs = 60_000;
/** How long the holder of the port may be silent: a new catalogue answers only after it is filled. */
const silenceLimitMs = 30_000;
const defaultIdleSeconds = 900;
/** Longer than draining can take. */
const stopLimitMs = 45_000;

/**
 * Joins the running catalogue of a data directory, or starts one: detached, at the stored port, with its
 * output in a log in its data folder. Resolves when it answers. One catalogue runs however many callers ask
 * at once.
 * @throws SandboxError in one line: a folder that can't be used, a port that another program holds, or the
 *   last line of the log of a catalogue that failed to start.
 */
export async function ensureSandbox(options: LaunchOptions): Promise<RunningSandbox> {
  const { signal } = options;
  const dataDir = dataFolder(options.home);
  await openDataFolder(dataDir);
  const identity = await ensureIdentity(dataDir);
  const port = await ensurePort(dataDir);
  const start = () =>
    startDetached(dataDir, {
      entry: options.entry ?? builtEntry(),
      idleSeconds: options.idleSeconds ?? defaultIdleSeconds,
      faults: options.faults ?? false,
    });
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  let started: DetachedProcess | null = null;
  for (;;) {
    const probe = await probePort(port, identity, { join: true, signal });
    switch (probe.kind) {
      case 'verified':
        if (probe.hello.state !== 'ready') break;
        started?.killUnless(probe.hello.pid);
        return {
          baseUrl: probe.hello.baseUrl,
          dataDir,
          port,
          pid: probe.hello.pid,
          clientId: ownApp.clientId,
        };
      case 'foreign':
        throw new SandboxError(portTaken(dataDir, port, probe.holder));
      case 'closed':
        await throwIfFailed(dataDir, started);
        // A process that exited cleanly had found another catalogue, which has ended since.
        if (started === null || started.exit() !== null) started = await start();
        break;
      case 'silent':
        await throwIfFailed(dataDir, started);
        break;
    }
    const now = performance.now();
    if (probe.kind !== 'silent' || (started !== null && started.exit() === null)) lastAnswerAt = now;
    if (now - lastAnswerAt > silenceLimitMs) {
      throw new SandboxError(portTaken(dataDir, port, 'a program that does not answer'));
    }
    if (now - startedAt > startLimitMs) throw new SandboxError(notReady(dataDir, port));
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}

/**
 * Asks the running catalogue of a data directory to drain and end, and waits until its port is free.
 * @returns whether one was running.
 * @throws SandboxError when it does not end.
 */
export async function stopSandbox({ home }: { readonly home: string }): Promise<boolean> {
  const dataDir = dataFolder(home);
  const identity = await storedIdentity(dataDir);
  const port = await storedPort(dataDir);
  if (identity === null || port === null) return false;
  const startedAt = performance.now();
  let stoppedInstance: string | null = null;
  for (;;) {
    const probe = await probePort(port, identity);
    if (probe.kind === 'closed' || probe.kind === 'foreign') return stoppedInstance !== null;
    if (probe.kind === 'verified') {
      const { instance } = probe.hello;
      // Another process has started the catalogue again, and it is not this caller's to stop.
      if (stoppedInstance !== null && stoppedInstance !== instance) return true;
      if (stoppedInstance === null && (await requestStop(port, identity, probe.hello)))
        stoppedInstance = instance;
    }
    if (performance.now() - startedAt > stopLimitMs) {
      throw new SandboxError(
        `The embedded catalogue at port ${port} did not end. Its log: ${logFile(dataDir)}`,
      );
    }
    await sleep(pauseMs);
  }
}

/**
 * Runs the catalogue of a data folder in this process until a signal, a stop request or idleness ends it.
 * @returns `joined` when one runs already (reported through `say`), else `ended`.
 */
export async function runInForeground(options: RunOptions): Promise<'ended' | 'joined'> {
  // Imported only here: other callers never run the catalogue in their own process.
  const { runSandbox } = await import('./process/run.ts');
  return runSandbox(options);
}

async function throwIfFailed(dataDir: string, started: DetachedProcess | null): Promise<void> {
  const ending = started?.exit() ?? null;
  if (started === null || ending === null || ending.clean) return;
  const reason = (await started.lastLogLine()) ?? `it said nothing (${ending.how})`;
  throw new SandboxError(`The embedded catalogue did not start: ${reason} Its log: ${logFile(dataDir)}`);
}

function notReady(dataDir: string, port: number): string {
  return `The embedded catalogue is still not ready at port ${port}. Try again soon; its log: ${logFile(dataDir)}`;
}
