import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cli } from './client.ts';
import { temporaryFolder } from './temporary.ts';

export interface RawServer {
  readonly process: ChildProcessWithoutNullStreams;
  /** Everything that came on stdout, line by line. */
  lines(): string[];
  stderr(): string;
  send(message: Record<string, unknown>): void;
  /** Resolves with the message of that id. */
  answer(id: number | string): Promise<Record<string, unknown>>;
  /** Resolves when the process is gone. */
  exit(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  remove(): Promise<void>;
}

/** The built server on bare pipes, for what a polite client hides: frames, signals, closed streams. */
export async function startRawServer(
  env: Record<string, string> = {},
  args: readonly string[] = [],
  program = cli,
): Promise<RawServer> {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, ARTWORK_HOME: `${folder.path}/home`, ...env },
    stdio: 'pipe',
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', kill);
    return { code, signal };
  });
  const lines: string[] = [];
  /** The first message of each id. */
  const messages = new Map<unknown, Record<string, unknown>>();
  const waiting = new Set<() => void>();
  // A long message arrives in pieces: the last line is one only once it has its end.
  let begun = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const ended = (begun + chunk).split('\n');
    begun = ended.pop() ?? '';
    for (const line of ended.filter((text) => text !== '')) {
      lines.push(line);
      const message = parseObject(line);
      if (!messages.has(message.id)) messages.set(message.id, message);
    }
    for (const check of waiting) check();
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  // The server may be gone while a test still writes; the exit tells.
  child.stdin.on('error', () => {});
  return {
    process: child,
    lines: () => [...lines],
    stderr: () => stderr,
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer: (id) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = messages.get(id);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        void exited.then(() => reject(new Error(`The server ended before it answered ${id}: ${stderr}`)));
        check();
      }),
    exit: () => exited,
    remove: folder.remove,
  };
}

export const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
};

function parseObject(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error(`Not a message: ${line}`);
  return { ...value };
}

/** What a host of 2026-07-28 says of itself in each request. */
export function inEachRequest(capabilities: object = {}, more: object = {}): { readonly _meta: object } {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
      ...more,
    },
  };
}
