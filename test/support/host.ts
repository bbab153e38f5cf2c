import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
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
  /** Extensions of the protocol that it has. */
  readonly extensions?: Record<string, Record<string, string[]>>;
}

/** Starts the built server as a host does. `env` is all that it sees beside PATH. */
export async function startHost(env: Record<string, string>, options: HostOptions = {}): Promise<Host> {
  const { era = eraOfRun } = options;
  const { client, pid, stderr, call } = await openClient(era, env, options);
  const stop = () => client.close();
  const host: Host = {
    era,
    pid,
    stderr,
    call: async (name, args = {}) => read(await call(name, args, { timeout: 120_000 })),
    follow: async ({ next }) => {
      if (next?.tool === undefined) throw new Error('The answer names no next call.');
      return host.call(next.tool, next.arguments ?? {});
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async kill() {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isRunning(pid)).toBe(false);
      await stop();
    },
    stop,
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

export interface Asked {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly onprogress?: (told: { progress: number }) => void;
}

/** The client of an era, which has started the built server; `call` answers what the client was answered. */
export async function openClient(
  era: Era,
  env: Record<string, string>,
  { roots, args, extensions = {} }: HostOptions = {},
) {
  const command = {
    command: process.execPath,
    args: [cli, ...(args ?? [])],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe' as const,
  };
  const known = { name: 'test', version: '0' };
  const capabilities = { extensions, ...(roots === undefined ? {} : { roots: {} }) };
  const told = { roots: (roots ?? []).map((uri) => ({ uri })) };
  if (era === '2025-11-25') {
    const client = new FirstClient(known, { capabilities });
    if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ ...told }));
    const transport = new FirstTransport(command);
    const started = await startedBy(transport, () => client.connect(transport));
    const call = (name: string, given: Record<string, unknown>, asked: Asked = {}): Promise<object> =>
      client.callTool({ name, arguments: given }, undefined, asked);
    return { client, call, ...started };
  }
  const client = new Client(known, { capabilities, versionNegotiation: { mode: { pin: era } } });
  if (roots !== undefined) client.setRequestHandler('roots/list', () => ({ ...told }));
  const transport = new StdioClientTransport(command);
  const started = await startedBy(transport, () => client.connect(transport));
  const call = (name: string, given: Record<string, unknown>, asked: Asked = {}): Promise<object> =>
    client.callTool({ name, arguments: given }, asked);
  return { client, call, ...started };
}

interface Output {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
}

async function startedBy(
  transport: { readonly stderr: Output | null; readonly pid: number | null },
  connect: () => Promise<void>,
) {
  let text = '';
  transport.stderr?.on('data', (chunk) => {
    text += chunk.toString('utf8');
  });
  await connect();
  const { pid } = transport;
  if (pid === null) throw new Error('The server has no process.');
  return { pid, stderr: () => text };
}
