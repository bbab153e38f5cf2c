import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cli } from './client.ts';
import { storeSettingsOf } from './test-store.ts';

/** The program as a person types it who has it from a checkout. */
export const typed = `${process.execPath} ${cli}`;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the built program to its end; it sees PATH and `env` only. */
export async function runCli(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const home = env.ARTWORK_HOME;
  const shared = home === undefined ? {} : await storeSettingsOf(home);
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH ?? '', ...shared, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return endOf(child);
}

/** Starts the command `connect` without a browser; it sees PATH and `env` only, and waits for a person. */
export function startConnect(env: Record<string, string>) {
  const child = spawn(process.execPath, [cli, 'connect', '--no-browser'], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const first = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const ended = endOf(child);
  return {
    /** The line of stdout, once it is there. */
    url: () => first,
    paste: (line: string) => void child.stdin.write(`${line}\n`),
    end: () => ended,
  };
}

async function endOf(child: ChildProcess): Promise<Finished> {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, ...printed };
}
