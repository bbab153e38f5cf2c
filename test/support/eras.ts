import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { definitions } from '../../src/definitions.ts';
import { cli } from './client.ts';

/** The clients that hosts are built on, by how they learn what a server speaks. */
export const manners = ['SDK 1', 'SDK 2, by default', 'SDK 2, by asking', 'SDK 2, pinned'] as const;
export type Manner = (typeof manners)[number];

/** What each of them comes to speak with this server. */
export const spokenBy: Readonly<Record<Manner, string>> = {
  'SDK 1': '2025-11-25',
  'SDK 2, by default': '2025-11-25',
  'SDK 2, by asking': '2026-07-28',
  'SDK 2, pinned': '2026-07-28',
};

interface Asked {
  readonly signal?: AbortSignal;
  readonly onprogress?: (told: { progress: number }) => void;
}

/** The same of every client, whatever SDK it is of: results as it hands them on. */
export interface Spoken {
  readonly version: string | undefined;
  tools(): Promise<object>;
  prompts(): Promise<object>;
  resources(): Promise<object>;
  resourceTemplates(): Promise<object>;
  call(name: string, args: Record<string, unknown>, asked?: Asked): Promise<object>;
  read(uri: string): Promise<object>;
  prompt(name: string, args: Record<string, string>): Promise<object>;
  complete(params: Parameters<FirstClient['complete']>[0]): Promise<object>;
  stop(): Promise<void>;
}

interface Host {
  readonly env: Record<string, string>;
  /** Of its folders; null: it declares none. */
  readonly roots?: readonly string[] | null;
}

/** Starts the built server with a client that shows MCP Apps. */
export function startSpoken(manner: Manner, { env, roots = null }: Host): Promise<Spoken> {
  const started = { command: process.execPath, args: [cli], env: { PATH: process.env.PATH ?? '', ...env } };
  const capabilities = {
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [definitions.app.mimeType] } },
    ...(roots === null ? {} : { roots: {} }),
  };
  const told = { roots: (roots ?? []).map((uri) => ({ uri })) };
  switch (manner) {
    case 'SDK 1':
      return startFirst(started, capabilities, told);
    case 'SDK 2, by default':
      return startSecond(started, { capabilities }, told);
    case 'SDK 2, by asking':
      return startSecond(started, { capabilities, versionNegotiation: { mode: 'auto' } }, told);
    case 'SDK 2, pinned':
      return startSecond(
        started,
        { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
        told,
      );
  }
}

interface Started {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}
interface Roots {
  readonly roots: { readonly uri: string }[];
}

const known = { name: 'test', version: '0' };

async function startFirst(started: Started, capabilities: object, roots: Roots): Promise<Spoken> {
  const client = new FirstClient(known, { capabilities });
  if ('roots' in capabilities) client.setRequestHandler(ListRootsRequestSchema, () => ({ ...roots }));
  const transport = new FirstTransport({ ...started, stderr: 'inherit' });
  let version: string | undefined;
  // The client tells its transport.
  const told = {
    setProtocolVersion(negotiated: string) {
      version = negotiated;
    },
  };
  await client.connect(Object.assign(transport, told));
  return {
    version,
    tools: () => client.listTools(),
    prompts: () => client.listPrompts(),
    resources: () => client.listResources(),
    resourceTemplates: () => client.listResourceTemplates(),
    call: (name, args, asked = {}) => client.callTool({ name, arguments: args }, undefined, asked),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (params) => client.complete(params),
    stop: () => client.close(),
  };
}

/** A result without what only 2026-07-28 has: what is left is the same in both eras. */
export function inBothEras(result: object): object {
  const { ttlMs, cacheScope, resultType, _meta: meta, ...rest } = Object.fromEntries(Object.entries(result));
  const { 'io.modelcontextprotocol/serverInfo': _, ...others } = Object(meta);
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}

/** A result without what is drawn anew or the clock's in each. */
export function settled(result: object): string {
  return JSON.stringify(inBothEras(result))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'a UUID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g, 'a time')
    .replaceAll(/(nextCursor|cursor)(\\?":\\?")[\w.-]+/g, '$1$2 a cursor')
    .replaceAll(/(state|nonce|code_challenge)=[\w-]+/g, '$1=drawn');
}

async function startSecond(started: Started, options: ClientOptions, roots: Roots): Promise<Spoken> {
  const client = new Client(known, options);
  if (options.capabilities?.roots !== undefined) {
    client.setRequestHandler('roots/list', () => ({ ...roots }));
  }
  await client.connect(new StdioClientTransport({ ...started, stderr: 'inherit' }));
  return {
    version: client.getNegotiatedProtocolVersion(),
    tools: () => client.listTools(),
    prompts: () => client.listPrompts(),
    resources: () => client.listResources(),
    resourceTemplates: () => client.listResourceTemplates(),
    call: (name, args, asked = {}) => client.callTool({ name, arguments: args }, asked),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (params) => client.complete(params),
    stop: () => client.close(),
  };
}
