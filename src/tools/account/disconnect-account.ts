import { z } from 'zod';
import { disconnectionWords } from '../../connection/disconnect.ts';
import { defineTool } from '../../mcp/tool.ts';

export const disconnectAccount = defineTool({
  name: 'disconnect_account',
  title: 'Disconnect the account: sign out (log out)',
  toolset: 'account',
  description:
    'Sign out (log out): revokes the connection and deletes it here. The artwork stays. connect_account signs in again.',
  searchHint: 'sign-out logout out off forget remove unlink end close access',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({}),
  output: z.looseObject({ outcome: z.string(), explanation: z.string() }),
  async run(_, context) {
    const { connections } = await context.account();
    const disconnection = await connections.disconnect();
    return { structured: { outcome: disconnection.outcome, explanation: disconnectionWords(disconnection) } };
  },
});
