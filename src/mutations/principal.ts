import type { Bearer } from '../connections/grant.ts';
import type { Account } from '../connections/status.ts';
import { ArtworkError } from '../errors.ts';
import type { AccountScope } from '../ledger/scope.ts';
import type { MutationPorts } from './ports.ts';

/** Whose entries of the ledger a call sees, and what the connection may do. */
export interface Principal {
  readonly scope: AccountScope;
  readonly account: Account;
}

/** @throws not_connected, reconnect_required; why the catalogue could not be started */
export async function currentPrincipal({ service, connections, user }: MutationPorts): Promise<Principal> {
  const [{ baseUrl }, account] = await Promise.all([service(), connections.account()]);
  const { subject, connection } = account;
  return { scope: { service: baseUrl, user, subject, connection }, account };
}

/** @throws not_connected where somebody else has signed in since the call began */
export function requireSameAccount({ subject, connection }: Bearer, scope: AccountScope): void {
  const same = subject === null ? connection === scope.connection : subject === scope.subject;
  if (same) return;
  throw new ArtworkError(
    'not_connected',
    'Another account was signed in meanwhile; nothing was sent for it.',
    {
      next: { why: 'A person signed in as somebody else: only they know for which account this was meant.' },
    },
  );
}
