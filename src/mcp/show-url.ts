import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';

/**
 * URL elicitation, where the host declares it. Some hosts declare it and decline by themselves, some never
 * answer: whatever comes, the address also stands in the tool's answer, so nothing depends on it.
 */
export async function showUrl(
  server: Server,
  url: string,
  message: string,
  signal: AbortSignal,
): Promise<void> {
  if (server.getClientCapabilities()?.elicitation?.url === undefined) return;
  const params = { mode: 'url' as const, url, message, elicitationId: randomUUID() };
  try {
    await server.elicitInput(params, { signal, timeout: patienceMs });
  } catch (error) {
    // A host that answers with an error, or not in time, has shown nothing.
    if (!(error instanceof McpError)) throw error;
  }
}

/** Long enough for a person to read and agree; the call itself has to answer within a minute. */
const patienceMs = 30_000;
