import { z } from 'zod';
import { disconnectionWords } from '../../connections/disconnection-words.ts';
import { defineTool } from '../../mcp/tool.ts';

export const disconnectAccount = defineTool({
  name: 'disconnect_account',
  title: 'Disconnect the account',
  toolset: 'account',
  description:
    "Revokes the connection on the service and deletes it here; use is blocked at once. Artwork that was saved stays. Harmless without a connection. Connecting again needs the person's sign-in.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({}),
  output: z.object({ outcome: z.string(), explanation: z.string() }),
  async run(_, context) {
    const { connections } = await context.account();
    const disconnection = await connections.disconnect();
    return { structured: { outcome: disconnection.outcome, explanation: disconnectionWords(disconnection) } };
  },
});
