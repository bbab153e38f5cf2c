import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SandboxError, unusable } from '../sandbox-error.ts';
import { lastWords, limitLog, logFile, logLength } from './log-file.ts';

/** A catalogue that was started in a process of its own. */
export interface Detached {
  /** How it ended, or null while it runs. */
  ended(): Ending | null;
  /** The last line it wrote, or null. */
  lastWords(): Promise<string | null>;
  /** Ends it, unless it is the given process: one that comes late must not outlive the one that was joined. */
  endUnless(pid: number): void;
}

/** `well`: it had nothing to complain of, such as when it found that another runs. */
export type Ending = { readonly well: true } | { readonly well: false; readonly how: string };

/**
 * Starts the catalogue of a data folder so that it outlives this process, keeps it from nothing and
 * inherits nothing of it: not its stdio (stdout may be an MCP connection), not its folder, not its secrets.
 */
export async function startDetached(
  dataDir: string,
  options: { readonly entry: string; readonly idleSeconds: number; readonly faults: boolean },
): Promise<Detached> {
  const { log, before } = await openLog(dataDir);
  try {
    if (process.platform !== 'win32') await log.chmod(0o600);
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
        env: plainEnvironment(process.env),
        stdio: ['ignore', log.fd, log.fd],
        windowsHide: true,
      },
    );
    child.unref();
    const ended = watch(child);
    return {
      ended,
      lastWords: () => lastWords(dataDir, child.pid, before),
      endUnless(pid) {
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

function watch(child: ChildProcess): () => Ending | null {
  let ending: Ending | null = null;
  child.once('exit', (code, signal) => {
    ending ??= code === 0 ? { well: true } : { well: false, how: signal ?? `exit code ${code}` };
  });
  child.once('error', (error) => {
    ending ??= { well: false, how: error.message };
  });
  return () => ending;
}

/** What Node, its temporary files, fonts and native libraries need; anything else may hold a secret. */
const passedOn: ReadonlySet<string> = new Set([
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

function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Windows spells the same name in several ways ("Path").
  return Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.has(name.toUpperCase())));
}

/**
 * The built catalogue program: beside the built file that this module is in, one floor above it, or, when
 * this module runs from its source, in the build folder.
 * @throws SandboxError when nothing was built.
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
