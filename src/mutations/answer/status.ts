import { missingScopes } from '../../catalogue/authorization.ts';
import { uploadStatus } from '../../catalogue/records/owned.ts';
import type { ClientMutationId, SubmissionId } from '../../catalogue/request.ts';
import type { Submission, SubmissionItem, SubmissionKind } from '../../catalogue/submission.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { MutationRecord } from '../../ledger/rows.ts';
import { isOver } from '../before/perform.ts';
import { requireOwn, type Session } from '../before/session.ts';
import { keptChange } from '../operations/index.ts';
import type { Intended } from '../operations/operation.ts';
import { lookUpUpload } from '../operations/upload-asset.ts';
import { describe } from './describe.ts';
import { countsOf, pageOf } from './items.ts';
import { askPerson, askStatus, makeAnew } from './next.ts';
import { type ItemPage, type ItemReport, MutationError, type MutationResult } from './result.ts';
import { countWords } from './situation.ts';
import { inService, keyOfName, namedTarget } from './words.ts';

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
  id: ClientMutationId,
  record: MutationRecord | null,
  page: Page | undefined,
): Promise<MutationResult> {
  const { runner, scope, caller } = session;
  if (record === null) return statusOfForeignUpload(session, id);
  requireOwn(record.row, scope);
  const { row, body } = record;
  const change = keptChange(record);
  if (change === null) return describe(session, record, { page });
  if (isOver(row)) {
    const publicationStatus = await publicationOf(session, record, change);
    return describe(session, record, { page, publicationStatus });
  }
  // A page of the items is no question for news.
  if (page !== undefined && page.from > 0) return describe(session, record, { page });
  const waiting = { ...caller, deadline: noLaterThan(caller.deadline, newsMs) };
  const { error, hint, ...seen } = await runner.lookUp(change, row, body, waiting);
  return describe(session, { row: seen.row, body }, { error, hint, hasLooked: true, page });
}

/** Public reads catch up after a change has ended (States, rule 3): how far they have by now; null: as it was kept. */
async function publicationOf(
  { ports: { owned }, caller: { deadline } }: Session,
  { row, body }: MutationRecord,
  change: Intended,
): Promise<string | null> {
  if (row.outcome !== 'succeeded' && row.outcome !== 'partial') return null;
  if (!JSON.stringify(row.receipt).includes('"publicationStatus":"pending"')) return null;
  try {
    if (change.by === 'submission') {
      if (row.submission === null) return null;
      return (await owned.findSubmission(change.kind, row.submission, deadline))?.publicationStatus ?? null;
    }
    const shown = await change.look({ owned, noticed: body.noticed, savedId: null, deadline });
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
  clientMutationId: ClientMutationId,
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
  if (seen === null || (seen.found !== 'ended' && seen.found !== 'working')) {
    const asked = mayAsk
      ? 'the service has no upload of this id now'
      : 'the service could not be asked for it without assets:write or assets:replace';
    const message = `This machine's ledger does not know the id ${clientMutationId} for the connected account, and ${asked}.`;
    throw new MutationError('not_found', message, {
      clientMutationId,
      next: {
        why: 'As far as this machine knows, nothing was sent under it: list_mutations lists what was.',
      },
    });
  }
  const { receipt } = seen;
  const outcome = seen.found === 'ended' ? seen.outcome : 'processing';
  const error = seen.found === 'ended' ? seen.error : undefined;
  const says = `The service knows this id as an upload that this machine's ledger did not send, and shows it as ${outcome}.`;
  const why = 'This asks the service again.';
  return {
    outcome,
    clientMutationId,
    says: inService(says, service),
    id: { kind: 'asset', id: receipt.savedId },
    ...(receipt.updatedAt === null ? {} : { updatedAt: receipt.updatedAt }),
    ...(receipt.publicationStatus === null ? {} : { publicationStatus: receipt.publicationStatus }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    receipt: receipt.record,
    ...(outcome === 'processing' ? { next: askStatus(clientMutationId, why) } : {}),
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
    const message = `The service knows no submission ${submissionId} of kind ${kind} for the connected account now.`;
    const other = kind === 'creation' ? 'edit' : 'creation';
    throw new ArtworkError('not_found', message, {
      next: { why: `The id or its kind may be another: a ${other} is asked for with kind ${other}.` },
    });
  }
  const outcome = found.state === 'open' ? 'processing' : found.state;
  const all = found.items.map((item) => shownItem(item, ports.catalogue.nameOf));
  const counts = countsOf(all);
  const own = await ownIdOf(ledger, scope, found);
  const stands = all.length === 0 ? '' : ` Its items: ${countWords(counts)}.`;
  const says = `The service shows the submission ${submissionId} as ${found.outcome ?? 'begun'}.${stands}`;
  const next = nextOf(outcome, own);
  const { mutationId, setId, updatedAt, publicationStatus, error } = found;
  return {
    outcome,
    submissionId,
    kind,
    ...(mutationId === null ? {} : { clientMutationId: mutationId }),
    says: inService(says, service),
    id: { kind: 'set', id: setId === null ? null : /^\d{1,15}$/.test(setId) ? Number(setId) : setId },
    ...(updatedAt === null ? {} : { updatedAt }),
    ...(publicationStatus === null ? {} : { publicationStatus }),
    counts,
    ...pageOf(all, page),
    ...(error === null ? {} : { error: { code: error.code ?? outcome, message: error.message ?? '' } }),
    ...(next === undefined ? {} : { next }),
  };
}

async function ownIdOf(
  ledger: Session['ledger'],
  scope: Session['scope'],
  { mutationId }: Submission,
): Promise<string | null> {
  if (mutationId === null) return null;
  const page = await ledger.list(scope, { standing: 'open', limit: 200 });
  return page.records.find(({ row }) => row.id === mutationId.toLowerCase())?.row.id ?? null;
}

function nextOf(outcome: MutationResult['outcome'], own: string | null): Next | undefined {
  switch (outcome) {
    case 'processing':
    case 'unresolved':
      return own === null
        ? askPerson(
            'It was begun elsewhere: the machine that has its files goes on with it (resume_mutation).',
          )
        : askStatus(own, 'It was begun here: this tells how it goes on.');
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return makeAnew('Once what failed is mended, a new change under a new id takes the failed items.');
    default:
      return undefined;
  }
}

function shownItem(item: SubmissionItem, nameOf: (kind: string, id: string) => string | null): ItemReport {
  const { filename, target, slot } = item;
  const { kind, id } = target ?? { kind: 'unknown', id: '' };
  const name = target === null ? null : nameOf(kind, id);
  // A success that comes with an error is none.
  const status = item.status === 'succeeded' && item.state !== 'succeeded' ? null : item.status;
  return {
    itemId: item.itemId ?? '',
    ...(filename === null ? {} : { filename }),
    target: namedTarget(name === null ? {} : { [keyOfName(kind, id)]: name }, kind, id),
    slot: slot ?? '',
    status: status ?? 'unknown',
    ...(item.assetId === null ? {} : { assetId: item.assetId }),
    ...(item.error === null
      ? {}
      : { error: { code: item.error.code ?? 'failed', message: (item.error.message ?? '').slice(0, 300) } }),
  };
}
