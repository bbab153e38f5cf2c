import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { signals } from '../machine.ts';
import { startStdioClient } from '../mcp/client.ts';
import { printLine, printLines } from '../terminal.ts';
import { version } from '../version.ts';

/** What the demo tells of a call that failed, or ended otherwise than the story goes. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A call, as an answer names the one that comes next. */
export const nextCall = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** The server, as a host has it: started over stdio, called by its tools, and known by nothing else. */
export interface Host {
  /** @throws DemoError where the call fails */
  call<Schema extends z.ZodType>(
    tool: string,
    args: Arguments,
    schema: Schema,
    onProgress?: (message: string) => void,
  ): Promise<z.output<Schema>>;
  /** The picture of an answer; an answer with a picture has its text alone. */
  picture(tool: string, args: Arguments): Promise<Buffer>;
  /** A call that is not to be answered, since its server is killed meanwhile. */
  callTheDying(tool: string, args: Arguments, onProgress: (message: string) => void): Promise<void>;
  /** Ends the server as a crash does. */
  kill(): void;
  /** A new server in the place of the one that was killed. */
  startAnew(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the server as a host does. `isVerbose`: each call is printed with its whole answer. */
export async function startHost(home: string, uploads: string, isVerbose: boolean): Promise<Host> {
  // The demo is the same whatever the person has set for a server of their own.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('ARTWORK_'));
  const env = Object.fromEntries(
    own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  // Another program may hold the usual one, such as a server that waits for a sign-in of its own.
  const callback = `http://127.0.0.1:${await freePort()}/callback`;
  const start = () =>
    startStdioClient({
      name: 'artwork-mcp-demo',
      version,
      command: process.execPath,
      args: [fileURLToPath(new URL('cli.js', import.meta.url)), 'serve'],
      env: { ...env, ARTWORK_HOME: home, ARTWORK_UPLOAD_ROOTS: uploads, ARTWORK_REDIRECT_URI: callback },
    });
  let client = await start();
  let isClosed = false;

  const ask = async (tool: string, args: Arguments, onProgress?: (message: string) => void) => {
    const words = JSON.stringify(args);
    printLine(['  ', { style: 'dim', text: `→ ${tool} ${isVerbose ? words : shortened(words, 90)}` }]);
    const answer = await client.call(tool, args, onProgress);
    const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    if (isVerbose) printLines(text.split('\n'));
    if (answer.isError === true)
      throw new DemoError(`${tool} failed: ${shortened(text.split('\n')[0] ?? '', 300)}`);
    return { answer, text };
  };
  return {
    async call(tool, args, schema, onProgress) {
      const { answer, text } = await ask(tool, args, onProgress);
      return schema.parse(answer.structuredContent ?? JSON.parse(text));
    },
    async picture(tool, args) {
      const { answer } = await ask(tool, args);
      for (const block of answer.content)
        if (block.type === 'image') return Buffer.from(block.data, 'base64');
      throw new DemoError(`${tool} answered no picture.`);
    },
    async callTheDying(tool, args, onProgress) {
      const isAnswered = await ask(tool, args, onProgress).then(
        () => true,
        () => false,
      );
      if (isAnswered) throw new DemoError(`${tool} was answered before its server was killed.`);
    },
    kill: () => signals.endAtOnce(client.pid),
    async startAnew() {
      await client.close();
      if (isClosed) throw new DemoError('The demo has ended.');
      client = await start();
      if (isClosed) await client.close();
    },
    async close() {
      isClosed = true;
      await client.close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new DemoError('The system gave no port.');
  return address.port;
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
