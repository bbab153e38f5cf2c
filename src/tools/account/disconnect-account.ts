import { z } from 'zod';
import { disconnectionWords } from '../../connection/disconnect.ts';
import { defineTool } from '../../mcp/tool.ts';

export const disconnectAccount = defineTool({
  name: 'disconnect_account',
  title: 'Disconnect the account: sign out (log out)',
  toolset: 'account',
  description:
    'Sign out (log out): revoke the connection and delete it here. Artwork stays. connect_account begins anew.',
  searchHint:
    'sign signout sign-out log logout log-out out off revoke forget remove unlink end close access connection',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({}),
  output: z.object({ outcome: z.string(), explanation: z.string() }),
  async run(_, context) {
    const { connections } = await context.account();
    const disconnection = await connections.disconnect();
    return { structured: { outcome: disconnection.outcome, explanation: disconnectionWords(disconnection) } };
  },
});
