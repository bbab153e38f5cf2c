import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Output } from './frames.ts';
import {
  isPlainRequest,
  isPlainToolCall,
  type OfferedLists,
  type PlainInitialize,
  plainlyCancelled,
} from './prebuilt.ts';
import { createServer, type ServerOptions } from './server.ts';
import { createToolCalls } from './tool-calls.ts';

/** A server of the SDK that speaks with the host. */
export interface ConnectedServer {
  /** Takes one message of the host's, as JSON has it. */
  take(message: unknown): void;
  farewell(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The SDK's server at the point where the conversation is.
 * @param leftOut is told of what is no message
 * @param opening the host's `initialize` where it was answered already; null: it is still to come
 */
export async function connectServer(
  options: ServerOptions,
  lists: OfferedLists,
  output: Pick<Output, 'send' | 'read'>,
  leftOut: () => void,
  opening: PlainInitialize | null,
): Promise<ConnectedServer> {
  const { server, callTool, farewell } = createServer(options, lists);
  const calls = createToolCalls(callTool, output);
  let toHost = output.send;
  const transport: Transport = {
    start: async () => {},
    send: async (message) => toHost(message),
    close: async () => transport.onclose?.(),
  };
  await server.connect(transport);
  const deliver = (message: JSONRPCMessage): void => transport.onmessage?.(message);
  if (opening !== null) {
    await new Promise<void>((resolve) => {
      // The host has had this answer.
      toHost = () => resolve();
      deliver(opening);
    });
    toHost = output.send;
  }

  const refuse = (id: RequestId | null, code: ErrorCode, message: string) =>
    output.send({ jsonrpc: '2.0', id, error: { code, message } });

  return {
    take(given) {
      if (isPlainRequest(given) && isPlainToolCall(given)) return calls.begin(given);
      const cancelled = plainlyCancelled(given);
      if (cancelled !== null && calls.cancel(cancelled.id, cancelled.reason)) return;
      const parsed = JSONRPCMessageSchema.safeParse(given);
      if (parsed.success) {
        const message = parsed.data;
        const wrong = isJSONRPCRequest(message) ? wrongParams(message) : null;
        if (wrong === null || !('id' in message)) deliver(message);
        else refuse(message.id ?? null, ErrorCode.InvalidParams, wrong);
      } else if (typeof given === 'object' && given !== null && 'id' in given && 'method' in given) {
        refuse(toldId(given.id), ErrorCode.InvalidRequest, notARequest);
      } else {
        leftOut();
      }
    },
    farewell,
    async close() {
      calls.cancelAll();
      await server.close();
    },
  };
}

const notARequest =
  'The message is no request of JSON-RPC 2.0: jsonrpc must be "2.0", id a string or an integer up to 2^53, params an object.';

/**
 * What a request that can't be read has for its id, where it can be told without loss; else null (JSON-RPC 2.0,
 * Response object). A larger number has lost its digits here, and might be the id of another request.
 */
function toldId(id: unknown): RequestId | null {
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null;
  return typeof id === 'string' ? id : null;
}

const schemas = {
  initialize: InitializeRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'prompts/list': ListPromptsRequestSchema,
  'prompts/get': GetPromptRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'completion/complete': CompleteRequestSchema,
};

/** In one sentence what is wrong with the parameters of a request; null: nothing, or the method is not known here. */
function wrongParams(request: JSONRPCRequest): string | null {
  const schema = Object.entries(schemas).find(([method]) => method === request.method)?.[1];
  const issue = schema?.safeParse(request).error?.issues[0];
  if (issue === undefined) return null;
  const place = issue.path.join('.');
  return `${request.method} can't be read: ${place} ${issue.code === 'invalid_type' ? `must be ${named(issue.expected)}` : 'is not right'}.`;
}

function named(type: string): string {
  switch (type) {
    case 'record':
    case 'object':
      return 'an object';
    case 'array':
      return 'a list';
    default:
      return `a ${type}`;
  }
}
