import { isSameId } from '../../catalogue/records/members.ts';
import { jsonBytes, sendable, submissionId as submissionIdOf } from '../../catalogue/request.ts';
import {
  completeSubmission,
  readSubmission,
  type Submission as SubmissionRecord,
} from '../../catalogue/submission.ts';
import { deadlineIn } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Submission } from '../change.ts';
import { keptErrorOf, storeReceipt } from '../receipt.ts';
import { type Answered, decideAdmission } from './decide.ts';
import { doubtOf, lookAtSubmission, receiptOfSubmission, verdictOf, verdictWithRevision } from './look.ts';
import { explained, freeCopies, leave, noteAnswer, persist, type Run, refusalOf } from './run.ts';
import { createTransfers, type Transfers } from './transfers.ts';
import { type Answer, createWire, isForPerson, longestPauseMs, type Wire } from './wire.ts';

/** A run of a submission ends so long after the last news, at a person. ms */
const patienceMs = 110_000;
/** What the service has accepted whole may take it long, and it says nothing meanwhile. ms */
const completedPatienceMs = 600_000;
const readsMs = 20_000;
/** Between two looks at a submission that goes on, ms. */
const firstPauseMs = 1_000;
const longestLookPauseMs = 10_000;

/**
 * Makes a Set, or edits one, with its files: admission, transfers, completion, and looks until it has ended. Any process
 * goes on with it from what the ledger has of it.
 */
export async function runSubmission(run: Run<Submission>): Promise<void> {
  const wire = createWire(run);
  const admitted = run.row.submission === null ? await admit(run, wire) : null;
  const { state, submission } = run.row;
  if (submission !== null && state === 'accepted') await finish(run, wire, submission, admitted);
  await freeCopies(run.ports, run.row, run.body);
}

/** Sends the admission until its receipt is there: the same bytes under the same identity. Null: it has ended, or stays open. */
async function admit(run: Run<Submission>, wire: Wire): Promise<SubmissionRecord | null> {
  const { change, ledger, lease, ports } = run;
  let answer: Answer | null = null;
  let receipt: SubmissionRecord | null = null;
  let answered: Answered = null;
  let conflicts = 0;
  let isStale = false;
  for (let sent = 0; ; ) {
    const step = decideAdmission({ doubt: run.row.doubt, answer: answered, sent, conflicts, isStale });
    switch (step.do) {
      case 'send': {
        await ports.clock.sleep(step.afterMs, run.signal);
        const isFirst = run.row.doubt === 'none';
        answer = await sendAdmission(run, wire);
        sent += 1;
        receipt = answer.is === 'applied' ? readOwn(answer.body, change) : null;
        if (isFirst && receipt !== null && isForeign(receipt, change)) {
          answer = { is: 'refused', error: foreignError(receipt, change) };
          receipt = null;
        }
        answered = answeredOf(answer, receipt);
        run.error = 'error' in answer ? await explained(run, answer.error) : null;
        if (answered === 'conflict') conflicts += 1;
        isStale = run.error?.failure === 'stale_revision';
        // A conflict may be one with itself, brought twice by the network.
        await noteAnswer(run, answered === 'conflict' ? 'turned away' : answered, true);
        if (answer.is === 'turned away' && answer.waitMs > longestPauseMs) return leaveNull(run);
        // Also where what it rests on has moved meanwhile: then it is for a person.
        if (isForPerson(answer) && run.row.doubt !== 'none') return leaveNull(run);
        break;
      }
      case 'accept': {
        if (receipt === null) throw new TypeError('There is no receipt to accept.');
        const kept = storeReceipt(receiptOfSubmission(receipt));
        const { submissionId } = receipt;
        run.row = await persist(run, () => ledger.accept(lease, kept, submissionId));
        await concludeIfEnded(run, receipt);
        return receipt;
      }
      case 'end': {
        const { error } = run;
        if (step.clear) run.row = await persist(run, () => ledger.clear(lease));
        const kept = error === null ? null : keptErrorOf(error);
        run.row = await persist(run, () => ledger.changedNothing(lease, step.as, kept));
        return null;
      }
      case 'leave':
        return leaveNull(run);
    }
  }
}

