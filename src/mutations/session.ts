import type { Bearer } from '../connections/grant.ts';
import type { Account } from '../connections/status.ts';
import { ArtworkError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AccountScope } from '../ledger/scope.ts';
import type { CallClock } from './call-clock.ts';
import type { Background } from './background.ts';
import type { MutationPorts, Service } from './ports.ts';

/** The entries of one account in the ledger, and all that a mutation may touch of the world. */
export interface AccountLedger {
  readonly ports: MutationPorts;
  readonly ledger: Ledger;
  readonly scope: AccountScope;
}

/** One call for the connected account: opened when the call begins, and handed to everything that it does. */
export interface Session extends AccountLedger {
  readonly service: Service;
  /** What the connection may do. */
  readonly account: Account;
  readonly time: CallClock;
  /** Carries on what outlives the call. */
  readonly background: Background;
}

/**
 * Opens the session of a call: the connected account, its ledger, the service and the time.
 * @throws not_connected, reconnect_required; why the catalogue could not be started, or the ledger not be opened
 */
export async function openSession(
  { ports, background }: Pick<Session, 'ports' | 'background'>,
  time: CallClock,
): Promise<Session> {
  const [service, account] = await Promise.all([ports.service(), ports.connections.account()]);
  const { subject, connection } = account;
  const scope = { service: service.baseUrl, user: ports.user, subject, connection };
  return { ports, background, service, account, scope, ledger: await ports.ledger(), time };
}

/** The ledger of the connected account, for what is no call of its own. @throws as `openSession` */
export async function openAccountLedger(ports: MutationPorts): Promise<AccountLedger> {
  const [{ baseUrl }, account] = await Promise.all([ports.service(), ports.connections.account()]);
  const { subject, connection } = account;
  const scope = { service: baseUrl, user: ports.user, subject, connection };
  return { ports, scope, ledger: await ports.ledger() };
}

/**
 * Stops a call during which another account was signed in.
 * @throws not_connected where another account was signed in since the call began
 */
export function requireSameAccount({ subject, connection }: Bearer, scope: AccountScope): void {
  const same = subject === null ? connection === scope.connection : subject === scope.subject;
  if (same) return;
  throw new ArtworkError(
    'not_connected',
    'Another account was signed in meanwhile; nothing was sent for it.',
    {
      next: { why: 'A person signed in to another account: only they know for which one this was meant.' },
    },
  );
}
