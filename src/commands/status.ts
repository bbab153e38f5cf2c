import { withServices } from '../app/services.ts';
import type { ConnectionStatus } from '../connection/status.ts';
import { ArtworkError } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import type { Settings } from '../settings.ts';
import { printLine, printLines } from '../terminal.ts';
import { type Command, counted, inColumns, nextForPerson } from './command.ts';

export const command: Command = {
  summary: 'shows service, user, scopes, expiry, where the secrets are, and unsettled changes; never a token',
  usage: 'artwork-mcp status [--json]',
  options: { json: { about: 'prints one line of JSON' } },
  words: 0,
  exit: '0 also if nothing is connected',
  run: ({ settings, options }) =>
    withServices(settings, async ({ parts }) => {
      const { connections, mutations } = await parts.account();
      const { next, ...connection } = await connections.status().then(
        (status) => ({ ...status, next: connectionNext(status) }),
        (error: unknown) => withoutApp(error, settings),
      );
      const unsettledMutations = await mutations.countOpen();
      const status: Status = { ...connection, unsettledMutations };
      if (options.json === true) printLine(JSON.stringify(status));
      else printLines(readable(status, next, settings.baseUrl === null));
    }),
};

interface Status extends Omit<ConnectionStatus, 'clientId'> {
  readonly clientId: string | null;
  readonly unsettledMutations: number;
}

/** The status if the settings name no app, so that nobody can sign in. @throws any other error */
function withoutApp(error: unknown, { baseUrl, user }: Settings) {
  if (!(error instanceof ArtworkError) || error.code !== 'client_id_missing' || baseUrl === null) throw error;
  const none = { reason: null, clientId: null, subject: null, account: null, scopes: [], withheld: [] };
  const never = { expiresAt: null, renewable: false, signedInAt: null, renewedAt: null, secrets: null };
  const known = { state: 'not_connected' as const, explanation: error.message, service: baseUrl, user };
  return { ...known, ...none, ...never, next: nextForPerson(error) };
}

const resume = 'Ask your assistant to resume what is unsettled.';

function readable(status: Status, next: string | null, isEmbedded: boolean): string[] {
  const { service, secrets, scopes, withheld, unsettledMutations: unsettled } = status;
  const place = secrets?.kind === 'keyring' ? 'the keyring' : secrets?.path;
  return inColumns([
    ['Service', isEmbedded ? `the embedded catalogue at ${service}, which is only on this machine` : service],
    ['App', status.clientId],
    ['User', status.user],
    ['State', status.explanation],
    ['Account', status.account ?? status.subject],
    ['Scopes', scopes.length === 0 ? null : scopes.join(' ')],
    ['Not granted', withheld.length === 0 ? null : withheld.join(' ')],
    ['Access until', status.expiresAt],
    ['Signed in', status.signedInAt],
    ['Renewed', status.renewedAt],
    ['Secrets', secrets === null ? null : `sealed; the key is in ${place}`],
    ['Unsettled', unsettled === 0 ? 'no changes' : counted(unsettled, 'change')],
    ['Next', next],
    ['Next', unsettled === 0 ? null : `${resume} To list it: ${ownCommand('mutations --open')}`],
  ]);
}

/** What a person can do next about a connection; null where nothing is to be done. */
function connectionNext({ state, user, withheld }: ConnectionStatus): string | null {
  const who = user === 'default' ? [] : ['--user', /^[\w.@-]+$/.test(user) ? user : `"${user}"`];
  const connect = ownCommand('connect', ...who);
  switch (state) {
    case 'not_connected':
      return `Reading the catalogue needs no account. To sign in: ${connect}`;
    case 'connected':
      return withheld.length === 0 ? null : `If you need the scopes that are not granted: ${connect}`;
    case 'uncertain':
      return `Go on. When a call asks for it, sign in again: ${connect}`;
    case 'reconnect_required':
      return `Sign in again: ${connect}`;
    case 'disconnecting':
      return `Disconnect again, so that the service is told: ${ownCommand('disconnect', ...who)}`;
  }
}
