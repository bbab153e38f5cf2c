import { requireScopes } from '../../catalogue/scopes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { EntryView } from '../../ledger/standing.ts';
import { type Principal, requireSameAccount } from '../principal.ts';
import { answer } from '../answer/answer.ts';
import type { CallClock } from '../call-clock.ts';
import { lookUp } from '../delivery/look-up.ts';
import type { Mutation } from '../mutation.ts';
import { MutationError } from '../mutation-error.ts';
import { type MutationDependencies, perform, dryRunResult, sendInBackground } from './perform.ts';
import type { MutationResult } from '../result.ts';
import { isUnsent } from '../before-claim/same-intent.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint.ts';
import { showRest } from '../batch/show-submission.ts';
import { declaredBy, storedSubmissionOutgoing, openSubmissionOutgoing } from '../batch/outgoing.ts';
import { reportItems } from '../answer/items.ts';
import { requireAllBlobs } from '../batch/require-all-blobs.ts';

/** What is resumed, in whose ledger. */
export interface Resumed {
  readonly acting: Principal;
  readonly ledger: Ledger;
  readonly view: EntryView;
  readonly mutation: Mutation;
}

/**
 * Goes on with a submission from what the ledger and the kept bytes hold: what nothing was sent of is sent as if
 * for the first time; where the admission's answer was lost the identical one is sent; else the service is asked
 * what it lacks.
 */
export async function resumeSubmission(
  dependencies: MutationDependencies,
  { acting: principal, ledger, view, mutation }: Resumed,
  dryRun: boolean,
  time: CallClock,
): Promise<MutationResult> {
  const { ports } = dependencies;
  const service = await ports.service();
  const { scope, account } = principal;
  const { clientMutationId } = mutation;
  if (isUnsent(view)) {
    const checkpoint = readCheckpoint(view.entry.progress);
    await requireAllBlobs(ports.blobs, mutation, checkpoint);
    return perform(
      dependencies,
      storedSubmissionOutgoing(ports.blobs, mutation, notesOf(view)),
      time,
      dryRun,
    );
  }
  const open = view.standing === 'processing' || view.standing === 'unresolved';
  if (!open || view.live || view.entry.abandonedAt !== null) return answer(service, view);
  if (dryRun) {
    const checkpoint = notesOf(view);
    const outgoing = { ...openSubmissionOutgoing(mutation, checkpoint), names: view.entry.names };
    const items = reportItems(declaredBy(mutation), view, [], { after: null, limit: 25 });
    return { ...dryRunResult(outgoing, service), ...items, requests: showRest(mutation, checkpoint) };
  }
  requireScopes(mutation.needed, account.scopes);
  const bearer = await ports.connections.bearer({ signal: time.signal });
  requireSameAccount(bearer, scope);
  time.check();
  const taken = await ledger.acquire(scope, clientMutationId);
  if (taken.acquire === 'unknown') throw new TypeError('An entry that was just read is not there.');
  if (taken.acquire === 'ended') return answer(service, taken.view);
  if (taken.acquire === 'busy') {
    const seen = await lookUp(ports, ledger, scope, taken.view, time.call());
    return answer(service, seen.view, seen.observed);
  }
  const { lease, view: claimed } = taken;
  // Whoever had it may have gone on since it was first read: only what is noted now is known.
  const outgoing = { ...openSubmissionOutgoing(mutation, notesOf(claimed)), names: claimed.entry.names };
  const delivery = { outgoing, scope, ledger, lease, bearer, repeated: claimed.entry.doubt };
  return sendInBackground(dependencies, service, time, delivery, claimed);
}

function notesOf({ entry }: EntryView): Checkpoint {
  const checkpoint = readCheckpoint(entry.progress);
  if (checkpoint !== null) return checkpoint;
  const { clientMutationId } = entry;
  throw new MutationError('internal', 'What was noted of this submission was written by a newer version.', {
    clientMutationId,
    next: { why: 'A person has to update artwork-mcp; then resume_mutation goes on with it.' },
  });
}
