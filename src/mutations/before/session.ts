import type { Account } from '../../connection/connections.ts';
import type { Ledger, Sequence } from '../../ledger/ledger.ts';
import { type AccountScope, compareAccounts, type MutationRow } from '../../ledger/rows.ts';
import { MutationError } from '../answer/result.ts';
import type { Caller } from '../caller.ts';
import type { MutationPorts, Service } from '../ports.ts';
import type { Runner } from '../run/runner.ts';

/** One call for the connected account: opened when the call begins, and handed to everything that it does. */
export interface Session {
  readonly ports: MutationPorts;
  readonly runner: Runner;
  readonly service: Service;
  /** What the connection may do. */
  readonly account: Account;
  readonly scope: AccountScope;
  readonly ledger: Ledger;
  readonly caller: Caller;
  /** What was done after this the caller can't have known. */
  readonly since: Sequence;
}

/**
 * Opens the session of a call: the connected account, its ledger, the service and the time.
 * @throws ArtworkError not_connected, reconnect_required; why the catalogue could not be started, or the ledger not be opened
 */
export async function openSession(ports: MutationPorts, runner: Runner, caller: Caller): Promise<Session> {
  // First of all: what is done while this call finds out whose it is, it can't have known either.
  const ledger = await ports.ledger();
  const since = await ledger.sequence();
  const [service, account] = await Promise.all([ports.service(), ports.connections.account()]);
  const { subject, connection } = account;
  const scope = { service: service.baseUrl, user: ports.user, subject, connection };
  return { ports, runner, service, account, scope, ledger, caller, since };
}

/**
 * Stops a call about a change of another account of this user. The id is told, and nothing of what it is for.
 * @throws MutationError not_found (`other_account`)
 */
export function requireOwn(row: MutationRow, scope: AccountScope): void {
  if (compareAccounts(row, scope) !== 'other') return;
  const message = `The id ${row.id} stands for a change of another account, which was signed in for ARTWORK_USER "${scope.user}" before. It is not sent for this account.`;
  const why = 'A person signs in to that account, or makes the change under a new id.';
  throw new MutationError('not_found', message, {
    clientMutationId: row.id,
    code: 'other_account',
    next: { why },
  });
}
