import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { findCatalogue } from '../../src/sandbox/process/handshake.ts';
import { bundle } from './bundle.ts';
import { fillFolder } from './filled.ts';
import { temporaryFolder } from './temporary.ts';

export interface SandboxUnderTest {
  /** `{base_url}` of the interface document. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly port: number;
  readonly pid: number;
  /** All that it printed until now, stdout and stderr. */
  printed(): string;
  /** Ends it as SIGTERM does, waits, and takes away its folder unless it was given. Answers its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as SIGKILL does and waits; the folder stays. */
  kill(): Promise<void>;
}

export interface SandboxUnderTestOptions {
  /** Default: a new temporary folder, in which the catalogue is filled already. */
  readonly dataDir?: string;
  readonly basePath?: string;
  /** A built program to run; default: the embedded catalogue, bundled for this call. */
  readonly program?: string;
  /** More flags of the program, such as `--faults`. */
  readonly flags?: readonly string[];
}

/**
 * Runs the embedded catalogue in a real process of its own, on a data folder and a port of its own, and
 * resolves when it answers. A test that dies leaves none behind for long: it ends when it is unused.
 */
export async function startSandbox(options: SandboxUnderTestOptions = {}): Promise<SandboxUnderTest> {
  const program = options.program ?? (await bundle({ sandbox: 'src/sandbox/main.ts' })).program('sandbox');
  const folder = options.dataDir === undefined ? await temporaryFolder() : null;
  const tidy = async () => folder?.remove();
  const dataDir = options.dataDir ?? path.join(folder?.path ?? '', 'data');
  if (folder !== null) await fillFolder(dataDir);
  const child = run(program, dataDir, options.basePath ?? '', options.flags ?? []);
  try {
    const { baseUrl, port, pid } = await firstHello(dataDir, child);
    return {
      baseUrl,
      dataDir,
      port,
      pid,
      printed: child.printed,
      async stop() {
        const code = await child.end('SIGTERM');
        await tidy();
        return code;
      },
      async kill() {
        await child.end('SIGKILL');
      },
    };
  } catch (error) {
    await child.end('SIGKILL');
    await tidy();
    throw error;
  }
}

interface Child {
  printed(): string;
  hasEnded(): boolean;
  /** Answers the exit code, null after a signal. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

function run(program: string, dataDir: string, basePath: string, more: readonly string[]): Child {
  const flags = [
    '--data',
    dataDir,
    '--idle',
    '600',
    ...(basePath === '' ? [] : ['--base-path', basePath]),
    ...more,
  ];
  const child = spawn(process.execPath, [program, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const exit = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return {
    printed: () => printed,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async end(signal) {
      child.kill(signal);
      await exit;
      return child.exitCode;
    },
  };
}

async function firstHello(dataDir: string, child: Child) {
  const folder = await openFolder(dataDir);
  while (!child.hasEnded()) {
    const found = await findCatalogue(folder);
    if (typeof found === 'object') return { port: folder.port, ...found };
    await sleep(20);
  }
  throw new Error(`The embedded catalogue ended while it started: ${child.printed()}`);
}
