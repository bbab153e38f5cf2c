import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';

/** The folders that the host lets servers read, as `file:` URIs; asked anew each time, since they change. */
export async function hostRoots(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [];
  try {
    const { roots } = await server.listRoots(undefined, { signal, timeout: patienceMs });
    return roots.map(({ uri }) => uri);
  } catch (error) {
    // A host that declares roots and then tells none offers none; the settings may.
    if (error instanceof McpError) return [];
    throw error;
  }
}

const patienceMs = 5_000;
