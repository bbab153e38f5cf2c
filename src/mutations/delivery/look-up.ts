import type { Call } from '../../catalogue/call.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { type BackoffLimits, createBackoff } from '../../wire/pacing.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import { type Finding, nothingFound, type StoredReceipt, storeReceipt } from '../finding.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import type { MutationPorts } from '../ports.ts';
import type { AccountLedger, CallClock } from '../session.ts';
import {
  type Delivery,
  type DeliveryResult,
  recordFinding,
  recordStep,
  releaseBlobsOfEnded,
  resultOfStep,
} from './delivery.ts';

/**
 * - `ended`: the service says how it ended, and so does the ledger now.
 * - `working`: the service has it.
 * - `absent`: the service shows nothing of it, which proves nothing.
 * - `never`: no look can tell more.
 * - `unasked`: the service could not be asked.
 */
type LookupFinding = 'ended' | 'working' | 'absent' | 'never' | 'unasked';

export interface LookupResult {
  readonly finding: LookupFinding;
  readonly view: EntryView;
  readonly observed: Observations;
}

/** Looks at the service for what became of a mutation, and records what it says for certain enough. */
export async function lookUpMutation(
  { ports, ledger, scope }: AccountLedger,
  view: EntryView,
  call: Call,
): Promise<LookupResult> {
  const { entry } = view;
  const mutation = rehydrateMutation(entry);
  if (mutation === null) {
    const says = 'It was made by a newer version of this program, which has to be asked.';
    return told('never', view, nothingFound('lookup', says, true));
  }
  let finding: Finding;
  try {
    const { progress, names } = entry;
    finding = await mutation.find({ owned: ports.owned, progress, names, call });
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    const says = `The service could not be asked: ${error.message}`;
    return told('unasked', view, nothingFound(mutation.looksBy, says, false), error);
  }
  switch (finding.found) {
    case 'ended': {
      const { outcome, kept, error } = finding;
      const said = { outcome, receipt: storeReceipt(kept), error };
      const concluded = (await ledger.conclude(scope, entry.clientMutationId, said)) ?? view;
      await releaseBlobsOfEnded(ports, concluded);
      return { finding: 'ended', view: concluded, observed: {} };
    }
    case 'working':
      return told('working', view, finding);
    case 'nothing':
      return told(finding.final ? 'never' : 'absent', view, finding);
  }
}

function told(
  kind: LookupFinding,
  view: EntryView,
  finding: Exclude<Finding, { found: 'ended' }>,
  error?: ArtworkError,
): LookupResult {
  const evidence =
    finding.found === 'working'
      ? finding.kept.evidence
      : { by: finding.by, certainty: finding.certainty ?? ('unknown' as const), says: finding.says };
  const items = finding.found === 'working' ? finding.kept.items : undefined;
  const looked = { evidence, final: kind === 'never', working: kind === 'working', items };
  return { finding: kind, view, observed: { lookup: looked, error } };
}

/** How long one call waits for news, ms. */
const newsMs = 40_000;
const pauses = { firstMs: 500, longestMs: 8_000 };

/**
 * Asks until the answer is an end, or the time for news is over; answers what was heard last.
 * @param how `reserveMs`: what is left of the call's time for the answer itself
 */
export async function pollUntilEnded<Value>(
  { clock }: Pick<MutationPorts, 'clock'>,
  time: CallClock,
  ask: () => Promise<Value>,
  hasEnded: (value: Value) => boolean,
  how: BackoffLimits & { readonly reserveMs: number } = { ...pauses, reserveMs: 4_000 },
): Promise<Value> {
  const until = clock.monotonic() + Math.min(newsMs, time.left() - how.reserveMs);
  const backoff = createBackoff(clock, how);
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
