import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawTicket, ticketParameter } from '../account/ticket.ts';
import { openDataFolder } from '../data-folder.ts';
import { limitLog } from '../log.ts';
import { machine } from '../machine.ts';
import type { CatalogueOptions } from '../mounts.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import type { Sandbox, SandboxOptions } from '../serve.ts';
import type { Mount } from '../server-context.ts';
import type { Hello } from './handshake.ts';
import { ensureIdentity, type FolderIdentity } from './identity.ts';
import { ensurePort, portTaken, storedPort } from './port.ts';
import { probePort } from './probe.ts';
import { createRequestGuard } from './request-guard.ts';

export interface RunOptions {
  readonly dataDir: string;
  /** Stored as the folder's port when it has none yet; a port other than the stored one is refused. */
  readonly port?: number | null;
  /** Path prefix of `{base_url}`. */
  readonly basePath?: string;
  /** How many seconds without use end it; null waits for a signal or a stop request. */
  readonly idleSeconds?: number | null;
  /** Options of the handlers other than the public reads. */
  readonly parts?: CatalogueOptions;
  /** Get a request before the catalogue's own handlers. */
  readonly mounts?: readonly Mount[];
  /** Whether `say` reaches the person alone: then it also tells an address to choose an account at. */
  readonly invites?: boolean;
  /** Called with a sentence about each event. */
  say(line: string): void;
}

const claimLimitMs = 60_000;
const silenceLimitMs = 30_000;
const drainLimitMs = 20_000;

/**
 * Runs the catalogue of a data folder in this process until a signal that asks for the end, a stop
 * request or idleness ends it; then drains it, for half a minute at most.
 * @returns `joined` when one runs already, else `ended`.
 * @throws SandboxError for a folder that can't be used or a port that another program holds.
 */
export async function runSandbox(options: RunOptions): Promise<'ended' | 'joined'> {
  const { say, idleSeconds = null } = options;
  const ending = new AbortController();
  const dataDir = path.resolve(options.dataDir);
  await openDataFolder(dataDir);
  const identity = await ensureIdentity(dataDir);
  const port = await ensurePort(dataDir, options.port ?? null);
  // Not earlier: until here there is nothing to drain, and a signal ends the process at once.
  endOnSignals(ending);
  const guard = createRequestGuard(identity, () => ending.abort('it was asked to stop'));
  const settings = {
    dataDir,
    port,
    basePath: options.basePath ?? '',
    mounts: [guard.mount, ...(options.mounts ?? [])],
  };
  const held = await bindOrJoin(settings, options.parts ?? {}, identity, ending.signal);
  if (held === null) return 'ended';
  if ('hello' in held) {
    say(`The embedded catalogue runs already, at ${held.hello.baseUrl} (process ${held.hello.pid}).`);
    return 'joined';
  }
  const { sandbox } = held;
  say(`The embedded catalogue answers at ${sandbox.baseUrl}; its data is in ${dataDir}.`);
  if (options.invites === true) {
    const ticket = new URLSearchParams({ [ticketParameter]: drawTicket(identity) });
    say(
      `To sign in without a password, open this within ten minutes: ${sandbox.origin}/account/sign-in?${ticket}`,
    );
  }
  const stopMaintenance = startMaintenance({
    dataDir,
    port,
    idleSeconds,
    say,
    use: () => ({ idleMs: guard.idleMs(), pending: sandbox.activity().pending }),
    end: (why) => ending.abort(why),
  });
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  stopMaintenance();
  say(`The embedded catalogue ends: ${String(ending.signal.reason)}.`);
  guard.drain();
  const cutOff = await drain(sandbox);
  if (cutOff > 0) say(`${cutOff} requests or pieces of work were still unfinished.`);
  await sandbox.close();
  return 'ended';
}

/**
 * To bind the port is the only lock: a process that can't bind finds out what holds it. Null when a signal
 * came first.
 */
async function bindOrJoin(
  settings: SandboxOptions,
  parts: CatalogueOptions,
  identity: FolderIdentity,
  signal: AbortSignal,
): Promise<{ sandbox: Sandbox } | { hello: Hello } | null> {
  const { dataDir, port } = settings;
  const startedAt = performance.now();
  let lastAnswerAt = startedAt;
  while (!signal.aborted) {
    const probe = await probePort(port, identity);
    if (probe.kind === 'verified' && probe.hello.state === 'ready') return { hello: probe.hello };
    if (probe.kind === 'foreign') throw new SandboxError(portTaken(dataDir, port, probe.holder));
    if (probe.kind === 'closed') {
      const sandbox = await serveUnlessPortTaken(settings, parts);
      if (sandbox !== null) return { sandbox };
    }
    const now = performance.now();
    if (probe.kind !== 'silent') lastAnswerAt = now;
    if (now - lastAnswerAt > silenceLimitMs || now - startedAt > claimLimitMs) {
      throw new SandboxError(portTaken(dataDir, port, 'a program that does not answer'));
    }
    await sleep(50);
  }
  return null;
}

async function serveUnlessPortTaken(
  settings: SandboxOptions,
  parts: CatalogueOptions,
): Promise<Sandbox | null> {
  // Imported only here: a process that joins another needs none of this code.
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
    throw new SandboxError(portTaken(settings.dataDir, settings.port, `the system (${systemCode(error)})`));
  }
}

/**
 * Waits until no request and no work is pending, within a limit.
 * @returns how many are still pending.
 */
async function drain(sandbox: Sandbox): Promise<number> {
  const startedAt = performance.now();
  while (sandbox.activity().pending > 0 && performance.now() - startedAt < drainLimitMs) await sleep(20);
  return sandbox.activity().pending;
}

/** Never removed: a second signal, such as npm's beside the terminal's, must not interrupt the draining. */
function endOnSignals(ending: AbortController): void {
  for (const name of machine.endingSignals) {
    process.on(name, () => ending.abort(`it received ${name}`));
  }
}

interface MaintenanceOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly idleSeconds: number | null;
  use(): { idleMs: number; pending: number };
  say(line: string): void;
  end(why: string): void;
}

const longestPauseMs = 10_000;

/**
 * Checks a running catalogue from time to time. It ends when it was not used for a while (never while work is
 * pending), or when its folder is gone or has another port, where launchers look for it. Limits its log.
 * @returns stops the checks.
 */
function startMaintenance(options: MaintenanceOptions): () => void {
  const { idleSeconds, use, say, end } = options;
  const idleLimitMs = idleSeconds === null ? Number.POSITIVE_INFINITY : idleSeconds * 1000;
  const check = () => {
    const { idleMs, pending } = use();
    if (pending === 0 && idleMs >= idleLimitMs) end(`it was not used for ${idleSeconds} seconds`);
    else checkFolder(options).catch((error: unknown) => say(`Maintenance failed: ${String(error)}`));
  };
  const timer = setInterval(check, Math.min(longestPauseMs, Math.max(50, idleLimitMs / 4)));
  return () => clearInterval(timer);
}

async function checkFolder({ dataDir, port, end }: MaintenanceOptions): Promise<void> {
  await limitLog(dataDir);
  try {
    if ((await storedPort(dataDir)) !== port) end('its data folder has another port, or is gone');
  } catch (error) {
    // A person may be editing the port file; the next launcher reports a broken one.
    if (!(error instanceof SandboxError)) throw error;
  }
}
