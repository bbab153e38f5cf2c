import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, stdout, stderr };
}
