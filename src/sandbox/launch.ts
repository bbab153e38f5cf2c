import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, openFolder } from './folder.ts';
import { ownApp } from './oauth/own-app.ts';
import { builtEntry, type Detached, startDetached } from './process/detach.ts';
import { askToStop, greet } from './process/greet.ts';
import { settleIdentity, storedIdentity } from './process/identity.ts';
import { logFile } from './process/log-file.ts';
import { occupied, settlePort, storedPort } from './process/port.ts';
import type { RunOptions } from './process/run.ts';
import { SandboxError } from './sandbox-error.ts';

export { dataFolder } from './folder.ts';
export { isUsablePort, unusablePort } from './process/port.ts';
export { SandboxError } from './sandbox-error.ts';

/** An embedded catalogue that answers. */
export interface RunningSandbox {
  /** `{base_url}` of the interface document, without a trailing slash. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly port: number;
  readonly pid: number;
  /** The app by which whoever runs it signs in; nobody has to register one. */
  readonly clientId: string;
}

interface LaunchOptions {
  /** The data directory (`ARTWORK_HOME`); the catalogue has a folder of its own in it. */
  readonly home: string;
  /** Ends the waiting, not the catalogue. */
  readonly signal?: AbortSignal | undefined;
  /** After how many seconds without use a catalogue that is started here ends. */
  readonly idleSeconds?: number;
  /** Lets it be told to fail, at `/.sandbox/faults`; only one that is started here. */
  readonly faults?: boolean;
  /** The built program, where it is not beside this one. */
  readonly entry?: string;
}

const pauseMs = 50;
const startLimitMs = 60_000;
/** How long the holder of the port may be silent: one that just starts answers only when it is filled. */
const silenceLimitMs = 30_000;
const defaultIdleSeconds = 900;
/** Draining is limited to less than this. */
const stopLimitMs = 45_000;

/**
 * Joins the running catalogue of a data directory, or starts it: one at the same port as ever, detached,
 * with its output in a log in its data folder. Resolves when it answers. However many ask at once, one
 * catalogue runs. One of an earlier version, which can't prove itself on each connection, is replaced.
 * @throws SandboxError in one line: a folder that can't be used, a port that somebody else holds, or the
 * last line of the log of a catalogue that ended while it started.
 */
export async function ensureSandbox(options: LaunchOptions): Promise<RunningSandbox> {
  const { signal } = options;
  const dataDir = dataFolder(options.home);
  await openFolder(dataDir);
  const identity = await settleIdentity(dataDir);
  const port = await settlePort(dataDir);
  const start = () =>
    startDetached(dataDir, {
      entry: options.entry ?? builtEntry(),
      idleSeconds: options.idleSeconds ?? defaultIdleSeconds,
      faults: options.faults ?? false,
    });
  const since = performance.now();
  let heard = since;
  let started: Detached | null = null;
  for (;;) {
    const greeting = await greet(port, identity, { join: true, signal });
    switch (greeting.kind) {
      case 'ours':
        if (greeting.hello.state !== 'ready') break;
        if (greeting.older) {
          await askToStop(port, identity, greeting.hello);
          break;
        }
        started?.endUnless(greeting.hello.pid);
        return {
          baseUrl: greeting.hello.baseUrl,
          dataDir,
          port,
          pid: greeting.hello.pid,
          clientId: ownApp.clientId,
        };
      case 'stranger':
        throw new SandboxError(occupied(dataDir, port, greeting.who));
      case 'nobody':
        await throwIfFailed(dataDir, started);
        // One that ended well had found another, which is gone by now.
        if (started === null || started.ended() !== null) started = await start();
        break;
      case 'silent':
        await throwIfFailed(dataDir, started);
        break;
    }
    const now = performance.now();
    if (greeting.kind !== 'silent' || (started !== null && started.ended() === null)) heard = now;
    if (now - heard > silenceLimitMs) {
      throw new SandboxError(occupied(dataDir, port, 'a program that does not answer'));
    }
    if (now - since > startLimitMs) throw new SandboxError(notReady(dataDir, port));
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}

/**
 * Has the running catalogue of a data directory drain and end, and waits until its port is free.
 * @returns whether there was one.
 * @throws SandboxError when it doesn't end.
 */
export async function stopSandbox({ home }: { readonly home: string }): Promise<boolean> {
  const dataDir = dataFolder(home);
  const identity = await storedIdentity(dataDir);
  const port = await storedPort(dataDir);
  if (identity === null || port === null) return false;
  const since = performance.now();
  let asked: string | null = null;
  for (;;) {
    const greeting = await greet(port, identity);
    if (greeting.kind === 'nobody' || greeting.kind === 'stranger') return asked !== null;
    if (greeting.kind === 'ours') {
      const { instance } = greeting.hello;
      // Another one in its place: somebody started it anew, which is theirs to stop.
      if (asked !== null && asked !== instance) return true;
      if (asked === null && (await askToStop(port, identity, greeting.hello))) asked = instance;
    }
    if (performance.now() - since > stopLimitMs) {
      throw new SandboxError(
        `The embedded catalogue at port ${port} did not end. Its log: ${logFile(dataDir)}`,
      );
    }
    await sleep(pauseMs);
  }
}

/**
 * Runs the catalogue of a data folder in this process until a signal, a stop or idleness ends it.
 * @returns `joined` when one runs already (said through `say`), else `ended`.
 */
export async function runInForeground(options: RunOptions): Promise<'ended' | 'joined'> {
  // Only here: nothing else needs the catalogue itself in its own process.
  const { runSandbox } = await import('./process/run.ts');
  return runSandbox(options);
}

async function throwIfFailed(dataDir: string, started: Detached | null): Promise<void> {
  const ending = started?.ended() ?? null;
  if (started === null || ending === null || ending.well) return;
  const words = (await started.lastWords()) ?? `it said nothing (${ending.how})`;
  throw new SandboxError(`The embedded catalogue did not start: ${words} Its log: ${logFile(dataDir)}`);
}

function notReady(dataDir: string, port: number): string {
  return `The embedded catalogue is still not ready at port ${port}. Try again soon; its log: ${logFile(dataDir)}`;
}
