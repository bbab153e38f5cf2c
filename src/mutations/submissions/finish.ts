import type { Submission } from '../../catalogue/records/submission.ts';
import { ArtworkError } from '../../errors.ts';
import { callCancelled } from '../call-clock.ts';
import type { DeliveryResult } from '../job.ts';
import type { FirstLook } from './admit.ts';
import { recordUnresolved, recordFinding } from '../record.ts';
import { type TransferTracker, trackTransfers, untouchedStatuses } from './arrivals.ts';
import { complete } from './complete.ts';
import { foreignSubmissionError, isForeignSubmission } from './from-elsewhere.ts';
import { readSubmissionNow } from './look.ts';
import { judgeSubmission, requireSameSubmission, withRevision } from './look-up.ts';
import { nameStanding } from './name-standing.ts';
import { startBackoff } from './patience.ts';
import { requireBlob } from './require-kept.ts';
import type { SubmissionSession } from './run.ts';
import { waitOf } from './send-file.ts';
import { transferFiles } from './send-files.ts';
import { startTransferProgress } from './tally.ts';

/** After so long without anything new, whoever wants to know asks. ms */
const patienceMs = 10 * 60_000;
/** The service answers, and refuses to complete: that it comes to think otherwise is less likely. ms */
const refusedMs = 2 * 60_000;
/** After so many looks in a row the service surely does not know the submission. */
const mostMissed = 4;

/** What one turn has come to. */
type Turn = { readonly done: DeliveryResult } | { readonly error: ArtworkError | null; readonly waitMs: number };

/**
 * Brings an admitted submission to its outcome. Always the same again: look at what the service has, send what
 * it lacks, complete it once every transfer is acknowledged or finally refused, and wait.
 * `first`: what was seen just before; null: nothing was.
 * @throws TakenOver; ArtworkError that says why it can't go on now
 */
export async function finish(run: SubmissionSession, first: FirstLook | null = null): Promise<DeliveryResult> {
  const { ports, job, files, notebook } = run;
  const { clock } = ports;
  const { closing } = job.wishes;
  const tally = startTransferProgress(files, job.progress);
  const arrivals = trackTransfers(files, () => notebook.notes, tally.arrived);
  const patience = startBackoff(clock);
  let completed = false;
  let missed = 0;
  let before = first;

  const news = async (): Promise<void> => {
    patience.renew();
    if (notebook.notes.idle > 0) await notebook.write({ idle: 0 });
  };

  const turn = async (): Promise<Turn> => {
    const asked = before?.asked ?? clock.monotonic();
    const submission = before?.submission ?? (await readSubmissionNow(run));
    const heard = before?.heard ?? clock.monotonic();
    before = null;
    if (submission instanceof ArtworkError) {
      missed = submission.category === 'not_found' ? missed + 1 : 0;
      if (missed >= mostMissed) throw submission;
      return { error: submission, waitMs: waitOf(submission) };
    }
    missed = 0;
    const done = await settleEnded(run, submission);
    if (done !== null) return { done };
    if (notebook.notes.untouched === null) {
      await notebook.write({ untouched: untouchedStatuses(files, submission) });
    }
    if (arrivals.see(submission, { asked, heard })) patience.renew();
    return completed ? { error: null, waitMs: 0 } : goOn();
  };

  const goOn = async (): Promise<Turn> => {
    const lacking = arrivals.lacking();
    let waitMs = 0;
    if (lacking.length > 0) {
      await requireBlob(ports.kept, notebook.notes, filesOf(run, lacking));
      const round = await transferFiles(run, arrivals, tally);
      await notebook.write({ open: arrivals.open(notebook.notes.mark) });
      if (round.arrived > 0) await news();
      ({ waitMs } = round);
    }
    const failure = arrivals.givenUp();
    if (failure !== null) throw failure;
    if (arrivals.lacking().length > 0 || arrivals.isWaiting()) return { error: null, waitMs };
    const asked = clock.monotonic();
    const completion = await complete(run);
    if (!completion.accepted) {
      arrivals.named(completion.named, { asked, heard: clock.monotonic() });
      return completion;
    }
    completed = true;
    await news();
    const done = await settleEnded(run, completion.submission);
    return done === null ? { error: null, waitMs: 0 } : { done };
  };

  const turns = async (): Promise<DeliveryResult> => {
    for (;;) {
      // What was completed is only waited for, whoever has given it up.
      if (completed ? closing.aborted : run.stop.aborted) throw callCancelled();
      const result = await turn();
      if ('done' in result) return result.done;
      const { error, waitMs } = result;
      const refused = error?.category === 'conflict' || error?.category === 'invalid_arguments';
      if (patience.isOver(refused ? refusedMs : patienceMs)) throw whyStuck(run, arrivals, error);
      if (waitMs > patienceMs) throw askedToWait(clock.now() + waitMs, error);
      await patience.pause(completed ? closing : run.stop, waitMs);
    }
  };

  try {
    return await turns();
  } catch (error) {
    // Whoever goes on need not ask about what has arrived.
    if (error instanceof ArtworkError) await notebook.write({ open: arrivals.open(notebook.notes.mark) });
    throw error;
  }
}

