import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { Channel } from '../lines.ts';
import type { HostFacts } from '../opening.ts';
import {
  createRequests,
  type HostOfCall,
  hostRoots,
  NoSuchResource,
  Refusal,
  type ServerOptions,
} from '../requests.ts';
import { introduction } from '../surface.ts';

/** The SDK's server for hosts that begin with `initialize`. */
export interface LegacyServer {
  /** @param message a sound request, an answer of the host, or that it cancels a request */
  take(message: object): void;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/** The code for a resource that is not there, until 2025-11-25. */
const resourceNotFound = -32002;

/** Has the SDK's server go on with a conversation that has begun: all but calls is answered already. */
export async function connectLegacyServer(
  options: ServerOptions,
  host: HostFacts,
  output: Writable,
): Promise<LegacyServer> {
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, introduced);
  const requests = createRequests(options);
  const dialogs: Dialogs = new Set();
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => ({
    ...(await requests.callTool(params.name, params.arguments, hostOfCall(server, host, dialogs, extra))),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => {
    try {
      return await requests.readResource(params.uri, signal);
    } catch (error) {
      if (!(error instanceof NoSuchResource)) throw error;
      throw new Refusal(resourceNotFound, error.message, error.data);
    }
  });
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    requests.getPrompt(params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => requests.complete(params));

  const channel = new Channel<JSONRPCMessage>(output);
  await server.connect(channel);
  await introduce(channel, host);
  return {
    take(message) {
      const read = JSONRPCMessageSchema.safeParse(message);
      if (read.success) channel.onmessage?.(read.data);
    },
    async close() {
      await Promise.all([...dialogs].map((over) => over()));
      await server.close();
    },
  };
}

/** Tells the SDK's server of the host what it has to know to ask it anything. The host has had the answer to it. */
async function introduce(channel: Channel<JSONRPCMessage>, host: HostFacts): Promise<void> {
  const send = channel.send.bind(channel);
  const roots = host.declaresRoots ? { roots: {} } : {};
  const capabilities = host.showsUrls ? { ...roots, elicitation: { url: {} } } : roots;
  const clientInfo = { name: host.name, version: '' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  await new Promise<void>((resolve) => {
    channel.send = async () => resolve();
    channel.onmessage?.({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  });
  channel.send = send;
}

/** Tells the host of each dialog that it has ended. */
type Dialogs = Set<() => Promise<void>>;
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** An HTTP bridge that names itself only where it starts a server for one request, and ends it with the answer. */
const statelessBridge = 'supergateway';

function hostOfCall(
  server: Server,
  host: HostFacts,
  dialogs: Dialogs,
  { signal, _meta: meta, sendNotification }: Extra,
): HostOfCall {
  return {
    signal,
    progressToken: meta?.progressToken ?? null,
    notifyProgress: (params) => sendNotification({ method: 'notifications/progress', params }),
    roots: async () => (host.declaresRoots ? askForRoots(server, signal) : []),
    showUrl: async (url, message, ended) => {
      if (host.showsUrls) await showUrl(server, dialogs, { url, message, ended, signal });
    },
    endsAfterCall: host.name === statelessBridge,
  };
}

const rootsPatienceMs = 5_000;

/** The folders that the host lets servers read, as `file:` URIs; asked anew each time, since they change. */
async function askForRoots(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const asked = { signal, timeout: rootsPatienceMs };
    return (await server.request({ method: 'roots/list' }, hostRoots, asked)).roots;
  } catch (error) {
    // A host that declares roots and then tells none offers none; the settings may.
    if (error instanceof McpError) return [];
    throw error;
  }
}

/** Long enough for a person to read and agree. The call itself has to answer within a minute. */
const dialogPatienceMs = 30_000;

/**
 * URL elicitation. Some hosts decline it by themselves, some never answer: whatever comes, the address also stands in the
 * tool's answer, so that nothing depends on it. Some show a dialog until they hear that it has ended.
 * @param asked `ended` settles once the address is of no use any more, which may be after the call
 */
async function showUrl(
  server: Server,
  dialogs: Dialogs,
  asked: { url: string; message: string; ended: Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  const { url, message, ended, signal } = asked;
  const elicitationId = randomUUID();
  const tell = server.createElicitationCompletionNotifier(elicitationId);
  const over = async (): Promise<void> => {
    dialogs.delete(over);
    // Where it fails the host has gone, and its dialog with it.
    await tell().catch(() => undefined);
  };
  dialogs.add(over);
  ended.then(over, over);
  try {
    const params = { mode: 'url' as const, url, message, elicitationId };
    await server.elicitInput(params, { signal, timeout: dialogPatienceMs });
  } catch (error) {
    // A host that answers with an error, or not in time, has shown nothing.
    if (!(error instanceof McpError)) throw error;
  }
}
