import { withServices } from '../app/services.ts';
import { disconnectionWords } from '../connection/disconnect.ts';
import { printLine } from '../terminal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  summary: 'revokes the connection of the selected user, then deletes it here',
  usage: 'artwork-mcp disconnect',
  options: {},
  words: 0,
  exit: '0 also if nothing was connected; 1 if the service could not revoke it',
  run: ({ settings }) =>
    withServices(settings, async ({ parts }) => {
      const { connections } = await parts.account();
      const disconnection = await connections.disconnect();
      printLine(disconnectionWords(disconnection));
      if (disconnection.outcome === 'not_revoked') process.exitCode = 1;
    }),
};
