import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { HostFacts } from '../opening.ts';
import {
  Channel,
  createRequests,
  type HostOfCall,
  hostRoots,
  type ServerOptions,
  type Write,
} from '../requests.ts';
import { introduction } from '../surface.ts';

/** The SDK's server for hosts that begin with `initialize`. */
export type LegacyServer = Awaited<ReturnType<typeof connectLegacyServer>>;

/** The code for a resource that is not there, until 2025-11-25. */
const resourceNotFound = -32002;

/** Has the SDK's server go on with a conversation that has begun: all but calls is answered already. */
export async function connectLegacyServer(options: ServerOptions, host: HostFacts, write: Write) {
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, introduced);
  const channel = new Channel<JSONRPCMessage>(write);
  const requests = createRequests(options, resourceNotFound);
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => ({
    ...(await requests.callTool(params.name, params.arguments, hostOfCall(host, extra))),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => requests.readResource(params.uri));
  await server.connect(channel);
  return {
    /** @param message a sound request, an answer of the host, or that it cancels a request */
    take(message: object): void {
      const read = JSONRPCMessageSchema.safeParse(message);
      if (read.success) channel.onmessage?.(read.data);
    },
    /** Aborts what is in flight. */
    close: () => server.close(),
  };
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

function hostOfCall(host: HostFacts, extra: Extra): HostOfCall {
  return {
    signal: extra.signal,
    progressToken: extra._meta?.progressToken ?? null,
    notifyProgress: (params) => extra.sendNotification({ method: 'notifications/progress', params }),
    roots: async () => (host.declaresRoots ? askForRoots(extra) : []),
  };
}

const rootsPatienceMs = 5_000;

/** The folders that the host lets servers read, as `file:` URIs; asked anew each time, since they change. */
async function askForRoots({ sendRequest, signal }: Extra): Promise<readonly string[]> {
  try {
    const asked = { signal, timeout: rootsPatienceMs };
    return (await sendRequest({ method: 'roots/list' }, hostRoots, asked)).roots;
  } catch (error) {
    // A host that declares roots and then tells none offers none; the settings may.
    if (error instanceof McpError) return [];
    throw error;
  }
}
