import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { signals } from '../machine.ts';
import { printLine, printLines } from '../terminal.ts';
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

/** Starts the server. @param isVerbose prints each call with its whole answer */
export async function startHost(home: string, uploads: string, isVerbose: boolean) {
  const env = {
    ...environmentWithoutSettings(),
    ARTWORK_HOME: home,
    ARTWORK_UPLOAD_ROOTS: uploads,
    // A server of the person's own may be using the usual port.
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
  };
  const args = [fileURLToPath(new URL('cli.js', import.meta.url)), 'serve'];
  const start = async () => {
    const one = new Client({ name: 'artwork-mcp-demo', version });
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'inherit' });
    await one.connect(transport);
    return { client: one, transport };
  };
  let server = await start();
  let isClosed = false;

  /** @throws DemoError where the call fails */
  const ask = async (tool: string, args: Arguments, onProgress?: (message: string) => void) => {
    const words = JSON.stringify(args);
    printLine(['  ', { style: 'dim', text: `→ ${tool} ${isVerbose ? words : shortened(words, 90)}` }]);
    const told = ({ message = '' }: { message?: string | undefined }) => onProgress?.(message);
    const called = { name: tool, arguments: { ...args } };
    const answer = CallToolResultSchema.parse(
      await server.client.callTool(called, undefined, onProgress === undefined ? {} : { onprogress: told }),
    );
    const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (isVerbose) printLines(text.split('\n'));
    if (answer.isError !== true) return { answer, text };
    throw new DemoError(`${tool} failed: ${shortened(text.split('\n')[0] ?? '', 300)}`);
  };
  return {
    /** Calls a tool, and reads its answer. */
    async call<Schema extends z.ZodType>(tool: string, args: Arguments, schema: Schema) {
      const { answer, text } = await ask(tool, args);
      return schema.parse(answer.structuredContent ?? JSON.parse(text));
    },
    /** Calls a tool that answers with a picture. */
    async picture(tool: string, args: Arguments): Promise<Buffer> {
      const { answer } = await ask(tool, args);
      const image = answer.content.find((block) => block.type === 'image');
      if (image === undefined) throw new DemoError(`${tool} answered without a picture.`);
      return Buffer.from(image.data, 'base64');
    },
    /** Calls a tool, kills its server in the middle as a crash does, and starts another one. */
    async crashDuring(tool: string, args: Arguments, isTime: (progress: string) => boolean): Promise<void> {
      let isKilled = false;
      const call = ask(tool, args, (progress) => {
        const { pid } = server.transport;
        if (isKilled || pid === null || !isTime(progress)) return;
        isKilled = true;
        signals.endAtOnce(pid);
      });
      const isAnswered = await call.then(
        () => true,
        () => false,
      );
      if (isAnswered) throw new DemoError(`${tool} ended before its server was killed.`);
      await server.client.close();
      if (isClosed) throw new DemoError('The demo has ended.');
      server = await start();
      if (isClosed) await server.client.close();
    },
    async close(): Promise<void> {
      isClosed = true;
      await server.client.close();
    },
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
