import { z } from 'zod';
import { requireScopes } from '../../catalogue/scopes.ts';
import type { ArtworkError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import type { EntryView } from '../../ledger/standing.ts';
import { currentPrincipal, requireSameAccount } from '../principal.ts';
import { answer } from '../answer/answer.ts';
import type { Guarded } from '../arguments.ts';
import { nextStatus, decideAfterMoved } from '../next-calls.ts';
import type { CallClock } from '../call-clock.ts';
import { type LookupResult, lookUp } from '../delivery/look-up.ts';
import type { Mutation } from '../mutation.ts';
import { MutationError } from '../mutation-error.ts';
import { isResumable } from '../answer/next.ts';
import { checked, guarded } from '../operations/checked.ts';
import { jsonOutgoing, type Outgoing } from '../before-claim/outgoing.ts';
import { type MutationDependencies, perform, dryRunResult, sendInBackground } from './perform.ts';
import type { MutationPorts } from '../ports.ts';
import { rehydrate } from '../rehydrate.ts';
import { reasonNotToRepeat } from '../delivery/repeat.ts';
import type { MutationResult } from '../result.ts';
import { isUnsent } from '../before-claim/same-intent.ts';
import { resumeSubmission } from './resume-submission.ts';
import { reopenUploadOutgoing } from '../delivery/upload.ts';
import type { FileSource } from '../file-source.ts';

/** A lookup that says 404 once may only have been early: it is asked again after so long, ms. */
const secondLookMs = 2_000;

/**
 * Goes on with a mutation under its first identity: what was not sent is sent as if for the first time; an
 * upload that the service goes on knowing nothing of is sent again, which it applies once, unless the revision that
 * guards it has moved; anything else that is not settled is looked up.
 */
export async function resume(
  dependencies: MutationDependencies,
  args: Guarded,
  source: FileSource,
  time: CallClock,
): Promise<MutationResult> {
  const { ports } = dependencies;
  const { clientMutationId: id, expectedUpdatedAt } = checked(z.object(guarded), args);
  const service = await ports.service();
  const principal = await currentPrincipal(ports);
  const { scope, account } = principal;
  const ledger = await ports.ledger();
  const view = await ledger.read(scope, id);
  if (view === null) throw unknownHere(id);
  const mutation = rehydrate(view.entry);
  if (mutation === null) return answer(service, view);
  if (expectedUpdatedAt !== mutation.expectedUpdatedAt) throw otherRevision(id, expectedUpdatedAt, mutation);
  const dryRun = args.dryRun === true;
  if (mutation.declared !== undefined) {
    return resumeSubmission(dependencies, { acting: principal, ledger, view, mutation }, dryRun, time);
  }
  if (isUnsent(view)) {
    return perform(dependencies, await reopen(source, mutation, view, time), time, dryRun);
  }
  const open = view.standing === 'processing' || view.standing === 'unresolved';
  if (!open || view.live || view.entry.abandonedAt !== null) return answer(service, view);

  const seen = await lookTwice(ports, ledger, scope, view, time);
  if (seen.finding !== 'absent' || !isResumable(mutation, view.entry)) {
    const counted = seen.finding === 'ended' ? null : await ledger.countLookup(scope, id);
    return answer(service, counted ?? seen.view, seen.observed);
  }
  requireScopes(mutation.needed, account.scopes);
  const outgoing = await reopen(source, mutation, view, time);
  let sending = false;
  try {
    if (dryRun) {
      const moved = await reasonNotToRepeat(mutation, ports.owned, account.scopes, time.call());
      if (moved !== null) throw notRepeated(id, moved);
      return dryRunResult({ ...outgoing, names: view.entry.names }, service);
    }
    const bearer = await ports.connections.bearer({ signal: time.signal });
    requireSameAccount(bearer, scope);
    time.check();
    const taken = await ledger.acquire(scope, id);
    if (taken.acquire === 'unknown') throw unknownHere(id);
    if (taken.acquire !== 'leased') return answer(service, taken.view);
    sending = true;
    const { lease } = taken;
    const delivery = { outgoing, scope, ledger, lease, bearer, repeated: true };
    return await sendInBackground(dependencies, service, time, delivery, taken.view);
  } finally {
    if (!sending) await outgoing.close();
  }
}

async function lookTwice(
  ports: MutationPorts,
  ledger: Ledger,
  scope: AccountScope,
  view: EntryView,
  time: CallClock,
): Promise<LookupResult> {
  const first = await lookUp(ports, ledger, scope, view, time.call());
  if (first.finding !== 'absent') return first;
  await ports.clock.sleep(secondLookMs, time.signal);
  time.check();
  return lookUp(ports, ledger, scope, view, time.call());
}

async function reopen(
  source: FileSource,
  mutation: Mutation,
  { entry }: EntryView,
  time: CallClock,
): Promise<Outgoing> {
  return mutation.operation === 'upload_asset'
    ? reopenUploadOutgoing(source, mutation, entry, time)
    : jsonOutgoing(mutation);
}

function unknownHere(id: string): MutationError {
  return new MutationError(
    'not_found',
    "This machine's ledger has no mutation of this id for the connected account, so there is nothing to go on with.",
    {
      clientMutationId: id,
      next: nextStatus(id, 'It may be an upload of another machine: this asks the service for it.'),
    },
  );
}

function notRepeated(clientMutationId: string, error: ArtworkError): MutationError {
  const { category, code, status, message, details } = error;
  const next = category === 'stale_revision' ? decideAfterMoved(message) : error.next;
  return new MutationError(category, message, { code, status, details, next, clientMutationId });
}

function otherRevision(
  clientMutationId: string,
  expectedUpdatedAt: string | null,
  mutation: Mutation,
): MutationError {
  return new MutationError(
    'stale_revision',
    'expectedUpdatedAt is not that of the first call, which is what a resume goes on with.',
    {
      clientMutationId,
      details: { expectedUpdatedAt, firstExpectedUpdatedAt: mutation.expectedUpdatedAt },
      next: {
        tool: 'resume_mutation',
        arguments: { clientMutationId, expectedUpdatedAt: mutation.expectedUpdatedAt },
        why: 'With the revision of the first call it goes on.',
      },
    },
  );
}
