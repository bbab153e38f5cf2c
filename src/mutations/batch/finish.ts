import { sendJson } from '../../catalogue/request.ts';
import { completeSubmission, readSubmission, type Submission } from '../../catalogue/submission.ts';
import type { Clock } from '../../clock.ts';
import { ArtworkError } from '../../errors.ts';
import { createBackoff } from '../../wire/pacing.ts';
import { type DeliveryResult, recordFinding, recordUnresolved } from '../delivery/delivery.ts';
import {
  foreignSubmissionError,
  isForeignSubmission,
  judgeSubmission,
  requireSameSubmission,
  withSetRevision,
} from '../operations/lookups.ts';
import { callCancelledError } from '../session.ts';
import type { FirstLook } from './admit.ts';
import { requireBlob } from './blob-files.ts';
import { nameOccupants } from './name-items.ts';
import {
  readSubmissionNow,
  refusalOfSubmissionRequest,
  type SubmissionSession,
  submissionIdOf,
} from './session.ts';
import { leaseLostError, transferFiles, transferWaitOf } from './transfer-files.ts';
import {
  startTransferProgress,
  type TransferTracker,
  trackTransfers,
  untouchedStatuses,
} from './transfer-tracker.ts';

/** After so long without anything new the caller has to ask. ms */
const patienceMs = 10 * 60_000;
/** The service answers, and refuses to complete: that it comes to think otherwise is less likely. ms */
const refusedMs = 2 * 60_000;
/** After so many looks in a row the service surely does not know the submission. */
const mostMissed = 4;

/** What one turn has come to. */
type Turn =
  | { readonly done: DeliveryResult }
  | { readonly error: ArtworkError | null; readonly waitMs: number };

/**
 * Brings an admitted submission to its outcome. Always the same again: look at what the service has, send what
 * it lacks, complete it once every transfer is acknowledged or finally refused, and wait.
 * `first`: what was seen just before; null: nothing was.
 * @throws LeaseLost; ArtworkError that says why it can't go on now
 */
export async function finishSubmission(
  session: SubmissionSession,
  first: FirstLook | null = null,
): Promise<DeliveryResult> {
  const { ports, delivery, files, checkpoints } = session;
  const { clock } = ports;
  const { closing } = delivery.signals;
  const transferProgress = startTransferProgress(files, delivery.progress);
  const tracker = trackTransfers(files, () => checkpoints.current, transferProgress.arrived);
  const backoff = startIdleBackoff(clock);
  let completed = false;
  let missed = 0;
  let before = first;

  const news = async (): Promise<void> => {
    backoff.renew();
    if (checkpoints.current.idle > 0) await checkpoints.write({ idle: 0 });
  };

  const turn = async (): Promise<Turn> => {
    const asked = before?.asked ?? clock.monotonic();
    const submission = before?.submission ?? (await readSubmissionNow(session));
    const heard = before?.heard ?? clock.monotonic();
    before = null;
    if (submission instanceof ArtworkError) {
      missed = submission.category === 'not_found' ? missed + 1 : 0;
      if (missed >= mostMissed) throw submission;
      return { error: submission, waitMs: transferWaitOf(submission) };
    }
    missed = 0;
    const done = await settleEnded(session, submission);
    if (done !== null) return { done };
    if (checkpoints.current.untouched === null) {
      await checkpoints.write({ untouched: untouchedStatuses(files, submission) });
    }
    if (tracker.see(submission, { asked, heard })) backoff.renew();
    return completed ? { error: null, waitMs: 0 } : goOn();
  };

  const goOn = async (): Promise<Turn> => {
    const lacking = tracker.lacking();
    let waitMs = 0;
    if (lacking.length > 0) {
      await requireBlob(ports.blobs, checkpoints.current, filesOf(session, lacking));
      const round = await transferFiles(session, tracker, transferProgress);
      await checkpoints.write({ open: tracker.open(checkpoints.current.mark) });
      if (round.arrived > 0) await news();
      ({ waitMs } = round);
    }
    const failure = tracker.givenUp();
    if (failure !== null) throw failure;
    if (tracker.lacking().length > 0 || tracker.isWaiting()) return { error: null, waitMs };
    const asked = clock.monotonic();
    const completion = await requestCompletion(session);
    if (!completion.accepted) {
      tracker.named(completion.named, { asked, heard: clock.monotonic() });
      return completion;
    }
    completed = true;
    await news();
    const done = await settleEnded(session, completion.submission);
    return done === null ? { error: null, waitMs: 0 } : { done };
  };

  const turns = async (): Promise<DeliveryResult> => {
    for (;;) {
      // What was completed is only waited for, also where the caller has given it up.
      if (completed ? closing.aborted : session.stop.aborted) throw callCancelledError();
      const result = await turn();
      if ('done' in result) return result.done;
      const { error, waitMs } = result;
      const refused = error?.category === 'conflict' || error?.category === 'invalid_arguments';
      if (backoff.isOver(refused ? refusedMs : patienceMs)) throw whyStuck(session, tracker, error);
      if (waitMs > patienceMs) throw askedToWait(clock.now() + waitMs, error);
      await backoff.pause(completed ? closing : session.stop, waitMs);
    }
  };

  try {
    return await turns();
  } catch (error) {
    // A process that resumes it need not ask about what has arrived.
    if (error instanceof ArtworkError)
      await checkpoints.write({ open: tracker.open(checkpoints.current.mark) });
    throw error;
  }
}

