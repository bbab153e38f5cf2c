import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { signals } from '../machine.ts';
import { printLine } from '../terminal.ts';
import { version } from '../version.ts';

/** A call failed, or its answer was not the one that the story needs. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

export type Arguments = Readonly<Record<string, unknown>>;

/** The next call, as an answer names it. */
export const nextCall = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** The server as a host has it: started over stdio, and known by its tools alone. */
export type Host = Awaited<ReturnType<typeof startHost>>;

interface Hosting {
  readonly home: string;
  readonly uploads: string;
  /** Ends a call at once. */
  readonly signal: AbortSignal;
}

export async function startHost({ home, uploads, signal }: Hosting) {
  const env = {
    ...environmentWithoutSettings(),
    ARTWORK_HOME: home,
    ARTWORK_UPLOAD_ROOTS: uploads,
    // A server of the person's own may be using the usual port.
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
  };
  const args = [fileURLToPath(new URL('cli.js', import.meta.url)), 'serve'];
  const start = async () => {
    const client = new Client({ name: 'artwork-mcp-demo', version });
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' });
    await client.connect(transport);
    return { client, transport };
  };
  let server = await start();

  /** @throws DemoError where the call fails */
  const ask = async (tool: string, given: Arguments, onProgress?: (message: string) => void) => {
    printLine(`  → ${tool} ${shortened(JSON.stringify(given), 90)}`);
    const told = ({ message = '' }: { message?: string | undefined }) => onProgress?.(message);
    // The SDK never takes its listener from the signal of a call.
    const own = { signal: AbortSignal.any([signal]) };
    const options = onProgress === undefined ? own : { ...own, onprogress: told };
    const answer = CallToolResultSchema.parse(
      await server.client.callTool({ name: tool, arguments: { ...given } }, undefined, options),
    );
    const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (answer.isError !== true) return { answer, text };
    throw new DemoError(`${tool} failed: ${shortened(text.split('\n')[0] ?? '', 300)}`);
  };
  return {
    /** Calls a tool, and reads its answer. */
    async call<Schema extends z.ZodType>(tool: string, given: Arguments, schema: Schema) {
      const { answer, text } = await ask(tool, given);
      return schema.parse(answer.structuredContent ?? JSON.parse(text));
    },
    /** Calls a tool, kills its server in the middle as a crash does, and starts another one. */
    async crashDuring(tool: string, given: Arguments, isTime: (progress: string) => boolean): Promise<void> {
      let { pid } = server.transport;
      const call = ask(tool, given, (progress) => {
        if (pid === null || !isTime(progress)) return;
        signals.endAtOnce(pid);
        pid = null;
      });
      const [{ status }] = await Promise.allSettled([call]);
      signal.throwIfAborted();
      if (status === 'fulfilled') throw new DemoError(`${tool} ended before its server was killed.`);
      await server.client.close();
      server = await start();
    },
    close: (): Promise<void> => server.client.close(),
  };
}

/** The demo is the same, however the person has configured their own server. */
function environmentWithoutSettings(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('ARTWORK_') ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new DemoError('The system has no free port.');
  return address.port;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
