import type { Json } from '../../canonical-json.ts';
import { isSameId } from '../../catalogue/records/members.ts';
import { revisionOf, serviceRevision } from '../../catalogue/records/owned.ts';
import type { Submission as SubmissionRecord } from '../../catalogue/submission.ts';
import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Verdict } from '../../ledger/ledger.ts';
import type { MutationRow } from '../../ledger/rows.ts';
import type { Finding, Single, Submission } from '../change.ts';
import type { MutationPorts } from '../ports.ts';
import { asJson, keptErrorOf, type Receipt, storeReceipt } from '../receipt.ts';
import { requireNotAnother, requireSameAccount } from './wire.ts';

/** One look is given up after so long. ms */
const oneLookMs = 20_000;

/**
 * What the service shows of a single change now. An error where it can't be read, or where another account was signed in
 * before or after, which is shown other things.
 */
export function lookAt(
  ports: MutationPorts,
  change: Single,
  row: MutationRow,
  noticed: Json,
  deadline: Deadline,
): Promise<Finding | ArtworkError> {
  const within = noLaterThan(deadline, oneLookMs);
  return asSameAccount(ports, row, change.identity === 'upload', () =>
    change.look({ owned: ports.owned, noticed, deadline: within }),
  );
}

/** A submission as it is shown to a sign-in; null: none of this id is. */
export interface ShownSubmission {
  readonly record: SubmissionRecord | null;
  readonly connection: string;
}

/** What the service shows of a submission. */
export function lookAtSubmission(
  ports: MutationPorts,
  { kind, id }: Submission,
  row: MutationRow,
  submissionId: string,
  deadline: Deadline,
): Promise<ShownSubmission | ArtworkError> {
  return asSameAccount(ports, row, true, async (connection) => {
    const record = await ports.owned.findSubmission(kind, submissionId, noLaterThan(deadline, oneLookMs));
    if (record === null || record.mutationId === null || isSameId(record.mutationId, id))
      return { record, connection };
    throw new ArtworkError('bad_response', 'The service answered with the submission of another mutation.');
  });
}

/**
 * A look as the account of the change: what another one is shown, or not shown, proves nothing. Each sign-in has a connection
 * of its own, so that the same one before and after says that there was no other between. What is asked for by its id shows
 * itself to its owner alone: there it does no harm where the service does not tell whose a sign-in is.
 */
async function asSameAccount<Shown>(
  { connections }: MutationPorts,
  row: MutationRow,
  isById: boolean,
  look: (connection: string) => Promise<Shown>,
): Promise<Shown | ArtworkError> {
  try {
    const before = await connections.account();
    if (isById) requireNotAnother(before, row);
    else requireSameAccount(before, row);
    const shown = await look(before.connection);
    const after = await connections.account();
    if (after.connection === before.connection) return shown;
    return new ArtworkError('network', 'Somebody signed in anew while the service was asked.');
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

/** What a submission's record proves: how it ended, or null while it goes on. */
export function verdictOf(shown: SubmissionRecord): Verdict | null {
  const { state } = shown;
  // "Could not confirm the result; it does not cancel server work" (States, rule 6): no end.
  if (state === 'open' || state === 'unresolved') return null;
  // "Some items succeeded and some failed" (States, rule 5) is partial, also where the service calls it otherwise.
  const isWhole = state !== 'succeeded' || !shown.items.some((item) => item.state === 'failed');
  const error = shown.error === null ? null : keptErrorOf(errorOfSubmission(shown));
  return {
    outcome: isWhole ? state : 'partial',
    receipt: storeReceipt(receiptOfSubmission(shown)),
    error,
  };
}

/** The service's own word that it does not know the result: a person is told so, while it may still work on it. */
export function doubtOf({ state }: SubmissionRecord): ArtworkError | null {
  if (state !== 'unresolved') return null;
  const message = 'The service could not confirm the result itself.';
  return new ArtworkError('service_unavailable', message, { code: 'service_unresolved' });
}

/**
 * The same, with the revision that the next edit of the Set needs: where a submission's record shows it is not said, so the
 * Set is read. One that can't be read now takes nothing from the outcome.
 */
export async function verdictWithRevision(
  { owned }: MutationPorts,
  shown: SubmissionRecord,
  deadline: Deadline,
): Promise<Verdict | null> {
  const verdict = verdictOf(shown);
  if (verdict === null || shown.setId === null || shown.updatedAt !== null) return verdict;
  if (verdict.outcome === 'rolled_back') return verdict;
  try {
    const set = await owned.readSet(shown.setId, noLaterThan(deadline, revisionMs));
    return verdictOf({ ...shown, updatedAt: serviceRevision(revisionOf(set)) }) ?? verdict;
  } catch (error) {
    if (error instanceof ArtworkError) return verdict;
    throw error;
  }
}

const revisionMs = 5_000;

export function receiptOfSubmission(shown: SubmissionRecord): Receipt {
  return {
    record: asJson(shown.record),
    savedId: shown.setId,
    updatedAt: shown.updatedAt,
    publicationStatus: shown.publicationStatus,
    warnings: [],
    items: shown.items.flatMap(({ itemId, status, assetId, error }) => {
      if (itemId === null) return [];
      const told = error === null ? null : { code: error.code ?? 'unknown', message: error.message ?? '' };
      return [{ itemId, status, assetId, error: told }];
    }),
  };
}

function errorOfSubmission({ error, outcome }: SubmissionRecord): ArtworkError {
  const message = error?.message ?? `The service ended the submission as ${outcome ?? 'failed'}.`;
  return new ArtworkError('upload_refused', message, {
    code: error?.code,
    details: error?.details,
    issues: error?.issues,
  });
}

/** What a single change's finding proves. */
export function verdictOfFinding({ outcome, receipt, error }: Extract<Finding, { found: 'ended' }>): Verdict {
  return {
    outcome,
    receipt: storeReceipt(receipt),
    error: error === undefined ? null : keptErrorOf(error),
  };
}