async function settleEnded(
  session: SubmissionSession,
  submission: Submission,
): Promise<DeliveryResult | null> {
  const { ports, delivery, checkpoints, declared } = session;
  const { mutation, names } = delivery.outgoing;
  const { clientMutationId } = mutation;
  requireSameSubmission(submission, checkpoints.current.submissionId);
  const finding = judgeSubmission(submission, clientMutationId, declared, names);
  if (isForeignSubmission(submission, declared, checkpoints.current))
    return recordUnresolved(delivery, foreignSubmissionError(submission, clientMutationId, declared));
  if (finding.found !== 'ended') {
    const unconfirmed = submission.state === 'unresolved';
    if (unconfirmed !== checkpoints.current.unconfirmed) await checkpoints.write({ unconfirmed });
    return null;
  }
  const whole = await withSetRevision(finding, submission, ports.owned, { signal: delivery.signals.closing });
  if (whole.found !== 'ended') return null;
  const { ended, next } = await nameOccupants(session, whole);
  const done = await recordFinding(delivery, ended);
  return next === null ? done : { ...done, observed: { ...done.observed, next } };
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

function whyStuck(
  { files, checkpoints }: SubmissionSession,
  tracker: TransferTracker,
  error: ArtworkError | null,
): ArtworkError {
  const [refused] = checkpoints.current.refused;
  const unclear = tracker.unclear();
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

type CompletionResult =
  /** What the service then shows of it. */
  | { readonly accepted: true; readonly submission: Submission }
  /** Not so far, or it is not known: the submission is looked at, and if it has no outcome the same is sent again. */
  | {
      readonly accepted: false;
      readonly error: ArtworkError;
      readonly waitMs: number;
      /** Items that the refusal names. */
      readonly named: ReadonlySet<string>;
    };

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;

/**
 * Asks the service to complete a submission whose files it has. Interface document, Media Set creation, step 4, and
 * Grouped Set edit: completion. It may be repeated after a status that is not terminal.
 * @throws LeaseLost; ArtworkError where it can't be completed by this connection
 */
async function requestCompletion(session: SubmissionSession): Promise<CompletionResult> {
  const { ports, delivery, declared, tokens } = session;
  const bearer = await tokens.current();
  if (!(await delivery.ledger.isHolder(delivery.lease))) throw await leaseLostError(session);
  const request = completeSubmission(declared.kind, submissionIdOf(session));
  const outcome = await ports.send(sendJson(request, bearer.token.reveal()), {
    signal: delivery.signals.closing,
    deadlineMs: answerMs,
  });
  switch (outcome.outcome) {
    case 'applied':
      return { accepted: true, submission: readSubmission(outcome.body, declared.kind) };
    case 'not_sent':
    case 'unknown':
      return { accepted: false, error: outcome.error, waitMs: 0, named: new Set() };
    case 'refused': {
      const error = refusalOfSubmissionRequest(session, outcome, bearer);
      if (outcome.status === 401) await tokens.renew(bearer);
      else if (outcome.status === 403 || outcome.status === 404) throw error;
      return { accepted: false, error, waitMs: transferWaitOf(error), named: namedIn(error) };
    }
  }
}

/** "`path` being an array of strings naming the affected field or item" (Errors). */
function namedIn({ issues }: ArtworkError): ReadonlySet<string> {
  return new Set((issues ?? []).flatMap(({ path }) => path.map((step) => step.toLowerCase())));
}

/** Pauses between looks, which begin anew with each news; tells for how long there has been none. */
interface IdleBackoff {
  /** There is something new. */
  renew(): void;
  /** Whether there has been nothing new for this long, ms. */
  isOver(afterMs: number): boolean;
  /** At least so many ms, where the service asks for it. */
  pause(signal: AbortSignal, leastMs: number): Promise<void>;
}

/** Pauses between looks at a submission, longer while nothing changes, and tells how long nothing has. */
function startIdleBackoff(clock: Clock): IdleBackoff {
  const backoff = createBackoff(clock, { firstMs: 500, longestMs: 8_000 });
  let last = clock.monotonic();
  return {
    renew() {
      backoff.reset();
      last = clock.monotonic();
    },
    isOver: (afterMs) => clock.monotonic() - last >= afterMs,
    pause: backoff.pause,
  };
}
