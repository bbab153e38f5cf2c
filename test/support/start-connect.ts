import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cli } from './client.ts';

/** The command `connect` while it waits for a person. */
export interface Connecting {
  /** The line of stdout, once it is there. */
  url(): Promise<string>;
  paste(line: string): void;
  end(): Promise<{ code: number | null; stdout: string; stderr: string }>;
  signal(name: NodeJS.Signals): void;
}

/** Starts it without a browser; it sees PATH and `env` only. */
export function startConnect(env: Record<string, string>, ...flags: string[]): Connecting {
  const child = spawn(process.execPath, [cli, 'connect', '--no-browser', ...flags], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const first = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const closed = once(child, 'close');
  return {
    url: () => first,
    paste: (line) => void child.stdin.write(`${line}\n`),
    signal: (name) => void child.kill(name),
    end: async () => {
      const [code] = await closed;
      return { code: typeof code === 'number' ? code : null, stdout, stderr };
    },
  };
}
