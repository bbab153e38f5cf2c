import { createApp } from '../app.ts';
import type { ConnectionStatus } from '../connections/status.ts';
import { createLog } from '../log.ts';
import { printLines } from '../terminal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  summary: 'service, user, scopes, expiry and where the secrets lie; never a token',
  usage: 'artwork-mcp status [--json]',
  options: { json: { type: 'boolean', about: 'prints one line of JSON' } },
  examples: ['artwork-mcp status --json'],
  words: 0,
  async run({ settings, options }) {
    const app = createApp(settings, createLog(settings.logLevel));
    try {
      const { connections, mutations } = await app.parts.account();
      const unsettledMutations = await mutations.countOpenForPerson();
      const status = { ...(await connections.status()), unsettledMutations };
      printLines(options.json === true ? [JSON.stringify(status)] : readable(status));
    } finally {
      await app.close();
    }
  },
};

function readable(status: ConnectionStatus & { readonly unsettledMutations: number }): string[] {
  const { secrets } = status;
  const rows: [string, string | null][] = [
    ['Service', status.service],
    ['App', status.clientId],
    ['User', status.user],
    ['State', `${status.state}. ${status.explanation}`],
    ['Account', status.account ?? status.subject],
    ['Scopes', status.scopes.length === 0 ? null : status.scopes.join(' ')],
    ['Not granted', status.withheld.length === 0 ? null : status.withheld.join(' ')],
    ['Access until', status.expiresAt],
    ['Signed in', status.signedInAt],
    ['Renewed', status.renewedAt],
    [
      'Secrets',
      secrets === null ? null : `sealed; key in ${secrets.kind === 'keyring' ? 'the keyring' : secrets.path}`,
    ],
    ['Unsettled', unsettled(status.unsettledMutations)],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(13)} ${value}`]));
}

function unsettled(mutations: number): string {
  if (mutations === 0) return 'no changes';
  const some = mutations === 1 ? '1 change' : `${mutations} changes`;
  return `${some}; artwork-mcp mutations --open shows them`;
}
