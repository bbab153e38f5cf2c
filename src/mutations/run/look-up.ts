import { type Deadline, deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Ledger, Verdict } from '../../ledger/ledger.ts';
import type { MutationBody, MutationRow } from '../../ledger/rows.ts';
import type { Caller } from '../caller.ts';
import type { Change } from '../change.ts';
import type { MutationPorts } from '../ports.ts';
import { doubtOf, lookAt, lookAtSubmission, verdictOfFinding, verdictWithRevision } from './look.ts';
import { freeCopies } from './run.ts';
import type { Seen } from './runner.ts';

/** A status waits so long for news. ms */
const newsMs = 40_000;
/** Between two looks, each twice as long as the one before. ms */
const firstPauseMs = 1_000;
const longestPauseMs = 10_000;
/** How often it is asked whether the process that works on a change has ended. ms */
const liveMs = 1_000;

/** What one look brought. */
interface Looked {
  readonly verdict: Verdict | null;
  readonly error: ArtworkError | null;
  /** The service has it and works on it. */
  readonly isWorking: boolean;
  /** Nothing that a later look could tell. */
  readonly isFinal: boolean;
}

const nothing: Looked = { verdict: null, error: null, isWorking: false, isFinal: false };

/**
 * What became of a change that is not settled: waits for the process that works on it, or looks until something is proven,
 * as long as the caller waits. Sends nothing, and needs no lease.
 */
export async function lookUp(
  ports: MutationPorts,
  ledger: Ledger,
  change: Change,
  first: MutationRow,
  body: MutationBody,
  { deadline: callers }: Caller,
  closing: AbortSignal,
): Promise<Seen> {
  const { clock } = ports;
  const signal = AbortSignal.any([callers.signal, closing]);
  const deadline = deadlineIn(Math.min(callers.left(), newsMs), signal, clock);
  let row = first;
  let looked = nothing;
  let looks = 0;
  for (let pauseMs = firstPauseMs; ; ) {
    if (row.state === 'settled' || row.abandonedAt !== null) break;
    const isAnothers = row.isLive;
    // Nothing was ever sent for it: whatever the service shows is not this one.
    if (!isAnothers && row.state === 'claimed' && row.doubt === 'none') break;
    if (!isAnothers) {
      looked = await look(ports, change, row, body, deadline);
      looks += 1;
      if (looked.verdict !== null) {
        row = (await ledger.conclude(row, row.id, looked.verdict)) ?? row;
        await freeCopies(ports, row, body);
      }
      if (looked.verdict !== null || looked.isFinal) break;
    }
    const sleepMs = isAnothers ? liveMs : pauseMs;
    if (signal.aborted || deadline.left() <= sleepMs) break;
    await clock.sleep(sleepMs, signal);
    if (!isAnothers) pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    row = (await ledger.row(row, row.id)) ?? row;
  }
  if (looks > 0 && row.state !== 'settled') {
    const note = { isInconclusive: !looked.isWorking, isNews: false };
    row = (await ledger.noteLook(row, row.id, note)) ?? row;
  }
  return { row, error: looked.error };
}

async function look(
  ports: MutationPorts,
  change: Change,
  row: MutationRow,
  body: MutationBody,
  deadline: Deadline,
): Promise<Looked> {
  if (change.by === 'submission') {
    // Its admission alone brings its id: only a run can repeat it.
    if (row.submission === null) return { ...nothing, isFinal: true };
    const shown = await lookAtSubmission(ports, change, row, row.submission, deadline);
    if (shown instanceof ArtworkError) return { ...nothing, error: shown };
    if (shown.record === null) return nothing;
    const verdict = await verdictWithRevision(ports, shown.record, deadline);
    const error = doubtOf(shown.record);
    // What is left to be done of it, a run does. What the service itself does not know yet, a later look may tell.
    return { ...nothing, verdict, error, isWorking: error === null, isFinal: error === null };
  }
  const shown = await lookAt(ports, change, row, body.noticed, deadline);
  if (shown instanceof ArtworkError) return { ...nothing, error: shown };
  switch (shown.found) {
    case 'ended':
      return { ...nothing, verdict: verdictOfFinding(shown) };
    case 'working':
      return { ...nothing, isWorking: true };
    case 'nothing':
    case 'as before':
    case 'moved':
      return nothing;
  }
}
