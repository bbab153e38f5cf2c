import { missingScopes } from '../../catalogue/authorization.ts';
import { uploadStatus } from '../../catalogue/records/owned.ts';
import { clientMutationId, type SubmissionId } from '../../catalogue/request.ts';
import type { SubmissionItem, SubmissionKind } from '../../catalogue/submission.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { MutationId, MutationRecord, MutationRow } from '../../ledger/rows.ts';
import { isOver } from '../before/perform.ts';
import { requireOwn, type Session } from '../before/session.ts';
import { keptChange } from '../operations/index.ts';
import type { Intended } from '../operations/operation.ts';
import { lookUpUpload } from '../operations/upload-asset.ts';
import type { PublicReads } from '../ports.ts';
import { readStoredReceipt } from '../receipt.ts';
import { describe } from './describe.ts';
import { shortError, tellPage } from './items.ts';
import { askPerson, askStatus, makeAnew } from './next.ts';
import { type ItemPage, type ItemReport, known, MutationError, type MutationResult } from './result.ts';
import { countWords } from './situation.ts';
import { inService, keyOfName, namedTarget, typedId } from './words.ts';

type Page = ItemPage & { readonly receipt: boolean };

/** A status waits for news no longer. ms */
const newsMs = 40_000;

/**
 * What the ledger knows of a change, and what the service shows of it by now.
 * @param record null: the ledger does not know the id
 * @throws MutationError `not_found` where the service doesn't either, and as `describe`
 */
export async function statusOf(
  session: Session,
  id: MutationId,
  record: MutationRecord | null,
  page: Page | undefined,
): Promise<MutationResult> {
  if (record === null) return statusOfForeignUpload(session, id, page?.receipt === true);
  const { runner, scope, caller } = session;
  const { row, body } = record;
  requireOwn(row, scope);
  const change = keptChange(record);
  if (change === null) return describe(session, record, { page });
  if (isOver(row)) {
    const publicationStatus = await publicationOf(session, record, change);
    return describe(session, record, { page, publicationStatus });
  }
  // A page of the items is no question for news.
  if (page !== undefined && page.from > 0) return describe(session, record, { page });
  const waiting = { ...caller, deadline: noLaterThan(caller.deadline, newsMs) };
  const seen = await runner.lookUp(change, row, body, waiting);
  return describe(session, { row: seen.row, body }, { error: seen.error, hasLooked: true, page });
}