async function settleEnded(run: SubmissionSession, submission: Submission): Promise<DeliveryResult | null> {
  const { ports, job, notebook, declared } = run;
  const { mutation, names } = job.outgoing;
  const { clientMutationId } = mutation;
  requireSameSubmission(submission, notebook.notes.submissionId);
  const finding = judgeSubmission(submission, clientMutationId, declared, names);
  if (isForeignSubmission(submission, declared, notebook.notes))
    return recordUnresolved(ports, job, foreignSubmissionError(submission, clientMutationId, declared));
  if (finding.found !== 'ended') {
    const unconfirmed = submission.state === 'unresolved';
    if (unconfirmed !== notebook.notes.unconfirmed) await notebook.write({ unconfirmed });
    return null;
  }
  const whole = await withRevision(finding, submission, ports.owned, { signal: job.wishes.closing });
  if (whole.found !== 'ended') return null;
  const { ended, next } = await nameStanding(run, whole);
  const done = await recordFinding(ports, job, ended);
  return next === null ? done : { ...done, learnt: { ...done.learnt, next } };
}

function filesOf({ files }: SubmissionSession, items: readonly number[]) {
  return items.flatMap((item) => files[item]?.file ?? []);
}

/** No process waits that long: the submission is left to be resumed. @param until milliseconds since 1970 */
function askedToWait(until: number, error: ArtworkError | null): ArtworkError {
  const at = new Date(until).toISOString();
  return new ArtworkError('rate_limited', `The service asks to be left alone until ${at}.`, {
    code: error?.code,
    details: { retryAt: at },
  });
}

function whyStuck({ files, notebook }: SubmissionSession, arrivals: TransferTracker, error: ArtworkError | null): ArtworkError {
  const [refused] = notebook.notes.refused;
  const unclear = arrivals.unclear();
  const said = error === null ? 'It shows no outcome' : error.message;
  if (refused !== undefined) {
    const name = files[refused.item]?.file.filename ?? '';
    const message = `The service did not take the file ${name} (${refused.code}: ${refused.message}) and does not complete the submission without it. ${said}`;
    return new ArtworkError('conflict', message, { code: refused.code });
  }
  if (unclear.length > 0) {
    const names = unclear.slice(0, 5).map((item) => files[item]?.file.filename ?? '');
    const message = `Whether ${unclear.length} files have arrived can't be told, because the service shows them as it did before anything was sent (${names.join(', ')}), and nothing may be sent twice. ${said}`;
    return new ArtworkError('conflict', message);
  }
  return (
    error ?? new ArtworkError('service_unavailable', 'The service has shown nothing new for ten minutes.')
  );
}