async function leaveNull(run: Run): Promise<null> {
  await leave(run);
  return null;
}

async function sendAdmission(run: Run<Submission>, wire: Wire): Promise<Answer> {
  const { change, ports, ledger, lease, body } = run;
  const request = change.admission();
  try {
    await wire.ready();
    const deadline = deadlineIn(readsMs, run.signal, ports.clock);
    const reads = { owned: ports.owned, noticed: null, deadline };
    const isFirst = run.row.doubt === 'none';
    await change.requireCurrent(isFirst ? 'before sending' : 'before a repetition', reads);
    run.row = await ledger.send(lease);
  } catch (error) {
    if (error instanceof ArtworkError) return { is: 'unsent', error };
    throw error;
  }
  // What is repeated is repeated to the letter.
  const bytes = body.admission === null ? jsonBytes(request) : Buffer.from(body.admission);
  return wire.sendOne((token) => sendable(request, token, bytes));
}

function answeredOf(answer: Answer, receipt: SubmissionRecord | null): Answered {
  switch (answer.is) {
    case 'applied':
      if (receipt === null) return 'unreadable';
      if (receipt.submissionId !== null) return 'working';
      return verdictOf(receipt) === null ? 'unreadable' : 'ended';
    case 'refused':
      return refusalOf(answer.error);
    default:
      return answer.is;
  }
}

/** The record in an answer; null where it is another's, from a cache between, say. */
function readOwn(body: unknown, { kind, id }: Submission): SubmissionRecord | null {
  const record = readSubmission(body, kind);
  return record.mutationId === null || isSameId(record.mutationId, id) ? record : null;
}

/**
 * Whether a submission has ended, or holds files, of which this ledger has sent none: the same admission was made from
 * elsewhere before. An admission carries no digests, so that those files are the ones that are meant now is not shown.
 */
function isForeign(shown: SubmissionRecord, change: Submission): boolean {
  const own = new Set(
    change.items.flatMap(({ file, itemId }) => (file === null ? [] : [itemId.toLowerCase()])),
  );
  if (own.size === 0) return false;
  const states = new Set(
    shown.items.flatMap(({ itemId, state }) => (own.has(itemId?.toLowerCase() ?? '') ? [state] : [])),
  );
  if (verdictOf(shown) !== null || states.has('succeeded') || states.has('failed')) return true;
  // "After a file is uploaded, its item can stay processing" (States, rule 2); some services call all of them so.
  return states.has('processing') && states.size > 1;
}

function foreignError({ submissionId, outcome }: SubmissionRecord, { id, kind }: Submission): ArtworkError {
  const message = `The id ${id} belongs to an earlier submission that is not in this machine's ledger. This call sent no files and changed nothing. It is not known whether that submission has these files.`;
  return new ArtworkError('conflict', message, {
    details: { earlierSubmission: { submissionId, kind, outcome: outcome ?? 'processing' } },
    next: {
      tool: 'get_mutation_status',
      arguments: { submissionId, kind },
      why: 'It tells how that submission stands.',
    },
  });
}

/** Records how it ended, where the service says so. */
async function concludeIfEnded(run: Run, shown: SubmissionRecord): Promise<boolean> {
  const { ledger, lease, ports } = run;
  const verdict = await verdictWithRevision(ports, shown, deadlineIn(readsMs, run.closing, ports.clock));
  if (verdict === null) return false;
  const row = await persist(run, () => ledger.conclude(lease, lease.id, verdict));
  if (row !== null) run.row = row;
  run.error = null;
  return true;
}

