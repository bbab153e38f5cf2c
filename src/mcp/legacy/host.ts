import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { McpError, type ServerNotification, type ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { HostOfCall } from '../requests.ts';

/** What a tool has of the host that called it. */
export function hostOfCall(
  server: Server,
  shownUrls: ShownUrls,
  { signal, _meta: meta, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>,
): HostOfCall {
  return {
    signal,
    progressToken: meta?.progressToken ?? null,
    notifyProgress: (params) => sendNotification({ method: 'notifications/progress', params }),
    roots: () => hostRoots(server, signal),
    showUrl: (url, message, ended) => shownUrls.show(url, message, ended, signal),
    endsAfterCall: server.getClientVersion()?.name === statelessBridge,
  };
}

/**
 * An HTTP bridge that names itself only where it starts a server for one request, and ends it with the answer. Where a
 * server stays it passes on what the host says of itself.
 */
const statelessBridge = 'supergateway';

/** The folders that the host lets servers read, as `file:` URIs; asked anew each time, since they change. */
async function hostRoots(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [];
  try {
    const asked = { signal, timeout: rootsPatienceMs };
    const { roots } = await server.request({ method: 'roots/list' }, hostsRoots, asked);
    return roots.flatMap((root) => (root === null ? [] : [root.uri]));
  } catch (error) {
    // A host that declares roots and then tells none offers none; the settings may.
    if (error instanceof McpError) return [];
    throw error;
  }
}

/** Hosts name folders of other machines beside those of this one, of which the SDK takes none then. */
const hostsRoots = z.looseObject({
  roots: z.array(z.looseObject({ uri: z.string() }).nullable().catch(null)).catch([]),
});

const rootsPatienceMs = 5_000;

/** Addresses that the host shows to the person, each until what it is for has ended. */
export interface ShownUrls {
  /**
   * URL elicitation, where the host declares it. Some hosts declare it and decline by themselves, some never answer:
   * whatever comes, the address also stands in the tool's answer, so nothing depends on it.
   * @param ended settles once the address is of no use any more, however that came; the call may be over by then
   */
  show(url: string, message: string, ended: Promise<unknown>, signal: AbortSignal): Promise<void>;
  /** Tells the host that all of them have ended. */
  close(): Promise<void>;
}

/** Shows addresses through the host, and tells it once what each was for has ended. */
export function createShownUrls(server: Server): ShownUrls {
  const open = new Map<string, () => Promise<void>>();

  const complete = async (elicitationId: string): Promise<void> => {
    const notify = open.get(elicitationId);
    open.delete(elicitationId);
    try {
      await notify?.();
    } catch {
      // The host has gone, and its dialog with it.
    }
  };

  return {
    async show(url, message, ended, signal) {
      if (server.getClientCapabilities()?.elicitation?.url === undefined) return;
      const elicitationId = randomUUID();
      open.set(elicitationId, server.createElicitationCompletionNotifier(elicitationId));
      const over = () => complete(elicitationId);
      ended.then(over, over);
      const params = { mode: 'url' as const, url, message, elicitationId };
      try {
        await server.elicitInput(params, { signal, timeout: dialogPatienceMs });
      } catch (error) {
        // A host that answers with an error, or not in time, has shown nothing.
        if (!(error instanceof McpError)) throw error;
      }
    },
    async close() {
      await Promise.all([...open.keys()].map(complete));
    },
  };
}

/** Long enough for a person to read and agree; the call itself has to answer within a minute. */
const dialogPatienceMs = 30_000;
