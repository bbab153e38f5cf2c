import { ArtworkError } from '../../errors.ts';
import { createBackoff } from '../../wire/backoff.ts';
import type { CallClock } from '../call-clock.ts';
import type { Finding } from '../finding.ts';
import type { MutationPorts } from '../ports.ts';
import { storeReceipt, type StoredReceipt } from '../stored-receipt.ts';
import type { Delivery, DeliveryResult } from './delivery.ts';
import { recordFinding, recordStep, resultOfStep } from './record.ts';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
/** What is left of a call's time for the answer itself, ms. */
const reserveMs = 4_000;
const pauses = { firstMs: 500, longestMs: 8_000 };

/** Asks until the answer is an end, or the time for news is over; answers what was heard last. */
export async function pollUntilEnded<Value>(
  { clock }: Pick<MutationPorts, 'clock'>,
  time: CallClock,
  ask: () => Promise<Value>,
  hasEnded: (value: Value) => boolean,
): Promise<Value> {
  const until = clock.monotonic() + Math.min(newsMs, time.left() - reserveMs);
  const backoff = createBackoff(clock, pauses);
  for (;;) {
    const value = await ask();
    if (hasEnded(value) || clock.monotonic() + backoff.nextMs >= until) return value;
    await backoff.pause(time.signal);
    time.check();
  }
}

/** What the service shows of a mutation that was sent; null where it could not be asked, which tells nothing. */
export async function pollOutcomeOnce(delivery: Delivery): Promise<Finding | null> {
  const { mutation, progress, names } = delivery.outgoing;
  try {
    const call = { signal: delivery.signals.closing };
    return await mutation.find({ owned: delivery.ports.owned, progress, names, call });
  } catch (error) {
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

/** After that the caller has to ask. */
const followMs = 10 * 60_000;

/** The service accepted it and works on it: waits for the end, long after the call has answered if need be. */
export async function pollProcessing(delivery: Delivery, kept: StoredReceipt): Promise<DeliveryResult> {
  const { closing } = delivery.signals;
  const { ledger, lease, outgoing } = delivery;
  const step = await recordStep(delivery, () =>
    ledger.accept(lease, { receipt: storeReceipt(kept), progress: outgoing.progress }),
  );
  const { clock } = delivery.ports;
  const until = clock.monotonic() + followMs;
  const backoff = createBackoff(clock, pauses);
  for (;;) {
    if (closing.aborted || clock.monotonic() > until) return resultOfStep(step);
    await backoff.pause(closing);
    const finding = await pollOutcomeOnce(delivery);
    if (finding?.found === 'ended') return recordFinding(delivery, finding);
  }
}
