import { findOutcome } from './find-outcome.ts';
import type { DeliveryResult, Delivery } from './delivery.ts';
import { type StoredReceipt, storeReceipt } from '../stored-receipt.ts';
import { resultOfStep, recordStep, recordFinding } from './record.ts';

const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** After that, whoever wants to know asks. */
const patienceMs = 10 * 60_000;

/** The service accepted it and works on it: waits for the end, long after the call has answered if need be. */
export async function followProcessing(delivery: Delivery, kept: StoredReceipt): Promise<DeliveryResult> {
  const { closing } = delivery.signals;
  const { ledger, lease, outgoing } = delivery;
  const step = await recordStep(delivery, () =>
    ledger.accept(lease, { receipt: storeReceipt(kept), progress: outgoing.progress }),
  );
  const until = delivery.ports.clock.monotonic() + patienceMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    if (closing.aborted || delivery.ports.clock.monotonic() > until) return resultOfStep(step);
    await delivery.ports.clock.sleep(pause, closing);
    const finding = await findOutcome(delivery);
    if (finding?.found === 'ended') return recordFinding(delivery, finding);
  }
}