/** Transfers, completes and looks, until the service says how it ended or there was no news for too long. */
async function finish(
  run: Run<Submission>,
  wire: Wire,
  submissionId: string,
  admitted: SubmissionRecord | null,
): Promise<void> {
  const { change, ports } = run;
  const transfers = await createTransfers(run, wire, submissionIdOf.parse(submissionId));
  const look = async (): Promise<SubmissionRecord | null> => {
    const deadline = deadlineIn(readsMs, run.closing, ports.clock);
    const found = await lookAtSubmission(ports, change, run.row, submissionId, deadline);
    if (found instanceof ArtworkError) {
      run.error = found;
      return null;
    }
    if (found.record !== null) run.ownConnection = found.connection;
    return found.record;
  };

  let shown = admitted !== null && admitted.items.length > 0 ? admitted : await look();
  let lastNews = ports.clock.monotonic();
  let isCompleted = false;
  /** A completion may be under way of which no answer came. */
  let isDoubtful = run.isResumed;
  let pauseMs = firstPauseMs;
  let seen = '';
  let heard: SubmissionRecord | null = null;
  for (;;) {
    if (shown !== null && shown !== heard) {
      heard = shown;
      if (await concludeIfEnded(run, shown)) return;
      const doubt = doubtOf(shown);
      run.error = doubt ?? (run.error?.code === 'service_unresolved' ? null : run.error);
      // All is with the service, and it says that it can't tell: nothing is left to do here, and each status looks again.
      if (isCompleted && doubt !== null) return leave(run);
      const now = JSON.stringify([shown.outcome, shown.items.map(({ status }) => status)]);
      const isNews = (await transfers.hear(shown)) || now !== seen;
      if (isNews) {
        run.isNews ||= seen !== '';
        lastNews = ports.clock.monotonic();
        pauseMs = firstPauseMs;
      }
      seen = now;
    }
    const patience = isCompleted ? completedPatienceMs : patienceMs;
    // Once all is with the service only the end of this process stops the looking.
    const isStopped = isCompleted ? run.closing.aborted || run.leaseSignal.aborted : run.signal.aborted;
    if (isStopped || transfers.hindrance() !== null) return stop(run, transfers);
    if (ports.clock.monotonic() - lastNews > patience) {
      const untold = isCompleted || shown === null ? 0 : transfers.undecided();
      if (untold > 0) run.error = untoldError(untold, run.error);
      return stop(run, transfers);
    }

    // What the service calls a file of which it has nothing is seen before one is sent: later nothing would tell it.
    if (!isCompleted && shown !== null && transfers.isDue()) {
      if (await transfers.send()) {
        run.isNews = true;
        lastNews = ports.clock.monotonic();
        pauseMs = firstPauseMs;
      } else {
        await ports.clock.sleep(pauseMs, run.signal);
        pauseMs = Math.min(pauseMs * 2, longestLookPauseMs);
      }
      if (transfers.undecided() > 0 || transfers.isDue()) shown = await look();
      continue;
    }
    // Where something may be under way, only what the service shows since says that it is to be completed.
    const isTold = shown !== null || (transfers.undecided() === 0 && !isDoubtful);
    if (!isCompleted && isTold && !transfers.isDue() && !transfers.isSuspected()) {
      const completion = completeSubmission(change.kind, submissionIdOf.parse(submissionId));
      const answer = await wire.sendOne((token) => sendable(completion, token, jsonBytes(completion)));
      run.error = 'error' in answer ? answer.error : null;
      isDoubtful = answer.is === 'lost' || answer.is === 'turned away';
      if (answer.is === 'applied') {
        isCompleted = true;
        run.isNews = true;
        lastNews = ports.clock.monotonic();
        shown = readOwn(answer.body, change);
        continue;
      }
      if (answer.is === 'refused' && transfers.name(answer.error)) continue;
      if (isForPerson(answer)) return stop(run, transfers);
    }
    const until = isCompleted ? AbortSignal.any([run.closing, run.leaseSignal]) : run.signal;
    await ports.clock.sleep(pauseMs, until);
    pauseMs = Math.min(pauseMs * 2, longestLookPauseMs);
    shown = await look();
  }
}

/** It stays accepted; a later run goes on. */
async function stop(run: Run, transfers: Transfers): Promise<void> {
  run.error = transfers.hindrance() ?? run.error;
  await leave(run);
}

/** Why a person is asked: the service is there, and tells nothing of files whose requests were lost. */
export const untoldFiles = 'files_untold';

function untoldError(untold: number, cause: ArtworkError | null): ArtworkError {
  const said = cause === null ? '' : ` ${cause.message}`;
  const message = `It is not known whether ${untold} of the files have arrived, and no file is sent twice.${said}`;
  return new ArtworkError('conflict', message, { code: untoldFiles });
}
