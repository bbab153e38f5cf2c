import { requireScopes } from '../../catalogue/authorization.ts';
import { isUnsent } from '../../ledger/ledger.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { nextStatus } from '../answer/next.ts';
import { lookUpMutation } from '../delivery/look-up.ts';
import type { Mutation } from '../mutation.ts';
import { type Guarded, rehydrateMutation } from '../operations/find-operation.ts';
import { MutationError, type MutationResult } from '../result.ts';
import { requireSameAccount, type Session } from '../session.ts';
import type { FileSource } from '../upload-files.ts';
import { callStepsOf } from './call-steps.ts';
import { isOpenAndIdle, performMutation, sendInBackground, showDryRun } from './perform.ts';

/**
 * Goes on with a mutation under its first identity: what was not sent is sent as if for the first time; an
 * upload that the service goes on knowing nothing of is sent again, which it applies once, unless the revision that
 * guards it has moved; a submission goes on from its checkpoint; anything else that is not settled is looked up.
 */
export async function resumeById(
  session: Session,
  { clientMutationId: id, expectedUpdatedAt, dryRun = false }: Guarded,
  source: FileSource,
): Promise<MutationResult> {
  const { ports, service, ledger, scope, account, time } = session;
  const view = await ledger.read(scope, id);
  if (view === null) throw unknownHere(id);
  const mutation = rehydrateMutation(view.entry);
  if (mutation === null) return describeMutation(service, view);
  if (expectedUpdatedAt !== mutation.expectedUpdatedAt) throw otherRevision(id, expectedUpdatedAt, mutation);
  const { resume: how } = callStepsOf(mutation);
  const resumed = { view, mutation };
  if (isUnsent(view)) return performMutation(session, await how.reopen(session, source, resumed), dryRun);
  if (!isOpenAndIdle(view)) return describeMutation(service, view);
  const told = await how.lookFirst(session, resumed);
  if (told !== null) return told;

  if (!dryRun || mutation.declared === undefined) requireScopes(mutation.needed, account.scopes);
  const outgoing = await how.reopenSent(session, source, resumed);
  let sending = false;
  try {
    if (dryRun) {
      const shown = await how.show(session, resumed);
      return { ...showDryRun(session, { ...outgoing, names: view.entry.names }), ...shown };
    }
    const bearer = await ports.connections.bearer({ signal: time.signal });
    requireSameAccount(bearer, scope);
    time.check();
    const taken = await ledger.acquire(scope, id);
    if (taken.acquire === 'unknown') throw unknownHere(id);
    if (taken.acquire === 'ended') return describeMutation(service, taken.view);
    if (taken.acquire === 'busy') {
      const seen = await lookUpMutation(session, taken.view, time.call());
      return describeMutation(service, seen.view, seen.observed);
    }
    const { lease, view: claimed } = taken;
    const delivery = {
      ports,
      ledger,
      scope,
      lease,
      bearer,
      outgoing: how.afterLease(outgoing, { view: claimed, mutation }),
      repeated: how.isRepeated(claimed),
    };
    sending = true;
    return await sendInBackground(session, delivery, claimed);
  } finally {
    if (!sending) await outgoing.close();
  }
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
