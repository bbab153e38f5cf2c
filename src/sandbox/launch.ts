import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastLogLine, logDefect, logFile, openLog } from './log.ts';
import { ownApp } from './oauth/apps.ts';
import { dataFolder, openFolder, storedFolder } from './process/folder.ts';
import { findCatalogue, portTaken, stopCatalogue } from './process/handshake.ts';
import { SandboxError } from './sandbox-error.ts';

export { dataFolder, isUsablePort, unusablePort } from './process/folder.ts';

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
  /** How many seconds without use end a catalogue that is started here. Default: a quarter of an hour. */
  readonly idleSeconds?: number;
  /** Lets tests and the demo order failures of a catalogue that is started here. */
  readonly faults?: boolean;
  /** The built program; default: the one beside this program. */
  readonly entry?: string;
}

const pauseMs = 25;
const startLimitMs = 60_000;
/** Longer than the end of a catalogue can take. */
const stopLimitMs = 45_000;

/**
 * Finds the running catalogue of a data directory, or starts one in the background, at the port of its folder and with
 * its output in a log there. Resolves when it answers. One catalogue runs however many callers ask at once.
 * @throws SandboxError in one line: a folder that can't be used, a port that another program holds, or the last line of
 *   a catalogue that could not start
 */
export async function ensureSandbox(options: LaunchOptions): Promise<RunningSandbox> {
  const { signal, idleSeconds = 900, faults = false } = options;
  const dataDir = dataFolder(options.home);
  const folder = await openFolder(dataDir);
  const startedAt = performance.now();
  let child: ChildProcess | null = null;
  for (;;) {
    const found = await findCatalogue(folder, signal);
    if (typeof found === 'object') {
      const { baseUrl, pid } = found;
      // A second one that is still starting would take the port if the one that was found is ended meanwhile.
      if (child?.pid !== pid) child?.kill();
      return { baseUrl, dataDir, port: folder.port, pid, clientId: ownApp.clientId };
    }
    if (found === 'foreign') throw new SandboxError(portTaken(dataDir, folder.port));
    const ended = child?.exitCode ?? child?.signalCode ?? null;
    if (ended !== null && ended !== 0) {
      const reason = lastLogLine(dataDir) || ended;
      throw new SandboxError(`The embedded catalogue did not start: ${reason} Its log: ${logFile(dataDir)}`);
    }
    // One that has ended without a failure had found another catalogue, which has ended since.
    if (found === 'closed' && (child === null || ended !== null)) {
      child = startDetached(dataDir, options.entry ?? builtEntry(), [
        ...['--data', dataDir, '--idle', String(idleSeconds)],
        ...(faults ? ['--faults'] : []),
      ]);
    }
    if (performance.now() - startedAt > startLimitMs) {
      throw new SandboxError(
        `The embedded catalogue is still not ready at port ${folder.port}. Try again soon; its log: ${logFile(dataDir)}`,
      );
    }
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}

/**
 * Asks the running catalogue of a data directory to end, and waits until it has.
 * @returns whether one was running
 * @throws SandboxError when it does not end
 */
export async function stopSandbox({ home }: { readonly home: string }): Promise<boolean> {
  const dataDir = dataFolder(home);
  const folder = await storedFolder(dataDir);
  if (folder === null) return false;
  const startedAt = performance.now();
  let asked: number | null = null;
  while (performance.now() - startedAt < stopLimitMs) {
    const found = await findCatalogue(folder);
    if (found === 'closed' || found === 'foreign') return asked !== null;
    if (found !== 'silent') {
      if (asked === null) await stopCatalogue(folder);
      asked ??= found.pid;
      // Somebody has started it again, and that one is not this caller's to stop.
      if (asked !== found.pid) return true;
    }
    await sleep(pauseMs);
  }
  throw new SandboxError(`The embedded catalogue did not end. Its log: ${logFile(dataDir)}`);
}

/**
 * Starts a program so that it outlives this one and inherits nothing from it: not its stdio (stdout may be an MCP
 * connection), not its working folder, not its secrets.
 */
function startDetached(dataDir: string, entry: string, flags: readonly string[]): ChildProcess {
  const log = openLog(dataDir);
  const child = spawn(process.execPath, [entry, ...flags], {
    cwd: dataDir,
    detached: true,
    env: harmless(process.env),
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  child.unref();
  // Where no program could be started at all, its exit code is the system's.
  child.once('error', logDefect);
  return child;
}

/** What Node, its temporary files, fonts and native libraries need; any other variable may hold a secret. */
const harmlessVariables: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'SYSTEMROOT', 'WINDIR'],
  ...['TMPDIR', 'TMP', 'TEMP', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'],
  ...['FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'],
  // Hosts built on Electron run programs with themselves as Node.
  'ELECTRON_RUN_AS_NODE',
]);

function harmless(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Windows spells the same name in several ways ("Path").
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => harmlessVariables.has(name.toUpperCase())),
  );
}

/** The built catalogue: beside the built file that holds this module, or, from source, in the build folder. */
function builtEntry(): string {
  const places = ['./sandbox.mjs', '../../dist/sandbox.mjs'];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (found !== undefined) return found;
  throw new SandboxError(
    'The embedded catalogue is not built: run "npm run build", or install the package again.',
  );
}
