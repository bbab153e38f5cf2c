import type { ConnectionStatus } from '../connections/status.ts';

/** What a person does next about a connection; null: nothing has to be done. */
export function connectionNext({ state, user, withheld }: ConnectionStatus): string | null {
  const who = user === 'default' ? '' : ` --user ${/^[\w.@-]+$/.test(user) ? user : `"${user}"`}`;
  switch (state) {
    case 'not_connected':
      return `artwork-mcp connect${who} signs in; reading the catalogue needs no account.`;
    case 'connected':
      return withheld.length === 0
        ? null
        : `artwork-mcp connect${who} asks again for what was not granted, where you need it.`;
    case 'uncertain':
      return `Go on; where a call says so, sign in again: artwork-mcp connect${who}.`;
    case 'reconnect_required':
      return `Sign in again: artwork-mcp connect${who}.`;
    case 'app_refused':
      return 'Mend the settings or the registered app, as the sentence says.';
    case 'disconnecting':
      return `Run it again, so that the service hears of it: artwork-mcp disconnect${who}.`;
  }
}
