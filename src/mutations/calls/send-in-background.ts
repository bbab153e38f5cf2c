import type { EntryView } from '../../ledger/entry-view.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import type { BackgroundResult, StopSignals } from '../background.ts';
import type { Delivery, DeliveryResult } from '../delivery/delivery.ts';
import { MutationError } from '../mutation-error.ts';
import { nextStatus } from '../next-calls.ts';
import type { MutationResult } from '../result.ts';
import type { Session } from '../session.ts';
import { callStepsOf } from './call-steps.ts';

/**
 * Sends what is claimed, and answers when that has ended or the call's time has.
 * @param within the work is in the background already, with these signals
 */
export async function sendInBackground(
  { service, time, background }: Session,
  delivery: Omit<Delivery, 'signals' | 'progress'>,
  claimed: EntryView,
  within?: StopSignals,
): Promise<MutationResult> {
  const { outgoing, scope, ledger } = delivery;
  const { mutation } = outgoing;
  let waiting = true;
  const progress: Delivery['progress'] = (...told) => {
    if (waiting) time.progress(...told);
  };
  const work = async (signals: StopSignals): Promise<DeliveryResult> => {
    try {
      return await callStepsOf(mutation).deliver({ ...delivery, signals, progress });
    } finally {
      await outgoing.close();
    }
  };
  const running: Promise<BackgroundResult<DeliveryResult>> =
    within === undefined
      ? background.run(time, work)
      : work(within).then((value) => ({ ended: true, value }));
  const result = await running.finally(() => {
    waiting = false;
  });
  if (result.ended) return describeMutation(service, result.value.view, result.value.observed);
  const { clientMutationId } = mutation;
  if (time.signal.aborted) {
    throw new MutationError(
      'cancelled',
      'The call was cancelled, but the request may have left before: what becomes of it is recorded.',
      {
        clientMutationId,
        next: nextStatus(clientMutationId, 'This tells what became of it.'),
      },
    );
  }
  return describeMutation(service, (await ledger.read(scope, clientMutationId)) ?? claimed);
}
