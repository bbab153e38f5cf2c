import type { Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Channel } from '../channel.ts';
import { createRequests, NoSuchResource, Refusal, type ServerOptions } from '../requests.ts';
import { createLists, introduction, showsApps } from '../surface.ts';
import { createShownUrls, hostOfCall, type ShownUrls } from './host.ts';

/** The SDK's server for hosts that begin with `initialize`. */
export interface LegacyServer {
  /** False: it is no message of the protocol. */
  take(message: unknown): boolean;
  /** Tells the host what has to be told before the connection ends. */
  farewell(): Promise<void>;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/**
 * Has the SDK's server go on with a conversation.
 * @param heard the host's `initialize`, where it was answered already
 */
export async function connectLegacyServer(
  options: ServerOptions,
  heard: object | null,
  output: Writable,
): Promise<LegacyServer> {
  const channel = new Channel<JSONRPCMessage>(output);
  const { server, shownUrls } = createServer(options);
  await server.connect(channel);
  const take = (message: unknown): boolean => {
    const read = JSONRPCMessageSchema.safeParse(message);
    if (read.success) channel.onmessage?.(read.data);
    return read.success;
  };
  if (heard !== null) {
    const send = channel.send.bind(channel);
    await new Promise<void>((resolve) => {
      // The host has had this answer.
      channel.send = async () => {
        channel.send = send;
        resolve();
      };
      take(heard);
    });
  }
  return { take, farewell: () => shownUrls.close(), close: () => server.close() };
}

/** The code for a resource that is not there, until 2025-11-25. */
const resourceNotFound = -32002;

/** The protocol side: lists come prebuilt, calls go to the dispatcher. */
function createServer(options: ServerOptions): {
  readonly server: Server;
  readonly shownUrls: ShownUrls;
} {
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, introduced);
  const lists = createLists(options);
  const requests = createRequests(options);
  const shownUrls = createShownUrls(server);
  const withApps = () => showsApps(server.getClientCapabilities()?.extensions, options.definitions);

  server.setRequestHandler(ListToolsRequestSchema, () => lists.tools(withApps()));
  server.setRequestHandler(ListResourcesRequestSchema, () => lists.resources(withApps()));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => lists.resourceTemplates());
  server.setRequestHandler(ListPromptsRequestSchema, () => lists.prompts());
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => ({
    ...(await requests.callTool(params.name, params.arguments, hostOfCall(server, shownUrls, extra))),
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
  return { server, shownUrls };
}
