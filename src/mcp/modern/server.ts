import type { Writable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type JSONRPCMessage,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Channel } from '../lines.ts';
import { isObject } from '../messages.ts';
import { createRequests, type HostOfCall, hostRoots, type ServerOptions } from '../requests.ts';
import { introduction } from '../surface.ts';

/** The SDK's server for hosts that name their revision in each request. */
export interface ModernServer {
  /** @param message a sound request, or that the host cancels one */
  take(message: JSONRPCMessage): void;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/** Has the SDK's server answer what the build has not made. Nothing is kept from one request to the next. */
export function connectModernServer(options: ServerOptions, output: Writable): ModernServer {
  const channel = new Channel<JSONRPCMessage>(output);
  const { close } = serveStdio(() => createServer(options), { transport: channel, legacy: 'reject' });
  return { take: (message) => channel.onmessage?.(message), close };
}

function createServer(options: ServerOptions): Server {
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, {
    ...introduced,
    // A resource depends on the connected account, and changes any time.
    cacheHints: { 'resources/read': { ttlMs: 0, cacheScope: 'private' } },
  });
  const requests = createRequests(options);
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (declaresRoots(mcpReq) && mcpReq.inputResponses === undefined) {
      const { readsHostFolders } = await options.answering();
      // Before anything is done: the call comes again from its beginning.
      if (readsHostFolders(params.name, params.arguments))
        return inputRequired({ inputRequests: { [rootsKey]: inputRequired.listRoots() } });
    }
    return { ...(await requests.callTool(params.name, params.arguments, hostOfCall(mcpReq))) };
  });
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    requests.readResource(params.uri, mcpReq.signal),
  );
  server.setRequestHandler('prompts/get', ({ params }) =>
    requests.getPrompt(params.name, params.arguments ?? {}),
  );
  server.setRequestHandler('completion/complete', ({ params }) => requests.complete(params));
  return server;
}

type CallRequest = ServerContext['mcpReq'];

const rootsKey = 'roots';

function hostOfCall(request: CallRequest): HostOfCall {
  const { signal, _meta: meta, notify, inputResponses } = request;
  const answered = hostRoots.safeParse(inputResponses?.[rootsKey]);
  return {
    signal,
    progressToken: meta?.progressToken ?? null,
    notifyProgress: (params) => notify({ method: 'notifications/progress', params }),
    // A host that has been asked, and does not tell its folders then, offers none; the settings may.
    roots: async () => (declaresRoots(request) && answered.success ? answered.data.roots : []),
    // A host that is asked to show an address gets no answer before it has: the address in the answer has to do.
    showUrl: async () => {},
  };
}

function declaresRoots({ envelope }: CallRequest): boolean {
  const declared = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : null;
  return isObject(declared) && declared.roots !== undefined;
}
