import type { Disconnection } from './disconnect.ts';

/** The outcome of a disconnection, in sentences for people. */
export function disconnectionWords(disconnection: Disconnection): string {
  switch (disconnection.outcome) {
    case 'not_connected':
      return 'There was no connection.';
    case 'disconnected':
      return disconnectedWords(disconnection);
    case 'forgotten':
      switch (disconnection.why) {
        case 'unreadable':
          return "Deleted here, but not revoked: what was stored can't be opened any more. End the connection in the account's Apps area.";
        case 'no_token':
          return "Deleted here, but not revoked: the service's last answer held no token that could be. End the connection in the account's Apps area.";
        case 'refused':
          return `Deleted here, but the service would not revoke it${told(disconnection.code ?? null)}. End the connection in the account's Apps area.`;
      }
      break;
    case 'not_revoked':
      return `Use is blocked here, but the service ${obstacle(disconnection)}, so the connection still exists there.${reasonOf(disconnection)} Disconnect again later: what that needs is kept. If that fails too, the connection is ended here all the same.`;
    case 'ended_here':
      return `Ended here; whether the service still has the connection is not known, since it ${obstacle(disconnection)}.${reasonOf(disconnection)} The account's Apps area ends it there.`;
  }
}

function disconnectedWords({ gone, untold }: Extract<Disconnection, { outcome: 'disconnected' }>): string {
  if (untold === 'ended_before') {
    return 'Disconnected: the connection is deleted here. The service had ended it before, so nothing was sent.';
  }
  if (untold === 'elsewhere') {
    return 'Disconnected: another program has ended the connection meanwhile, and tells how.';
  }
  return gone === undefined
    ? 'Disconnected: the service has revoked the connection, and it is deleted here.'
    : `Disconnected: the connection is deleted here, and the service answered that it no longer knows it (${gone}), so there is nothing left to revoke.`;
}

function obstacle({ why, code }: { readonly why: string; readonly code: string | null }): string {
  return `${why === 'network' ? 'could not be reached' : 'did not revoke it'}${told(code)}`;
}

function reasonOf({ reason }: { readonly reason?: string | undefined }): string {
  return reason === undefined ? '' : ` ${reason}`;
}

function told(code: string | null): string {
  return code === null ? '' : ` (${code})`;
}
