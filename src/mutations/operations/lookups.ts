import { quoted, quotedSentence } from '../../text.ts';
import type { ServiceError } from '../../catalogue/failures.ts';
import { revisionOf, serviceRevision } from '../../catalogue/records/owned.ts';
import { ArtworkError } from '../../errors.ts';
import {
  asJson,
  type Finding,
  nothingFound,
  type StoredItem,
  type StoredReceipt,
  type Warning,
} from '../finding.ts';
import type { OwnedReads } from '../ports.ts';
import { isSameId, textAt } from '../../catalogue/records/members.ts';
import type { Submission, SubmissionItem } from '../../catalogue/submission.ts';
import { shortLine } from '../../model/target.ts';
import type { Deadline } from '../../deadline.ts';
import { type Checkpoint, type Declared, fileItems, readCheckpoint } from '../submission.ts';
import type { LookupContext } from '../mutation.ts';
import { nameIn, nameOfArtwork, type Names } from '../names.ts';

/** The error of what the service took and could not process. */
export function processingError(error: ServiceError | null): ArtworkError {
  const message = `The service could not process it${error?.message === undefined ? '' : `: ${quotedSentence(error.message)}`}.`;
  return new ArtworkError('bad_response', message, { ...error });
}

/** What the service's own record of a submission says (interface document, Recovery lookups). */
export async function lookUpSubmission(
  declared: Declared,
  clientMutationId: string,
  { owned, progress, names, deadline }: LookupContext,
): Promise<Finding> {
  const checkpoint = readCheckpoint(progress);
  const submissionId = checkpoint?.submissionId ?? null;
  if (submissionId === null) {
    const says =
      'The answer to the admission is not known, and without the submission id that it carries the service can not be asked. The identical admission, sent again, is answered with it.';
    return nothingFound('lookup', says, false);
  }
  const submission = await owned.findSubmission(declared.kind, submissionId, deadline);
  if (submission === null) {
    return nothingFound('lookup', `The service knows no submission ${submissionId} now.`, false);
  }
  if (checkpoint !== null && isForeignSubmission(submission, declared, checkpoint)) {
    const says = foreignSubmissionError(submission, clientMutationId, declared).message;
    return nothingFound('lookup', says, true);
  }
  const finding = judgeSubmission(submission, clientMutationId, declared, names);
  return withSetRevision(finding, submission, owned, deadline);
}

/**
 * The revision that an edit has left is what the next one needs, and the title is what people know the Set by. Where
 * a submission's record shows them is not said, so the Set is read; a Set that can't be read now takes nothing from
 * the outcome.
 */
export async function withSetRevision(
  finding: Finding,
  { setId }: Submission,
  owned: OwnedReads,
  deadline: Deadline,
): Promise<Finding> {
  if (finding.found !== 'ended' || setId === null) return finding;
  // A failed edit may have saved its metadata all the same (States, rule 4).
  if (finding.outcome === 'rolled_back') return finding;
  try {
    const set = await owned.readSet(setId, deadline);
    const updatedAt = serviceRevision(revisionOf(set)) ?? finding.kept.updatedAt;
    const title = shortLine(textAt(set, 'title', 'titleBase')) || undefined;
    return { ...finding, kept: { ...finding.kept, updatedAt, title } };
  } catch (error) {
    if (error instanceof ArtworkError) return finding;
    throw error;
  }
}

/**
 * Tells what a submission's record at the service says of the mutation.
 * @throws ArtworkError `bad_response` for a submission of another mutation
 */
export function judgeSubmission(
  submission: Submission,
  clientMutationId: string,
  declared: Declared,
  names: Names = {},
): Finding {
  requireOwn(submission, clientMutationId, declared);
  return findingOfSubmission(submission, declared, names);
}

/**
 * How a submission stands, by its record at the service.
 * @param declared what its items are to be of; null: it was admitted elsewhere, and all are shown
 */
