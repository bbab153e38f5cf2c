import { unhurried } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { explainedConflictError, findObjections } from '../before/objection.ts';
import { compareRevisions, revisionsByGuard, selectGuards } from '../before/revisions.ts';
import type { Run } from './run.ts';

/**
 * A 409 is a stale revision where one more read shows another one (interface document, Errors); else it is told with
 * what it conflicts with now, where the service shows it.
 */
export async function explainConflict(run: Run, conflict: ArtworkError): Promise<ArtworkError> {
  const { account, prepared, signals } = run;
  const { ports } = account;
  const deadline = unhurried(signals.closing);
  try {
    const { scopes } = await ports.connections.account();
    const guards = selectGuards(prepared.mutation.guards, scopes, 'after a conflict');
    const records = revisionsByGuard(await compareRevisions(guards, ports.owned, deadline));
    const objections = await findObjections(ports, prepared, { records, deadline });
    return explainedConflictError(prepared, conflict, objections);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category !== 'stale_revision') return conflict;
    const { message, details, next } = error;
    const code = conflict.code === conflict.category ? undefined : conflict.code;
    const { status, issues } = conflict;
    return new ArtworkError('stale_revision', message, { code, status, issues, details, next });
  }
}
