import { readSubmission, type Submission } from '../../catalogue/records/submission.ts';
import { completeSubmission } from '../../catalogue/requests/complete-submission.ts';
import { sendJson } from '../../catalogue/requests/request.ts';
import type { ArtworkError } from '../../errors.ts';
import { idOf, refusalOfRequest, type SubmissionSession } from './session.ts';
import { leaseLost, waitOf } from './transfer-file.ts';

export type CompletionResult =
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
 * Interface document, Media Set creation, step 4, and Grouped Set edit: completion. It may be repeated after a
 * status that is not terminal.
 * @throws LeaseLost; ArtworkError where it can't be completed by this connection
 */
export async function complete(session: SubmissionSession): Promise<CompletionResult> {
  const { ports, delivery, declared, tokens } = session;
  const bearer = await tokens.current();
  if (!(await delivery.ledger.isHolder(delivery.lease))) throw await leaseLost(session);
  const request = completeSubmission(declared.kind, idOf(session));
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
      const error = refusalOfRequest(session, outcome, bearer);
      if (outcome.status === 401) await tokens.renew(bearer);
      else if (outcome.status === 403 || outcome.status === 404) throw error;
      return { accepted: false, error, waitMs: waitOf(error), named: namedIn(error) };
    }
  }
}

/** "`path` being an array of strings naming the affected field or item" (Errors). */
function namedIn({ issues }: ArtworkError): ReadonlySet<string> {
  return new Set((issues ?? []).flatMap(({ path }) => path.map((step) => step.toLowerCase())));
}