export function findingOfSubmission(
  submission: Submission,
  declared: Pick<Declared, 'items'> | null,
  names: Names = {},
): Finding {
  const { state, items, error } = submission;
  const kept = storedReceiptOfSubmission(submission, declared);
  const incomplete = () => incompleteSubmissionError(submission, declared ?? { items: [] }, names);
  switch (state) {
    case 'succeeded': {
      // "Partial means some items succeeded and some failed" (States, rule 5), also if the service calls it otherwise.
      if (items.some((item) => item.state === 'failed'))
        return { found: 'ended', outcome: 'partial', kept, error: incomplete() };
      const warnings = error === null ? [] : [errorBesideSuccess(error)];
      return { found: 'ended', outcome: 'succeeded', kept: { ...kept, warnings } };
    }
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return { found: 'ended', outcome: state, kept, error: incomplete() };
    // "Could not confirm the result; it does not cancel server work" (States, rule 6): no end.
    case 'unresolved':
    case 'open':
      return { found: 'working', kept };
  }
}

/** The service called it a success, and told an error with it: both are its word. */
export function errorBesideSuccess({ code, message }: ServiceError): Warning {
  const said = message === undefined ? '' : `: ${quotedSentence(message)}`;
  return {
    code: 'error_with_success',
    message: `The service calls it a success, and tells an error (${code ?? 'without a code'}) with it${said}.`,
  };
}

function requireOwn(
  { submissionId, mutationId, items }: Submission,
  clientMutationId: string,
  declared: Declared,
): void {
  if (mutationId !== null) {
    if (isSameId(mutationId, clientMutationId)) return;
    throw otherSubmission();
  }
  if (submissionId !== null) return;
  // One that does not say which it is, is known by its items.
  const own = new Set<string>(declared.items.map(({ itemId }) => itemId));
  const shown = items.flatMap(({ itemId }) => (itemId === null ? [] : [itemId.toLowerCase()]));
  if (shown.length > 0 && own.size > 0 && !shown.some((itemId) => own.has(itemId))) throw otherSubmission();
}

/**
 * A completion is answered with the submission that it completes.
 * @throws ArtworkError `bad_response` for another one
 */
export function requireSameSubmission({ submissionId }: Submission, asked: string | null): void {
  if (submissionId === null || (asked !== null && isSameId(submissionId, asked))) return;
  throw otherSubmission();
}

function otherSubmission(): ArtworkError {
  return new ArtworkError('bad_response', 'The service answered with the submission of another mutation.');
}

/**
 * The receipt of a submission as the ledger keeps it, with its items.
 * @param declared what its items are to be of; null: it was admitted elsewhere, and all are shown
 */
function storedReceiptOfSubmission(
  submission: Submission,
  declared: Pick<Declared, 'items'> | null,
): StoredReceipt {
  const { outcome, items, updatedAt, publicationStatus } = submission;
  const word = outcome === null ? 'without an outcome so far' : `as ${outcome}`;
  return {
    receipt: asJson(withoutItems(submission)),
    updatedAt,
    publicationStatus,
    evidence: {
      by: 'lookup',
      certainty: submission.state === 'unresolved' ? 'unknown' : 'certain',
      says: `The service's own record of the submission shows it ${word}.`,
    },
    warnings: [],
    items:
      declared === null
        ? items.flatMap(storedItemOfSubmission)
        : ofDeclared(items.flatMap(storedItemOfSubmission), declared),
  };
}

/** One for each item that was declared, at most: an answer may hold any number of others. */
function ofDeclared(
  items: readonly StoredItem[],
  { items: declared }: Pick<Declared, 'items'>,
): StoredItem[] {
  const ids = new Set(declared.map(({ itemId }) => itemId.toLowerCase()));
  const last = new Map<string, StoredItem>();
  for (const item of items) {
    const id = item.itemId.toLowerCase();
    if (ids.has(id)) last.set(id, item);
  }
  return [...last.values()];
}

/** The items are kept apart, each in a few words. */
function withoutItems({ record, submissionId, setId }: Submission): object {
  const inner = record.submission instanceof Object ? record.submission : record;
  const lists = ['items', 'itemStatuses', 'files', 'declaredFiles'];
  const rest = Object.entries(inner).filter(([name]) => !lists.includes(name));
  return { submissionId, setId, ...Object.fromEntries(rest) };
}

