import { ArtworkError } from '../../errors.ts';
import { createBackoff } from '../../wire/backoff.ts';
import type { Settlement, Step } from '../../ledger/ledger.ts';
import { nextStatus } from '../next-calls.ts';
import type { DeliveryResult, Delivery } from './delivery.ts';
import { storeReceipt } from '../stored-receipt.ts';
import { MutationError } from '../mutation-error.ts';
import type { Finding } from '../finding.ts';

/** Settles the entry in the ledger. */
export async function recordSettlement(
  delivery: Delivery,
  settlement: Settlement,
  error?: ArtworkError,
): Promise<DeliveryResult> {
  return resultOfStep(
    await recordStep(delivery, () => delivery.ledger.settle(delivery.lease, settlement)),
    error,
  );
}

/** Settles the entry in the ledger by what the service shows. */
export function recordFinding(
  delivery: Delivery,
  { outcome, kept, error }: Extract<Finding, { found: 'ended' }>,
): Promise<DeliveryResult> {
  const warnings = [...kept.warnings, ...delivery.outgoing.warnings];
  return recordSettlement(delivery, { outcome, receipt: storeReceipt({ ...kept, warnings }), error });
}

/** Records in the ledger that the outcome is not known. */
export async function recordUnresolved(delivery: Delivery, error: ArtworkError): Promise<DeliveryResult> {
  return resultOfStep(
    await recordStep(delivery, () => delivery.ledger.markUnresolved(delivery.lease, error)),
  );
}

/** A step that the ledger recorded, as the result of a delivery. */
export function resultOfStep({ view, isHolder }: Step, error?: ArtworkError): DeliveryResult {
  return { view, isHolder, observed: error === undefined ? {} : { error } };
}

const pauses = { firstMs: 100, longestMs: 6_400 };
/** Some 13 seconds together. */
const mostPauses = 7;

/**
 * Records a step in the ledger, and tries again while the store can't take it. What the service said exists nowhere
 * else, so a disk that is full for a moment must not lose it.
 */
export async function recordStep(delivery: Delivery, write: () => Promise<Step>): Promise<Step> {
  const { closing } = delivery.signals;
  const backoff = createBackoff(delivery.ports.clock, pauses);
  for (let paused = 0; ; paused += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      if (paused === mostPauses || closing.aborted) throw unrecorded(delivery, error);
      await backoff.pause(closing);
    }
  }
}

function unrecorded({ outgoing: { mutation } }: Delivery, error: ArtworkError): MutationError {
  const { clientMutationId } = mutation;
  const message = `What became of the mutation could not be recorded. ${error.message}`;
  return new MutationError(error.category, message, {
    code: error.code,
    clientMutationId,
    next: nextStatus(clientMutationId, 'Once that is mended, this finds out what became of it.'),
    cause: error,
  });
}
