import type { Bearer } from '../connection/row.ts';
import type { Account } from '../connection/connections.ts';
import { ArtworkError } from '../errors.ts';
import { type AccountScope, compareAccounts } from '../ledger/entry.ts';
import type { EntryView, Ledger } from '../ledger/ledger.ts';
import { nextIn } from './answer/table.ts';
import type { Caller } from './caller.ts';
import type { MutationPorts, Service } from './ports.ts';
import { MutationError } from './result.ts';
import type { Background } from './run/background.ts';

/** The entries of one account in the ledger, and all that a mutation may touch of the world. */
export interface AccountLedger {
  readonly ports: MutationPorts;
  readonly ledger: Ledger;
  readonly scope: AccountScope;
}

/** One call for the connected account: opened when the call begins, and handed to everything that it does. */
export interface Session extends AccountLedger, Caller {
  readonly service: Service;
  /** What the connection may do. */
  readonly account: Account;
  /** Carries on what outlives the call. */
  readonly background: Background;
}

/**
 * Opens the session of a call: the connected account, its ledger, the service and the time.
 * @throws not_connected, reconnect_required; why the catalogue could not be started, or the ledger not be opened
 */
export async function openSession(
  { ports, background }: Pick<Session, 'ports' | 'background'>,
  caller: Caller,
): Promise<Session> {
  return { ...(await openAccountLedger(ports)), ...caller, background };
}

/** The ledger of the connected account, for what is no call of its own. @throws as `openSession` */
export async function openAccountLedger(
  ports: MutationPorts,
): Promise<AccountLedger & Pick<Session, 'service' | 'account'>> {
  const [service, account] = await Promise.all([ports.service(), ports.connections.account()]);
  const { subject, connection } = account;
  const scope = { service: service.baseUrl, user: ports.user, subject, connection };
  return { ports, service, account, scope, ledger: await ports.ledger() };
}

/**
 * Stops a call during which another account was signed in.
 * @throws not_connected where another account was signed in since the call began
 */
export function requireSameAccount(bearer: Bearer, scope: AccountScope): void {
  if (compareAccounts(bearer, scope) === 'same') return;
  const message = 'Another account was signed in meanwhile, so nothing more was sent.';
  throw new ArtworkError('not_connected', message, { next: nextIn({ is: 'signed in as another' }) });
}

/**
 * Stops a call about a mutation of another account of this user. The id is told, and nothing of what it was for.
 * @throws MutationError not_found (`other_account`)
 */
export function requireOwnEntry({ entry, standing }: EntryView, scope: AccountScope): void {
  if (compareAccounts(entry, scope) !== 'other') return;
  const { clientMutationId } = entry;
  const message = `This id stands for a change of another account, for which ARTWORK_USER "${scope.user}" was signed in before (${standing}). It is not sent for this one.`;
  const next = nextIn({ is: 'id of another account' });
  throw new MutationError('not_found', message, { clientMutationId, code: 'other_account', next });
}
