import type { Disconnection } from './disconnect.ts';

/** What a disconnection came to, in sentences for people. */
export function disconnectionWords(disconnection: Disconnection): string {
  return `${outcomeWords(disconnection)}${leftoverWords(disconnection.unrevoked)}`;
}

function outcomeWords(disconnection: Disconnection): string {
  switch (disconnection.outcome) {
    case 'not_connected':
      return 'There was no connection.';
    case 'disconnected':
      return 'Disconnected: the service has revoked the connection, and it is deleted here.';
    case 'forgotten':
      return disconnection.why === 'unreadable'
        ? "Deleted here, but not revoked: what was stored can't be opened any more. End the connection in the account's Apps area."
        : "Deleted here, but the service would not revoke it. End the connection in the account's Apps area.";
    case 'not_revoked': {
      const code = disconnection.code === null ? '' : ` (${disconnection.code})`;
      const why = disconnection.why === 'network' ? 'could not be reached' : 'could not revoke it now';
      const reason = disconnection.reason === undefined ? '' : ` ${disconnection.reason}`;
      return `Use is blocked here, but the service ${why}${code}, so the connection still exists there.${reason} Disconnect again later: what that needs is kept.`;
    }
  }
}

function leftoverWords(unrevoked: number): string {
  if (unrevoked === 0) return '';
  return ` ${unrevoked} earlier ${unrevoked === 1 ? 'sign-in is' : 'sign-ins are'} still to be revoked: disconnect again later.`;
}
