import { sendJson } from '../../catalogue/request.ts';
import { readSubmission, type Submission } from '../../catalogue/submission.ts';
import { ArtworkError } from '../../errors.ts';
import { createBackoff } from '../../wire/pacing.ts';
import { compareRevisionsBeforeRepeat } from '../before-claim/compare-with-service.ts';
import { type DeliveryResult, recordSettlement, recordUnresolved } from '../delivery/delivery.ts';
import { settleOutcome } from '../delivery/settle.ts';
import { foreignSubmissionError, isForeignSubmission, judgeSubmission } from '../operations/lookups.ts';
import { callCancelledError } from '../session.ts';
import { nameFiles } from './name-items.ts';
import { LeaseLost, refusalOfSubmissionRequest, type SubmissionSession } from './session.ts';
import type { LookTimes } from './transfer-tracker.ts';

export type Admission =
  | { readonly submissionId: string; readonly seen: FirstLook | null }
  /** It ended here, or whether it was admitted is not known. */
  | { readonly done: DeliveryResult };

/** What the service showed of a submission right after its admission, and when. */
export interface FirstLook extends LookTimes {
  readonly submission: Submission;
}

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The submission's id is not noted before this look has ended, ms. */
const lookMs = 15_000;
const mostSent = 4;
const pauses = { firstMs: 1_000, longestMs: 8_000 };

/**
 * Asks the service to admit a submission. Interface document, Media Set creation, step 1, and Grouped Set edit: the
 * admission. Where its answer was lost the identical body is sent again, which is answered with the first receipt,
 * unless what it edits has changed since.
 * @throws LeaseLost; ArtworkError where the store fails
 */
export async function admitSubmission(session: SubmissionSession): Promise<Admission> {
  const { ports, delivery, tokens, checkpoints, stop, declared } = session;
  const { mutation } = delivery.outgoing;
  const request = mutation.request();
  if (request.body.kind !== 'json') throw new TypeError('An admission is JSON.');
  const line = { ...request, body: request.body };
  const kept = Buffer.from(checkpoints.current.admission);
  let doubtful = delivery.repeated;
  let renewed = false;

  const ended = async (error: ArtworkError): Promise<Admission> => {
    if (!doubtful) return { done: await recordSettlement(delivery, { outcome: 'not_sent', error }, error) };
    await checkpoints.write({ idle: checkpoints.current.idle + 1 });
    return { done: await recordUnresolved(delivery, error) };
  };

  const backoff = createBackoff(ports.clock, pauses);
  for (let sent = 0; ; ) {
    if (stop.aborted) return ended(callCancelledError());
    const bearer = await tokens.current().catch(asArtworkError);
    if (bearer instanceof ArtworkError) return ended(bearer);
    if (doubtful) {
      const call = { signal: delivery.signals.closing };
      const moved = await compareRevisionsBeforeRepeat(mutation, ports.owned, bearer.scopes, call);
      if (moved !== null) return ended(moved);
    }
    const { isHolder, view } = await delivery.ledger.send(delivery.lease);
    if (!isHolder) throw new LeaseLost(view);
    const outcome = await ports.send(sendJson(line, bearer.token.reveal(), kept), {
      signal: delivery.signals.closing,
      deadlineMs: answerMs,
    });
    sent += 1;
    let error: ArtworkError;
    switch (outcome.outcome) {
      case 'applied': {
        const submission = readSubmission(outcome.body, declared.kind);
        judgeSubmission(submission, mutation.clientMutationId, declared);
        const { submissionId } = submission;
        const seen = doubtful || submissionId === null ? null : await lookAt(session, submissionId);
        const shown = seen?.submission ?? submission;
        if (!doubtful && isForeignSubmission(shown, declared, checkpoints.current)) {
          const refused = foreignSubmissionError(shown, mutation.clientMutationId, declared);
          return {
            done: await recordSettlement(delivery, { outcome: 'refused', error: refused }, refused),
          };
        }
        if (submissionId !== null) return { submissionId, seen };
        doubtful = true;
        error = new ArtworkError('bad_response', 'The service accepted it and did not say under which id.');
        break;
      }
      case 'unknown':
        doubtful = true;
        error = outcome.error;
        break;
      case 'not_sent':
        if (!doubtful) return ended(outcome.error);
        error = outcome.error;
        break;
      case 'refused': {
        if (outcome.status === 401 && !renewed) {
          renewed = true;
          const other = await tokens.renew(bearer).catch(asArtworkError);
          if (!(other instanceof ArtworkError)) continue;
          if (doubtful) return ended(other);
          const refusal = refusalOfSubmissionRequest(session, outcome, bearer);
          return {
            done: await recordSettlement(delivery, { outcome: 'refused', error: refusal }, other),
          };
        }
        if (doubtful) return ended(refusalOfSubmissionRequest(session, outcome, bearer));
        const named = nameFiles(outcome.error, declared, delivery.outgoing.names);
        return { done: await settleOutcome(delivery, { ...outcome, error: named }) };
      }
    }
    if (sent >= mostSent) return ended(error);
    await backoff.pause(stop);
  }
}

/** A receipt that is given again may say how the submission stood at first: it is looked at. Null: not now. */
async function lookAt(
  { ports, delivery, declared }: SubmissionSession,
  submissionId: string,
): Promise<FirstLook | null> {
  const asked = ports.clock.monotonic();
  try {
    const call = { signal: delivery.signals.closing, deadlineMs: lookMs };
    const submission = await ports.owned.findSubmission(declared.kind, submissionId, call);
    return submission === null ? null : { submission, asked, heard: ports.clock.monotonic() };
  } catch (error) {
    // It is looked at again before anything of it is taken for this one.
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

/** Anything else that a promise rejects with is a defect. */
function asArtworkError(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) return error;
  throw error;
}
