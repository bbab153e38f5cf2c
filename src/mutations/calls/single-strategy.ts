import { reasonNotToRepeat } from '../before-claim/revisions.ts';
import { showFirst } from '../batch/show-submission.ts';
import { answer } from '../answer/answer.ts';
import { isResumable } from '../answer/next.ts';
import { jsonOutgoing } from '../before-claim/outgoing.ts';
import { deliver } from '../delivery/deliver.ts';
import { type LookupResult, lookUp } from '../delivery/look-up.ts';
import { reopenUploadOutgoing } from '../delivery/upload.ts';
import { MutationError } from '../mutation-error.ts';
import { decideAfterMoved } from '../next-calls.ts';
import type { ArtworkError } from '../../errors.ts';
import type { Session } from '../session.ts';
import { statusOfSingle } from './status-single.ts';
import type { Resumed, Resuming, Strategy } from './strategy.ts';

/** A lookup that says 404 once may only have been early: the service is asked again after so many ms. */
const secondLookMs = 2_000;

const reopen: Resuming['reopen'] = async ({ time }, source, { mutation, view }) =>
  mutation.operation === 'upload_asset'
    ? reopenUploadOutgoing(source, mutation, view.entry, time)
    : jsonOutgoing(mutation);

/** A mutation of one request. */
export const single: Strategy = {
  deliver,
  show: (mutation) => ({ requests: [showFirst(mutation)] }),
  status: (session, view) => statusOfSingle(session, view),
  resume: {
    reopen,
    reopenSent: reopen,
    afterLease: (outgoing) => outgoing,
    async lookFirst(session, resumed) {
      const { service, ledger, scope } = session;
      const { mutation, view } = resumed;
      const seen = await lookTwice(session, resumed);
      if (seen.finding === 'absent' && isResumable(mutation, view.entry)) return null;
      const counted =
        seen.finding === 'ended' ? null : await ledger.countLookup(scope, mutation.clientMutationId);
      return answer(service, counted ?? seen.view, seen.observed);
    },
    async show({ ports, account, time }, { mutation }) {
      const moved = await reasonNotToRepeat(mutation, ports.owned, account.scopes, time.call());
      if (moved !== null) throw notRepeated(mutation.clientMutationId, moved);
      return {};
    },
    isRepeated: () => true,
  },
};

async function lookTwice(session: Session, { view }: Resumed): Promise<LookupResult> {
  const { ports, time } = session;
  const first = await lookUp(session, view, time.call());
  if (first.finding !== 'absent') return first;
  await ports.clock.sleep(secondLookMs, time.signal);
  time.check();
  return lookUp(session, view, time.call());
}

function notRepeated(clientMutationId: string, error: ArtworkError): MutationError {
  const { category, code, status, message, details } = error;
  const next = category === 'stale_revision' ? decideAfterMoved(message) : error.next;
  return new MutationError(category, message, { code, status, details, next, clientMutationId });
}