/** Public reads catch up after a change has ended (States, rule 3): how far they have by now; null: as it was kept. */
async function publicationOf(
  { ports: { owned }, caller: { deadline } }: Session,
  { row, body }: MutationRecord,
  change: Intended,
): Promise<string | null> {
  const hasEffect = row.outcome === 'succeeded' || row.outcome === 'partial';
  if (!hasEffect || readStoredReceipt(row.receipt)?.publicationStatus !== 'pending') return null;
  try {
    if (change.by === 'submission') {
      if (row.submission === null) return null;
      return (await owned.findSubmission(change.kind, row.submission, deadline))?.publicationStatus ?? null;
    }
    const shown = await change.look({ owned, noticed: body.noticed, deadline });
    return shown.found === 'ended' ? shown.receipt.publicationStatus : null;
  } catch (error) {
    // The kept answer stands; this would only have added to it.
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

/**
 * An id that this ledger does not know may be an upload of another machine. What the service says of it is told, and nothing
 * is written down: what was meant by it can't be told from here.
 */
async function statusOfForeignUpload(
  { ports, service, account, caller }: Session,
  clientMutationId: string,
  withReceipt: boolean,
): Promise<MutationResult> {
  const mayAsk = missingScopes(uploadStatus.needed, account.scopes).length === 0;
  const deadline = noLaterThan(caller.deadline, newsMs);
  const look = () => lookUpUpload(clientMutationId, { owned: ports.owned, deadline });
  let seen = mayAsk ? await look() : null;
  for (let pauseMs = 1_000; seen?.found === 'working' && deadline.left() > pauseMs; pauseMs *= 2) {
    await ports.clock.sleep(pauseMs, deadline.signal);
    if (deadline.signal.aborted) break;
    seen = await look();
  }
  if (seen?.found !== 'ended' && seen?.found !== 'working') {
    const asked = mayAsk
      ? 'The service has no upload with this id either.'
      : 'The service could not be asked for it without assets:write or assets:replace.';
    const message = `Nothing was sent under the id ${clientMutationId} from here for this account. ${asked}`;
    const why = 'The same call can be made again, with the same id.';
    throw new MutationError('not_found', message, { clientMutationId, next: { why } });
  }
  const { savedId, updatedAt, publicationStatus, record } = seen.receipt;
  const error = seen.found === 'ended' ? seen.error : undefined;
  const outcome = seen.found === 'ended' ? seen.outcome : 'processing';
  const isOpen = outcome === 'processing';
  return {
    outcome,
    clientMutationId,
    says: inService(
      `The service shows this upload as ${outcome}. It was not sent from this machine.`,
      service,
    ),
    id: { kind: 'asset', id: savedId },
    ...known({
      ...{ updatedAt, publicationStatus },
      error: error && { code: error.code, message: error.message },
      receipt: withReceipt ? record : null,
      next: isOpen ? askStatus(clientMutationId, 'This asks the service again.') : null,
    }),
  };
}

/** A submission as the service knows it. */
export interface AskedSubmission {
  readonly submissionId: SubmissionId;
  readonly kind: SubmissionKind;
}

export type SubmissionReport = Omit<MutationResult, 'clientMutationId'> & {
  readonly submissionId: string;
  readonly kind: SubmissionKind;
  /** Where the service tells it. */
  readonly clientMutationId?: string | undefined;
};

/**
 * How a submission stands by the service's own id, which may have been admitted from another machine (interface document,
 * Recovery lookups). Writes nothing down.
 * @throws ArtworkError `not_found`, `scope_missing`, `forbidden`, or why the service could not be asked
 */
export async function statusOfSubmission(
  { ports, service, ledger, scope, caller: { deadline } }: Session,
  { submissionId, kind }: AskedSubmission,
  page: Page,
): Promise<SubmissionReport> {
  const found = await ports.owned.findSubmission(kind, submissionId, deadline);
  if (found === null) {
    const message = `The connected account has no submission ${submissionId} of kind ${kind}.`;
    throw new ArtworkError('not_found', message, { next: { why: 'The id or its kind may be another.' } });
  }
  const { mutationId, setId, updatedAt, publicationStatus, error } = found;
  const outcome = found.state === 'open' ? 'processing' : found.state;
  const told = tellPage(
    found.items.map((item) => reportOf(item, ports.catalogue)),
    page,
  );
  const stands = found.items.length === 0 ? '' : ` Its items: ${countWords(told.counts)}.`;
  const says = `The service shows the submission ${submissionId} as ${found.outcome ?? 'begun'}.${stands}`;
  const ownId = clientMutationId.safeParse(mutationId).data;
  const own = ownId === undefined ? null : await ledger.row(scope, ownId);
  return {
    outcome,
    submissionId,
    kind,
    says: inService(says, service),
    id: { kind: 'set', id: setId === null ? null : typedId('set', setId) },
    ...told,
    ...known({
      ...{ clientMutationId: mutationId, updatedAt, publicationStatus },
      error: error && { code: error.code ?? outcome, message: error.message ?? '' },
      next: nextOf(outcome, own !== null && isOver(own) ? null : own),
    }),
  };
}

/** @param own the change that is open here and that the submission is of */
function nextOf(outcome: MutationResult['outcome'], own: MutationRow | null): Next | undefined {
  if (outcome === 'succeeded') return undefined;
  if (outcome !== 'processing' && outcome !== 'unresolved')
    return makeAnew('Once the cause is corrected, make a change under a new id for the failed items.');
  return own === null
    ? askPerson('It was begun elsewhere: the machine that has its files goes on with it.')
    : askStatus(own.id, 'It was begun here: this tells how it goes on.');
}

function reportOf(item: SubmissionItem, { nameOf }: Pick<PublicReads, 'nameOf'>): ItemReport {
  const { kind, id } = item.target ?? { kind: 'unknown', id: '' };
  const names = { [keyOfName(kind, id)]: nameOf(kind, id) ?? '' };
  const { error, filename, assetId } = item;
  // A success that comes with an error is none.
  const isContradicted = item.status === 'succeeded' && item.state !== 'succeeded';
  return {
    itemId: item.itemId ?? '',
    target: namedTarget(names, kind, id),
    slot: item.slot ?? '',
    status: isContradicted ? 'unknown' : (item.status ?? 'unknown'),
    ...known({
      ...{ filename, assetId },
      error: error && shortError(error.code ?? 'failed', error.message ?? ''),
    }),
  };
}
