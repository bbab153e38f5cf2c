import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolder } from '../folder.ts';
import type { CatalogueParts } from '../mounts.ts';
import type { Mount } from '../premises.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import type { Sandbox, SandboxOptions } from '../serve.ts';
import { createGate } from './gate.ts';
import { greet } from './greet.ts';
import type { Hello } from './handshake.ts';
import { type Identity, settleIdentity } from './identity.ts';
import { keepHouse } from './keep-house.ts';
import { occupied, settlePort } from './port.ts';

export interface RunOptions {
  readonly dataDir: string;
  /** Stored as the folder's port when it has none yet; another one than the stored is refused. */
  readonly port?: number | null;
  /** Path prefix of `{base_url}`. */
  readonly basePath?: string;
  /** Ends after so many seconds without use; null waits for a signal or a stop. */
  readonly idleSeconds?: number | null;
  /** How the parts beside the public reads are set up. */
  readonly parts?: CatalogueParts;
  /** Asked before the catalogue's own parts. */
  readonly mounts?: readonly Mount[];
  /** Told in sentences what happens. */
  say(line: string): void;
}

const claimLimitMs = 60_000;
const silenceLimitMs = 30_000;
const drainLimitMs = 20_000;

/**
 * Runs the catalogue of a data folder in this process until a signal (SIGTERM, SIGINT, SIGHUP), a stop or
 * idleness ends it, and drains it then, which takes half a minute at most.
 * @returns `joined` when one runs already, else `ended`.
 * @throws SandboxError for a folder that can't be used or a port that somebody else holds.
 */
export async function runSandbox(options: RunOptions): Promise<'ended' | 'joined'> {
  const { say, idleSeconds = null } = options;
  const ending = new AbortController();
  const dataDir = path.resolve(options.dataDir);
  await openFolder(dataDir);
  const identity = await settleIdentity(dataDir);
  const port = await settlePort(dataDir, options.port ?? null);
  // Only now: until here there is nothing to drain, and a signal ends the process as it ends any other.
  endOnSignals(ending);
  const gate = createGate(identity, () => ending.abort('it was told to stop'));
  const settings = {
    dataDir,
    port,
    basePath: options.basePath ?? '',
    mounts: [gate.mount, ...(options.mounts ?? [])],
  };
  const held = await claimPort(settings, options.parts ?? {}, identity, ending.signal);
  if (held === null) return 'ended';
  if ('hello' in held) {
    say(`The embedded catalogue runs already, at ${held.hello.baseUrl} (process ${held.hello.pid}).`);
    return 'joined';
  }
  const { sandbox } = held;
  say(`The embedded catalogue answers at ${sandbox.baseUrl}; its data is in ${dataDir}.`);
  const rest = keepHouse({ dataDir, port, idleSeconds, say, end: (why) => ending.abort(why) }, () => ({
    idleMs: gate.idleMs(),
    pending: sandbox.activity().pending,
  }));
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  rest();
  say(`The embedded catalogue ends: ${String(ending.signal.reason)}.`);
  gate.drain();
  const cutOff = await drain(sandbox);
  if (cutOff > 0) say(`${cutOff} requests or pieces of work were still unfinished.`);
  await sandbox.close();
  return 'ended';
}

/** Binding the port is the only lock: who can't, finds out who holds it. Null when a signal came first. */
async function claimPort(
  settings: SandboxOptions,
  parts: CatalogueParts,
  identity: Identity,
  signal: AbortSignal,
): Promise<{ sandbox: Sandbox } | { hello: Hello } | null> {
  const { dataDir, port } = settings;
  const since = performance.now();
  let heard = since;
  while (!signal.aborted) {
    const greeting = await greet(port, identity);
    if (greeting.kind === 'ours' && greeting.hello.state === 'ready') return { hello: greeting.hello };
    if (greeting.kind === 'stranger') throw new SandboxError(occupied(dataDir, port, greeting.who));
    if (greeting.kind === 'nobody') {
      const sandbox = await serveUnlessTaken(settings, parts);
      if (sandbox !== null) return { sandbox };
    }
    const now = performance.now();
    if (greeting.kind !== 'silent') heard = now;
    if (now - heard > silenceLimitMs || now - since > claimLimitMs) {
      throw new SandboxError(occupied(dataDir, port, 'a program that does not answer'));
    }
    await sleep(50);
  }
  return null;
}

async function serveUnlessTaken(settings: SandboxOptions, parts: CatalogueParts): Promise<Sandbox | null> {
  // Only now: who joins another has no need of the catalogue's own code.
  const [{ serveSandbox }, { catalogueMounts }] = await Promise.all([
    import('../serve.ts'),
    import('../mounts.ts'),
  ]);
  try {
    return await serveSandbox({
      ...settings,
      mounts: [...(settings.mounts ?? []), ...catalogueMounts(parts)],
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) throw error;
    if (systemCode(error) === 'EADDRINUSE') return null;
    throw new SandboxError(occupied(settings.dataDir, settings.port, `the system (${systemCode(error)})`));
  }
}

/** Waits until nothing is being answered or worked on. @returns how much still is when that takes too long. */
async function drain(sandbox: Sandbox): Promise<number> {
  const since = performance.now();
  while (sandbox.activity().pending > 0 && performance.now() - since < drainLimitMs) await sleep(20);
  return sandbox.activity().pending;
}

/** For good: a second signal, such as npm's beside the terminal's own, must not cut the draining short. */
function endOnSignals(ending: AbortController): void {
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => ending.abort(`it received ${name}`));
  }
}
