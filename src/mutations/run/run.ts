import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { heartbeatEveryMs } from '../../ledger/lease.ts';
import { type Lease, LeaseLost, type Ledger } from '../../ledger/ledger.ts';
import { type MutationBody, type MutationRow, mayClaimAgain } from '../../ledger/rows.ts';
import type { TellProgress } from '../caller.ts';
import { callCancelledError } from '../caller.ts';
import type { Change } from '../change.ts';
import type { MutationPorts } from '../ports.ts';
import { keptErrorOf } from '../receipt.ts';
import type { Answered } from './decide.ts';

/** One process at work on one change, from the lease to its end. */
export interface Run<Of extends Change = Change> {
  readonly ports: MutationPorts;
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly change: Of;
  readonly body: MutationBody;
  /** As this run has written it last. */
  row: MutationRow;
  /** What the caller is told beside the row, once the run has ended or the call has to answer. */
  error: ArtworkError | null;
  /** Something was learnt that was not known before this run. */
  isNews: boolean;
  /** The sign-in that the service has shown the submission to, which it shows to its owner alone; null: none yet. */
  ownConnection: string | null;
  /** An earlier run had begun it. */
  readonly isResumed: boolean;
  readonly progress: TellProgress;
  /** Aborted once no request may begin any more: the caller gave up, this process closes, or the lease is lost. */
  readonly signal: AbortSignal;
  /** Aborted once the lease is lost: nothing more may leave, not of a body either. */
  readonly leaseSignal: AbortSignal;
  /** Aborted once this process closes: nothing is waited for any more. */
  readonly closing: AbortSignal;
  /** @throws ArtworkError `cancelled` once no request may begin any more */
  requireGoingOn(): void;
  loseLease(): void;
}

/**
 * Does a run's work under its lease: tells the ledger again and again that it is alive, and ends the lease however the
 * work ends. That another process has taken over ends the work without an error: that one goes on.
 */
export async function underLease(run: Run, work: () => Promise<void>): Promise<void> {
  const { ledger, lease, ports } = run;
  const done = new AbortController();
  const beating = beat(run, done.signal);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    run.loseLease();
  } finally {
    done.abort();
    await beating;
    try {
      await ledger.release(lease);
    } catch (error) {
      ports.log.warn(`The lease of the mutation ${lease.id} could not be given back: ${wordsOf(error)}`);
    }
  }
}

async function beat(run: Run, done: AbortSignal): Promise<void> {
  const { ledger, lease, ports } = run;
  for (;;) {
    await ports.clock.sleep(heartbeatEveryMs, done);
    if (done.aborted) return;
    try {
      if (await ledger.heartbeat(lease)) continue;
      if (!done.aborted) run.loseLease();
      return;
    } catch (error) {
      // The lease is asked for before anything leaves: a beat that can't be written lets nothing through.
      ports.log.warn(`A heartbeat of the mutation ${lease.id} could not be written: ${wordsOf(error)}`);
    }
  }
}

/** A disk that was full a moment ago may have room again: what was learnt is not given up at once. ms */
const writeAgainMs = [500, 1_000, 2_000, 5_000, 10_000] as const;

/**
 * Writes down what was learnt, and tries again while the store fails: only this process knows it.
 * @throws LeaseLost; the store's error after the last try
 */
export async function persist<Written>(run: Run, write: () => Promise<Written>): Promise<Written> {
  for (const pauseMs of writeAgainMs) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      run.ports.log.warn(
        `What became of the mutation ${run.lease.id} could not be written: ${error.message}`,
      );
      await run.ports.clock.sleep(pauseMs, AbortSignal.any([run.leaseSignal, run.closing]));
    }
  }
  return write();
}

/**
 * Writes down at once what an answer says of the doubt. What ends the change is written with its end.
 * @param isTellable whether a look can ever tell what became of a request that was turned away
 */
export async function noteAnswer(run: Run, answered: Answered, isTellable: boolean): Promise<void> {
  const { ledger, lease } = run;
  switch (answered) {
    case 'turned away':
      run.row = await persist(run, () => ledger.turnedAway(lease, isTellable));
      return;
    // A yes that does not say what was saved is none that can be told.
    case 'unreadable':
    case 'lost':
      run.row = await persist(run, () => ledger.turnedAway(lease, false));
      return;
    case 'unsent':
      run.row = await persist(run, () => ledger.unsent(lease));
      return;
    default:
      return;
  }
}

/** It stays open: the row says so, and why. What was begun before counts how often nothing came of it. */
export async function leave(run: Run): Promise<void> {
  const { ledger, lease, error, isNews } = run;
  run.row = await persist(run, () => ledger.leave(lease, error === null ? null : keptErrorOf(error)));
  if (!run.isResumed) return;
  const row = await persist(run, () => ledger.noteLook(lease, lease.id, { isInconclusive: true, isNews }));
  if (row !== null) run.row = row;
}

/** A conflict is a stale revision where one more read shows another one. */
export async function explained(run: Run, error: ArtworkError): Promise<ArtworkError> {
  const { change, ports, closing } = run;
  if (error.status !== 409) return error;
  const deadline = deadlineIn(explainMs, closing, ports.clock);
  try {
    const { owned } = ports;
    const reads = { owned, noticed: run.body.noticed, deadline };
    await change.requireCurrent('before a repetition', reads);
    return error;
  } catch (stale) {
    if (!(stale instanceof ArtworkError) || stale.failure !== 'stale_revision') return error;
    const code = error.code === error.failure ? undefined : error.code;
    return new ArtworkError('stale_revision', stale.message, { ...stale, code, status: 409, cause: error });
  }
}

const explainMs = 15_000;

/** Refusals by which the service shows that it has read the request. If it had applied an earlier one, it would have answered with its receipt. */
const weighed: ReadonlySet<number | undefined> = new Set([400, 413, 415, 422]);

/** What a definite refusal says of the request. */
export function refusalOf({ status }: ArtworkError): 'forbidden' | 'conflict' | 'refused' {
  if (status === 409) return 'conflict';
  return weighed.has(status) ? 'refused' : 'forbidden';
}

/** Frees the copies of what has ended; what may be claimed once more is sent from the same ones. */
export async function freeCopies(
  { copies, log }: MutationPorts,
  row: MutationRow,
  { keeper }: MutationBody,
): Promise<void> {
  if (keeper === null || row.state !== 'settled' || mayClaimAgain(row)) return;
  try {
    await copies.release(keeper);
  } catch (error) {
    // A later sweep frees them.
    log.warn(`The copies of the mutation ${row.id} could not be freed: ${wordsOf(error)}`);
  }
}

/** The signals of one run. */
export function signalsOf(caller: AbortSignal, closing: AbortSignal) {
  const lost = new AbortController();
  const signal = AbortSignal.any([caller, closing, lost.signal]);
  return {
    signal,
    leaseSignal: lost.signal,
    closing,
    loseLease: () => lost.abort(new LeaseLost('Another process goes on with this mutation.')),
    requireGoingOn() {
      if (lost.signal.aborted) throw new LeaseLost('Another process goes on with this mutation.');
      if (closing.aborted) throw new ArtworkError('cancelled', 'The server is closing.');
      if (caller.aborted) throw callCancelledError();
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unknown failure';
}
