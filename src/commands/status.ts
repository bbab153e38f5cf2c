import { findLeftBehind, type LeftBehind } from '../app/left-behind.ts';
import { withApp } from '../app.ts';
import type { ConnectionStatus } from '../connection/status.ts';
import { keptBytesIn } from '../files/copies.ts';
import { ownCommand } from '../own-command.ts';
import { type Line, printLines } from '../terminal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  summary: 'service, user, scopes, expiry and where the secrets lie; never a token',
  usage: 'artwork-mcp status [--json]',
  options: {
    json: { about: 'prints one line of JSON', example: 'artwork-mcp status --json' },
  },
  settings: ['baseUrl', 'clientId', 'user', 'home'],
  examples: ['artwork-mcp status --json'],
  words: 0,
  exit: '0 also where nothing is connected',
  async run({ settings, options }) {
    await withApp(settings, async ({ parts }) => {
      const { connections, mutations } = await parts.account();
      const unsettledMutations = await mutations.countOpenForPerson();
      const keptBytes = await keptBytesIn(settings.home);
      const connection = await connections.status();
      const leftBehind = settings.store === null ? null : await findLeftBehind(settings, connection.service);
      const status = { ...connection, unsettledMutations, keptBytes };
      const left = leftBehind === null ? {} : { leftBehind };
      const service =
        settings.baseUrl === null
          ? `the embedded catalogue at ${status.service}; nothing is published`
          : status.service;
      printLines(
        options.json === true
          ? [JSON.stringify({ ...status, ...left })]
          : readable({ ...status, ...left, service }),
      );
    });
  },
};

interface Status extends ConnectionStatus {
  readonly unsettledMutations: number;
  /** Of the private copies of files that are to be sent. */
  readonly keptBytes: number;
  /** Changes in the store that was used before this one. */
  readonly leftBehind?: LeftBehind;
}

function readable(status: Status): Line[] {
  const { secrets } = status;
  const rows: [string, string | null][] = [
    ['Service', status.service],
    ['App', status.clientId],
    ['User', status.user],
    ['State', status.explanation],
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
    ['Kept files', kept(status.keptBytes)],
    ['Next', connectionNext(status)],
    ['Next', unsettledNext(status.unsettledMutations)],
    ['Left behind', status.leftBehind?.told ?? null],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(13)} ${value}`]));
}

function unsettled(mutations: number): string {
  if (mutations === 0) return 'no changes';
  return mutations === 1 ? '1 change' : `${mutations} changes`;
}

function kept(bytes: number): string | null {
  if (bytes === 0) return null;
  const size = bytes < 1_000_000 ? 'less than 1 MB' : `${Math.round(bytes / 1_000_000)} MB`;
  return `${size}, copies for changes; the next Set deletes those that no change has needed for a day`;
}

function unsettledNext(mutations: number): string | null {
  return mutations === 0
    ? null
    : `Your host goes on with it (resume_mutation). What is not settled: ${ownCommand('mutations --open')}`;
}

/** What a person does next about a connection; null: nothing has to be done. */
export function connectionNext({ state, user, withheld }: ConnectionStatus): string | null {
  const who = user === 'default' ? [] : ['--user', /^[\w.@-]+$/.test(user) ? user : `"${user}"`];
  const connect = ownCommand('connect', ...who);
  switch (state) {
    case 'not_connected':
      return `Reading the catalogue needs no account. To sign in: ${connect}`;
    case 'connected':
      return withheld.length === 0
        ? null
        : `Where you need what was not granted, ask for it again: ${connect}`;
    case 'uncertain':
      return `Go on; where a call says so, sign in again: ${connect}`;
    case 'reconnect_required':
      return `Sign in again: ${connect}`;
    case 'disconnecting':
      return `Disconnect again, so that the service hears of it: ${ownCommand('disconnect', ...who)}`;
  }
}
