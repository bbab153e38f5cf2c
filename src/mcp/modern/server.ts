import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type JSONRPCMessage,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { invalidParams, isObject } from '../messages.ts';
import {
  Channel,
  createRequests,
  FoldersUntold,
  type HostOfCall,
  hostRoots,
  type ServerOptions,
  type Write,
} from '../requests.ts';
import { introduction } from '../surface.ts';

/** The SDK's server for hosts that name their revision in each request. */
export type ModernServer = ReturnType<typeof connectModernServer>;

/** Has the SDK's server answer what the build has not made. Nothing is kept from one request to the next. */
export function connectModernServer(options: ServerOptions, write: Write) {
  const channel = new Channel<JSONRPCMessage>(write);
  const { close } = serveStdio(() => createServer(options), { transport: channel, legacy: 'reject' });
  return {
    /** @param message a sound request, or that the host cancels one */
    take: (message: JSONRPCMessage): void => channel.onmessage?.(message),
    /** Aborts what is in flight. */
    close,
  };
}

function createServer(options: ServerOptions): Server {
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, {
    ...introduced,
    // A resource depends on the connected account, and changes any time.
    cacheHints: { 'resources/read': { ttlMs: 0, cacheScope: 'private' } },
  });
  const requests = createRequests(options, invalidParams);
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    try {
      return { ...(await requests.callTool(params.name, params.arguments, hostOfCall(mcpReq))) };
    } catch (error) {
      if (!(error instanceof FoldersUntold)) throw error;
      return inputRequired({ inputRequests: { [rootsKey]: inputRequired.listRoots() } });
    }
  });
  server.setRequestHandler('resources/read', ({ params }) => requests.readResource(params.uri));
  return server;
}

type CallRequest = ServerContext['mcpReq'];

const rootsKey = 'roots';

function hostOfCall(request: CallRequest): HostOfCall {
  const { signal, _meta: meta, notify, inputResponses, envelope } = request;
  const declared = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : null;
  const hasRoots = isObject(declared) && declared.roots !== undefined;
  return {
    signal,
    progressToken: meta?.progressToken ?? null,
    notifyProgress: (params) => notify({ method: 'notifications/progress', params }),
    roots: async () => {
      if (!hasRoots) return [];
      if (inputResponses === undefined) throw new FoldersUntold();
      // A host that has been asked, and does not tell its folders then, offers none; the settings may.
      return hostRoots.safeParse(inputResponses[rootsKey]).data?.roots ?? [];
    },
  };
}
