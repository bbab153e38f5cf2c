import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cli } from '../support/client.ts';

/** Whether this machine has the `script` of util-linux, which gives a program a terminal of its own. */
export const terminalIsHere = spawnSync('script', ['-qec', 'exit 0', '/dev/null']).status === 0;

if (!terminalIsHere)
  process.stderr.write('No "script" of util-linux here: what a program does on a terminal is not tried.\n');

/** Runs a command of the built program on a terminal to its end; answers all that it wrote there. */
export async function atTerminal(args: readonly string[], env: Record<string, string>): Promise<string> {
  const line = [process.execPath, cli, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  await once(child, 'close');
  return written.replaceAll('\r\n', '\n');
}