/** An item of a submission, as the ledger keeps it; none without an id. */
export function storedItemOfSubmission({
  itemId,
  state,
  status: word,
  assetId,
  error,
}: SubmissionItem): StoredItem[] {
  if (itemId === null) return [];
  // The word is the service's own, but for a success that comes with an error: that is none.
  const status = word === 'succeeded' && state !== 'succeeded' ? null : word;
  const why =
    error === null ? null : { code: error.code ?? 'failed', message: (error.message ?? '').slice(0, 300) };
  return [{ itemId, status, assetId, error: why }];
}

const mostNamed = 3;

/** Why a submission did not succeed whole, with the items that failed. */
function incompleteSubmissionError(
  { state, items, error }: Submission,
  declared: Pick<Declared, 'items'>,
  names: Names = {},
): ArtworkError {
  const failed = items.filter((item) => item.state === 'failed' || item.error !== null);
  const named = failed.slice(0, mostNamed).map(({ itemId, error: why }) => {
    return `${nameOf(itemId, declared, names)} (${why?.code ?? 'failed'})`;
  });
  const more = failed.length > named.length ? ` and ${failed.length - named.length} more` : '';
  const which = failed.length === 0 ? '' : ` Failed: ${named.join(', ')}${more}.`;
  const said = error?.message === undefined ? '' : ` The service says ${quotedSentence(error.message)}.`;
  const message = `${sentences[state] ?? 'The service did not apply it whole.'}${said}${which}`;
  return new ArtworkError('bad_response', message, {
    code: error?.code ?? (state === 'succeeded' ? 'partial' : state),
    // Each item has its own.
    issues: error?.issues?.slice(0, mostNamed),
  });
}

/** In the words of the caller who declared it. */
function nameOf(itemId: string | null, { items }: Pick<Declared, 'items'>, names: Names): string {
  const item = items.find((one) => one.itemId === itemId?.toLowerCase());
  if (item === undefined) return itemId ?? 'an item without an id';
  const { file, slot, targetKind: kind, targetId: id } = item;
  return file?.filename ?? quoted(nameOfArtwork(slot, nameIn(names, kind, id) ?? `${kind} ${id}`));
}

const sentences: Readonly<Record<string, string>> = {
  succeeded: 'The service says that it succeeded, and shows items that failed.',
  partial: 'The service says that some items succeeded and some failed.',
  failed: 'The service says that it failed.',
  rolled_back: 'The service says that it took all of it back.',
};

/**
 * Whether a submission has ended, or holds files, of which this ledger has sent none: the same admission was made from
 * elsewhere before. An admission carries no digests, so that those files are the ones that are meant now is not shown.
 */
export function isForeignSubmission(
  { state, items }: Submission,
  declared: Declared,
  { mark }: Pick<Checkpoint, 'mark'>,
): boolean {
  const files = new Set<string>(fileItems(declared).map(({ itemId }) => itemId));
  if (mark > 0 || files.size === 0) return false;
  const hasEnded = state !== 'open' && state !== 'unresolved';
  return hasEnded || holdsFiles(items.filter(({ itemId }) => files.has(itemId?.toLowerCase() ?? '')));
}

/** "After a file is uploaded, its item can stay processing" (States, rule 2): some services show all of them so. */
function holdsFiles(items: readonly SubmissionItem[]): boolean {
  const states = new Set(items.map(({ state }) => state));
  return states.has('succeeded') || states.has('failed') || (states.has('processing') && states.size > 1);
}

/** The error of an id that belongs to a submission which this ledger did not make. */
export function foreignSubmissionError(
  { submissionId, outcome }: Submission,
  clientMutationId: string,
  { kind }: Declared,
): ArtworkError {
  const asking = `get_mutation_status with submissionId ${submissionId ?? '(not said)'} and kind ${kind}`;
  const message = `The id ${clientMutationId} belongs to a submission that was made before, and not from this machine's ledger: the service shows it as ${outcome ?? 'begun'}. This call sent no files and changed nothing; whether the files there are these is not shown. ${asking} tells how it stands.`;
  const details = { earlierSubmission: { submissionId, kind, outcome: outcome ?? 'processing' } };
  return new ArtworkError('conflict', message, { details });
}
