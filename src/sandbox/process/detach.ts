import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { machine } from '../machine.ts';
import { SandboxError, unusable } from '../sandbox-error.ts';
import { lastLogLine, limitLog, logFile, logLength } from '../log.ts';

/** A catalogue that was started in its own process. */
export interface DetachedProcess {
  /** How the process ended, or null while it runs. */
  exit(): ProcessExit | null;
  /** The last line that the process wrote, or null. */
  lastLogLine(): Promise<string | null>;
  /** Ends the process unless it has this id: a second one must not outlive the catalogue that was joined. */
  killUnless(pid: number): void;
}

/** `clean`: it exited without an error, such as when it found that another catalogue runs. */
type ProcessExit = { readonly clean: true } | { readonly clean: false; readonly how: string };

/**
 * Starts the catalogue of a data folder so that it outlives this process and inherits nothing from it: not
 * its stdio (stdout may be an MCP connection), not its working folder, not its secrets.
 */
export async function startDetached(
  dataDir: string,
  options: { readonly entry: string; readonly idleSeconds: number; readonly faults: boolean },
): Promise<DetachedProcess> {
  const { log, before } = await openLog(dataDir);
  try {
    await machine.makePrivate(logFile(dataDir), 0o600);
    const child = spawn(
      process.execPath,
      [
        options.entry,
        '--data',
        dataDir,
        '--idle',
        String(options.idleSeconds),
        ...(options.faults ? ['--faults'] : []),
      ],
      {
        cwd: dataDir,
        detached: true,
        env: minimalEnvironment(process.env),
        stdio: ['ignore', log.fd, log.fd],
        windowsHide: true,
      },
    );
    child.unref();
    const ended = watch(child);
    return {
      exit: ended,
      lastLogLine: () => lastLogLine(dataDir, child.pid, before),
      killUnless(pid) {
        if (child.pid !== pid) child.kill();
      },
    };
  } finally {
    await log.close();
  }
}

async function openLog(dataDir: string): Promise<{ log: FileHandle; before: number }> {
  try {
    await limitLog(dataDir);
    return { before: await logLength(dataDir), log: await open(logFile(dataDir), 'a', 0o600) };
  } catch (error) {
    throw unusable(logFile(dataDir), error);
  }
}

function watch(child: ChildProcess): () => ProcessExit | null {
  let ending: ProcessExit | null = null;
  child.once('exit', (code, signal) => {
    ending ??= code === 0 ? { clean: true } : { clean: false, how: signal ?? `exit code ${code}` };
  });
  child.once('error', (error) => {
    ending ??= { clean: false, how: error.message };
  });
  return () => ending;
}

/** What Node, its temporary files, fonts and native libraries need; any other variable may hold a secret. */
const allowedVariables: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'SYSTEMROOT',
  'WINDIR',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  // Hosts built on Electron run programs with themselves as Node.
  'ELECTRON_RUN_AS_NODE',
]);

function minimalEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Windows spells the same name in several ways ("Path").
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => allowedVariables.has(name.toUpperCase())),
  );
}

/**
 * The built catalogue program: beside the built file that contains this module, one folder above it, or, when
 * this module runs from source, in the build folder.
 * @throws SandboxError when there is no build.
 */
export function builtEntry(): string {
  const places = ['./sandbox.js', '../sandbox.js', '../../../dist/sandbox.js'];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (found === undefined) {
    throw new SandboxError(
      'The embedded catalogue is not built: run "npm run build", or install the package again.',
    );
  }
  return found;
}
