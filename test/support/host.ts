import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { z } from 'zod';
import { cli } from './client.ts';
import { isRunning } from './is-running.ts';

/** The two revisions of the protocol that hosts speak. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** The revision of a run: the same journeys are made in the other one with `ARTWORK_TEST_ERA=2026-07-28`. */
export const eraOfRun: Era = process.env.ARTWORK_TEST_ERA === '2026-07-28' ? '2026-07-28' : '2025-11-25';

const told = z.looseObject({
  outcome: z.string().optional(),
  clientMutationId: z.string().optional(),
  error: z
    .looseObject({ code: z.string(), category: z.string().optional(), status: z.int().optional() })
    .optional(),
  next: z
    .looseObject({ tool: z.string().optional(), arguments: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});
const result = z.object({
  content: z.array(
    z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
      z.looseObject({ type: z.literal('resource_link'), uri: z.string() }),
    ]),
  ),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** What a call was answered. */
export interface Answer extends z.output<typeof told> {
  readonly isError: boolean;
  /** The text as the host got it. */
  readonly text: string;
  readonly pictures: readonly Buffer[];
}

export interface Host {
  readonly era: Era;
  readonly pid: number;
  stderr(): string;
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Makes the call that an answer names as the next one. */
  follow(answer: Answer): Promise<Answer>;
  toolNames(): Promise<string[]>;
  /** Ends the server as SIGKILL does, and waits until it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface HostOptions {
  readonly era?: Era;
  readonly args?: readonly string[];
  /** Folders that the host offers; without them it offers none. */
  readonly roots?: readonly string[];
}

/** Starts the built server as a host does. `env` is all that it sees beside PATH. */
export async function startHost(env: Record<string, string>, options: HostOptions = {}): Promise<Host> {
  const era = options.era ?? eraOfRun;
  const command = {
    command: process.execPath,
    args: [cli, ...(options.args ?? [])],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe' as const,
  };
  const opened =
    era === '2025-11-25' ? await openFirst(command, options) : await openSecond(command, options);
  const { pid } = opened;
  if (pid === null) throw new Error('The server has no process.');
  const host: Host = {
    era,
    pid,
    stderr: opened.stderr,
    call: async (name, args = {}) => read(await opened.call(name, args)),
    follow: async ({ next }) => {
      if (next?.tool === undefined) throw new Error('The answer names no next call.');
      return host.call(next.tool, next.arguments ?? {});
    },
    toolNames: opened.toolNames,
    async kill() {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isRunning(pid)).toBe(false);
      await opened.close();
    },
    stop: opened.close,
  };
  return host;
}

/** Reads a result, and holds it to what is true of each: its two forms agree, and no host cuts it. */
function read(received: unknown): Answer {
  const { content, structuredContent, isError = false } = result.parse(received);
  const [first] = content;
  if (first?.type !== 'text') throw new Error('The first block is no text.');
  const { text } = first;
  const pictures = content.flatMap((block) =>
    block.type === 'image' ? [Buffer.from(block.data, 'base64')] : [],
  );
  expect(text.length).toBeLessThanOrEqual(isError ? 10_000 : 18_000);
  // An error is one sentence, a line break and JSON.
  const json = isError ? text.slice(text.indexOf('\n') + 1) : text;
  const parsed = told.parse(JSON.parse(json));
  if (!isError && pictures.length === 0) expect(structuredContent).toEqual(JSON.parse(json));
  return { ...parsed, isError, text, pictures };
}

interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly stderr: 'pipe';
}
interface Opened {
  readonly pid: number | null;
  stderr(): string;
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  toolNames(): Promise<string[]>;
  close(): Promise<void>;
}

const known = { name: 'test', version: '0' };
const patience = { timeout: 120_000 };

async function openFirst(command: Command, { roots }: HostOptions): Promise<Opened> {
  const client = new FirstClient(known, { capabilities: roots === undefined ? {} : { roots: {} } });
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  }
  const transport = new FirstTransport(command);
  const stderr = gather(transport.stderr);
  await client.connect(transport);
  return {
    pid: transport.pid,
    stderr,
    call: (name, args) => client.callTool({ name, arguments: args }, undefined, patience),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

async function openSecond(command: Command, { roots }: HostOptions): Promise<Opened> {
  const client = new Client(known, {
    capabilities: roots === undefined ? {} : { roots: {} },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
  }
  const transport = new StdioClientTransport(command);
  const stderr = gather(transport.stderr);
  await client.connect(transport);
  return {
    pid: transport.pid,
    stderr,
    call: (name, args) => client.callTool({ name, arguments: args }, patience),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

function gather(
  stream: { on(event: 'data', listener: (chunk: Buffer) => void): unknown } | null,
): () => string {
  let text = '';
  stream?.on('data', (chunk) => {
    text += chunk.toString('utf8');
  });
  return () => text;
}
