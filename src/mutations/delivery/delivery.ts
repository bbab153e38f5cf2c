import type { Bearer } from '../../connections/grant.ts';
import { ArtworkError } from '../../errors.ts';
import { heartbeatEvery } from '../../ledger/entry.ts';
import {
  type ClaimResult,
  type EntryView,
  type Lease,
  type Ledger,
  mayClaimAgain,
  type NewEntry,
  type Settlement,
  type Step,
} from '../../ledger/ledger.ts';
import { createBackoff } from '../../wire/pacing.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import { nextStatus } from '../answer/next.ts';
import { type Finding, storeReceipt } from '../finding.ts';
import { requireNoConflict } from '../before-claim/conflicts.ts';
import type { Mutation, Outgoing } from '../mutation.ts';
import type { MutationPorts } from '../ports.ts';
import { MutationError } from '../result.ts';
import type { AccountLedger, StopSignals } from '../session.ts';
import { readCheckpoint } from '../submission.ts';

/** A mutation that was claimed and is to be sent. */
export interface Delivery extends AccountLedger {
  readonly outgoing: Outgoing;
  readonly lease: Lease;
  readonly bearer: Bearer;
  readonly signals: StopSignals;
  /**
   * A request was sent under this id before, and what became of it is unknown: the revision then is the first one, and
   * may have been changed by that request itself.
   */
  readonly repeated: boolean;
  readonly progress: (done: number, total: number | null, message: string) => void;
}

/** How a delivery stands at its end. */
export interface DeliveryResult {
  readonly view: EntryView;
  readonly observed: Observations;
  /** Whether this delivery still holds the lease, and has to release it. */
  readonly isHolder: boolean;
}

/** An entry of the ledger that this process holds. */
interface HeldEntry {
  readonly ports: Pick<MutationPorts, 'clock' | 'log'>;
  readonly ledger: Ledger;
  readonly lease: Lease;
}

interface Heartbeat {
  stop(): void;
}

/** Tells the other processes that the holder is at work. @param held the entry that is held at that moment */
export function startHeartbeat({ clock, log }: HeldEntry['ports'], held: () => HeldEntry): Heartbeat {
  const stopping = new AbortController();
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatEvery, stopping.signal);
      if (stopping.signal.aborted) return;
      const { ledger, lease } = held();
      try {
        await ledger.heartbeat(lease);
      } catch (error) {
        // A store that fails for a moment must not make the holder look dead for good.
        if (!(error instanceof ArtworkError)) throw error;
        log.warn(`The heartbeat of a mutation could not be recorded: ${error.message}`);
      }
    }
  };
  beat().catch(() => log.error('The heartbeat of a mutation has stopped.'));
  return { stop: () => stopping.abort('stopped') };
}

/**
 * Releases the lease of an entry, however the work ended. What could not be recorded is found out by a later
 * lookup.
 */
export async function releaseLease({ ports, ledger, lease }: HeldEntry): Promise<void> {
  try {
    await ledger.release(lease);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    ports.log.warn(`The lease of a mutation could not be released: ${error.message}`);
  }
}

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

/**
 * Frees the kept bytes of a submission that has ended or was given up. What may be sent again under its
 * identity keeps them.
 */
export async function releaseBlobsOfEnded(
  { blobs: kept, log }: Pick<MutationPorts, 'blobs' | 'log'>,
  { entry }: EntryView,
): Promise<void> {
  const checkpoint = readCheckpoint(entry.progress);
  const ended = entry.abandonedAt !== null || (entry.state === 'settled' && !mayClaimAgain(entry));
  if (checkpoint === null || !ended) return;
  await releaseOrWarn(kept.release(checkpoint.keeper), log);
}

/**
 * Frees kept bytes, and logs where that fails. What could not be freed is freed by a later sweep; the outcome
 * stands.
 */
export async function releaseOrWarn(work: Promise<void>, log: MutationPorts['log']): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    log.warn(`Kept bytes could not be freed: ${error.message}`);
  }
}

/** A mutation that this call has just claimed. */
interface Claimed {
  readonly mutation: Mutation;
  readonly claiming: Extract<ClaimResult, { readonly claim: 'leased' }>;
  /** When the call began, milliseconds since 1970. */
  readonly begunAt: number;
}

/**
 * Of two calls at the same moment neither may have seen the other before its claim; after it at least one does, and
 * one of them ends here as a conflict.
 * @throws ArtworkError `conflict`, or why the ledger can't be asked; the claim is released then
 */
export async function requireNoConflictAfterClaim(
  account: AccountLedger,
  { mutation, claiming: { lease, view }, begunAt }: Claimed,
): Promise<void> {
  const { ports, ledger } = account;
  try {
    await requireNoConflict(account, mutation, { view, begunAt, now: ports.clock.now() });
  } catch (error) {
    try {
      if (error instanceof ArtworkError) await ledger.settle(lease, { outcome: 'not_sent', error });
    } catch (failure) {
      // The caller hears of the conflict all the same, and nothing is sent.
      if (!(failure instanceof ArtworkError)) throw failure;
      ports.log.warn(`Why a mutation was not sent could not be recorded: ${failure.message}`);
    } finally {
      await releaseLease({ ports, ledger, lease });
    }
    throw error;
  }
}

/** The entry of a mutation as a claim makes it: a process that finds it after a crash has no other source. */
export function newEntryOf({ mutation, progress, names }: Outgoing): NewEntry {
  const { clientMutationId, operation, target, intent } = mutation;
  return { clientMutationId, operation, target, names, intent, progress };
}
