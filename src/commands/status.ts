import { existsSync } from 'node:fs';
import { withServices } from '../app/services.ts';
import { systemClock as clock } from '../clock.ts';
import type { ConnectionStatus } from '../connection/status.ts';
import { ArtworkError } from '../errors.ts';
import { holdersOfMachine } from '../ledger/lease.ts';
import { createLedger } from '../ledger/open-ledger.ts';
import { ownCommand } from '../own-command.ts';
import type { Settings } from '../settings.ts';
import { storeFile } from '../store/home.ts';
import { openStore } from '../store/open.ts';
import { printLine, printLines } from '../terminal.ts';
import { type Command, counted, inColumns, nextForPerson } from './command.ts';

export const command: Command = {
  summary: 'shows service, user, scopes, expiry, where the secrets are, and unsettled changes; never a token',
  usage: 'artwork-mcp status [--json]',
  options: { json: { about: 'prints one line of JSON' } },
  settings: ['baseUrl', 'clientId', 'user', 'home'],
  examples: ['artwork-mcp status --json'],
  words: 0,
  exit: '0 also if nothing is connected',
  run: ({ settings, options }) =>
    withServices(settings, async ({ parts }) => {
      const { connections, mutations } = await parts.account();
      const { next, ...connection } = await connections.status().then(
        (status) => ({ ...status, next: connectionNext(status) }),
        (error: unknown) => withoutApp(error, settings),
      );
      const unsettledMutations = await mutations.countOpenForPerson();
      const leftBehind = await findLeftBehind(settings, connection.service);
      const status: Status = { ...connection, unsettledMutations, ...(leftBehind && { leftBehind }) };
      if (options.json === true) printLine(JSON.stringify(status));
      else printLines(readable(status, next, settings.baseUrl === null));
    }),
};

interface Status extends Omit<ConnectionStatus, 'clientId'> {
  readonly clientId: string | null;
  readonly unsettledMutations: number;
  readonly leftBehind?: LeftBehind;
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
    ['Left behind', status.leftBehind?.told ?? null],
  ]);
}

/** What a person can do next about a connection; null where nothing is to be done. */
export function connectionNext({ state, user, withheld }: ConnectionStatus): string | null {
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

/** Unsettled changes in the store that this machine used before it shared one with others. */
interface LeftBehind {
  readonly changes: number;
  /** For a person: where they are, and what to do. */
  readonly told: string;
}

/**
 * Looks into the data folder's own store where another store is used.
 * @param service `{base_url}`
 * @returns null where nothing is unsettled there
 */
export async function findLeftBehind(
  { store, home, user }: Settings,
  service: string,
): Promise<LeftBehind | null> {
  const file = storeFile(home);
  if (store === null || !existsSync(file)) return null;
  const own = await openStore({ home });
  try {
    const ledger = createLedger({ store: own, holders: holdersOfMachine(), clock });
    const changes = await ledger.countOpen({ service, user });
    if (changes === 0) return null;
    const told = [
      `${changes === 1 ? '1 change is' : `${changes} changes are`} unsettled in ${file}, which was used before ARTWORK_STORE was set.`,
      'Start the host once without ARTWORK_STORE, and ask it to resume them.',
      `Or give them up: ${ownCommand('mutations --open')}, then ${ownCommand('mutations abandon ID')}.`,
    ];
    return { changes, told: told.join(' ') };
  } finally {
    own.close();
  }
}
