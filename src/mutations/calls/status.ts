import { missingScopes } from '../../catalogue/authorization.ts';
import { readUploadStatus, uploadStatus } from '../../catalogue/records/owned.ts';
import type { Submission, SubmissionItem, SubmissionKind } from '../../catalogue/submission.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { firstItems, nextAfterFailure, pageOfItems } from '../answer/describe-submission.ts';
import { firstIdentity, mayHaveBeenApplied, nextStatus } from '../answer/next.ts';
import { findMutualAbort } from '../before-claim/conflicts.ts';
import { pollUntilEnded } from '../delivery/look-up.ts';
import type { Finding } from '../finding.ts';
import { nameOfService, typedId } from '../names.ts';
import { operationOfSubmissions } from '../operations/find-operation.ts';
import {
  incompleteSubmissionError,
  lookUpUpload,
  storedItemOfSubmission,
  storedReceiptOfSubmission,
  withSetRevision,
} from '../operations/lookups.ts';
import type { MutationPorts, PublicReads } from '../ports.ts';
import { type ItemPage, type ItemReport, MutationError, type MutationResult } from '../result.ts';
import type { CallClock, Session } from '../session.ts';
import { callStepsOf } from './call-steps.ts';

/**
 * What is known of a mutation. What is settled is told; what a process works on is waited for; for the rest
 * the service is asked, again and again as long as the call may last.
 * @throws MutationError `not_found` where neither the ledger nor the service knows the id, and as `describeMutation`
 */
export async function statusOfMutation(
  session: Session,
  id: string,
  page?: ItemPage,
): Promise<MutationResult> {
  const { service, ledger, scope } = session;
  const view = await ledger.read(scope, id);
  if (view === null) return statusOfForeignUpload(session, id);
  const abort = await findMutualAbort(session, view);
  if (abort !== null) return describeMutation(service, view, { error: abort });
  return callStepsOf(view.entry).status(session, view, page);
}

const stillAtWork: Next = {
  why: "The service has not finished this upload. It is not in this machine's ledger: ask again later with the same id, or where it was made.",
  doNot: mayHaveBeenApplied,
};

/**
 * The ledger notes an id before anything leaves under it, so a call that was stopped while its files were read or kept
 * is one that it does not know.
 */
const callAgain: Next = {
  why: "As far back as this machine's ledger goes, nothing was sent under this id from here: a call that was interrupted while its files were still being read or kept sent nothing, and leaves nothing to resume. Where the call was made here, make the same call again, with the same id and exactly the same arguments: an upload, a Set creation or a Set edit is applied only once under one id, even if it was sent from elsewhere meanwhile. Where it may have been made on another machine, for another account, or before the data folder of this one was lost, a person asks there first: a Set creation or edit is found by the submissionId of its receipt (get_mutation_status with submissionId and kind), and any other change that is no upload is only seen by looking at what it would have made.",
  doNot: firstIdentity,
};

/**
 * An id that this ledger does not know may be an upload of another machine. What the service says of it is told, and
 * nothing is written down: what was meant by it this ledger can't tell.
 */
async function statusOfForeignUpload(
  { ports, service, account, time }: Session,
  id: string,
): Promise<MutationResult> {
  const mayAsk = missingScopes(uploadStatus.needed, account.scopes).length === 0;
  const finding = mayAsk
    ? await pollUntilEnded(
        ports,
        time,
        () => lookUpUpload(ports.owned, id, time.call()),
        ({ found }) => found !== 'working',
      )
    : null;
  if (finding === null || finding.found === 'nothing') {
    const asked = mayAsk
      ? 'the service has no upload of this id now'
      : 'the service could not be asked for it without assets:write or assets:replace';
    const message = `This machine's ledger does not know the id for the connected account, and ${asked}.`;
    throw new MutationError('not_found', message, {
      clientMutationId: id,
      next: callAgain,
    });
  }
  return {
    outcome: finding.found === 'ended' && finding.outcome !== 'partial' ? finding.outcome : 'processing',
    clientMutationId: id,
    operation: 'upload_asset',
    service: nameOfService(service),
    id: { kind: 'asset', id: readUploadStatus({ data: finding.kept.receipt }).assetId },
    target: { kind: 'asset' },
    ...toldBy(finding),
    ...(finding.found === 'ended' ? {} : { next: stillAtWork }),
  };
}

type Seen = Exclude<Finding, { found: 'nothing' }>;

/** What every answer says of what the service shows. */
function toldBy(seen: Seen) {
  const { receipt, updatedAt, publicationStatus, evidence } = seen.kept;
  const error = seen.found === 'ended' ? seen.error : undefined;
  return {
    receipt,
    ...(updatedAt === null ? {} : { updatedAt }),
    ...(publicationStatus === null ? {} : { publicationStatus }),
    evidence,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/** A submission as the service knows it. */
export interface AskedSubmission {
  readonly submissionId: string;
  readonly kind: SubmissionKind;
}

/** As ItemReport, with as much of the declaration as the service shows. */
type ShownItem = Pick<ItemReport, 'itemId' | 'status' | 'assetId' | 'error'> &
  Partial<Pick<ItemReport, 'filename' | 'slot'>> & {
    readonly target?: { readonly kind: string; readonly id: number | string; readonly title?: string };
  };

/** What the service says of a submission, also of another machine's. `clientMutationId` is there where the service tells it. */
export type SubmissionReport = Omit<MutationResult, 'clientMutationId' | 'items'> &
  AskedSubmission & {
    readonly clientMutationId?: string;
    readonly items: readonly ShownItem[];
  };

/**
 * How a submission stands that this ledger did not make. Interface document, Recovery lookups: a submission by the
 * service's own id, which may have been admitted from another machine, or from a data folder that is lost. Reads,
 * and writes nothing down: what was meant by it this ledger can't tell.
 * @throws ArtworkError `not_found`, `scope_missing`, `forbidden`, or why the service could not be asked
 */
export async function statusOfForeignSubmission(
  { ports, service, ledger, scope, time }: Session,
  { submissionId: id, kind }: AskedSubmission,
  page: ItemPage | undefined,
): Promise<SubmissionReport> {
  const found = await pollUntilEnded(
    ports,
    time,
    () => ports.owned.findSubmission(kind, id, time.call()),
    (seen) => page !== undefined || seen === null || !isOpen(seen),
  );
  if (found === null) throw unknownThere(id, kind);
  const { state, mutationId } = found;
  const seen = await findingOf(ports, found, time);
  const { title } = seen.kept;
  const outcome = state === 'open' ? 'processing' : state;
  const known = mutationId === null ? null : await ledger.read(scope, mutationId.toLowerCase());
  const next = nextOf(kind, outcome, known === null ? null : known.entry.clientMutationId);
  return {
    outcome,
    submissionId: id,
    kind,
    ...(mutationId === null ? {} : { clientMutationId: mutationId }),
    operation: operationOfSubmissions(kind),
    service: nameOfService(service),
    id: { ...madeBy(found, id), ...(title === undefined ? {} : { title }) },
    target: madeBy(found, id),
    ...toldBy(seen),
    ...pageOfItems(
      found.items.flatMap((item) => shownItem(item, ports.catalogue)),
      page ?? firstItems,
    ),
    ...(next === undefined ? {} : { next }),
  };
}

function isOpen({ state }: Submission): boolean {
  return state === 'open' || state === 'unresolved';
}

async function findingOf({ owned }: MutationPorts, found: Submission, time: CallClock): Promise<Seen> {
  const { state } = found;
  const kept = storedReceiptOfSubmission(found, null);
  if (state === 'open' || state === 'unresolved') return { found: 'working', kept };
  const error = state === 'succeeded' ? undefined : incompleteSubmissionError(found, { items: [] });
  const ended = { found: 'ended', outcome: state, kept, error } as const;
  const whole = await withSetRevision(ended, found, owned, time.call());
  return whole.found === 'nothing' ? ended : whole;
}

/** The Set, where the service says which; else the submission itself. */
function madeBy({ setId }: Submission, submissionId: string) {
  return setId === null
    ? { kind: 'submission', id: submissionId }
    : { kind: 'set', id: typedId('set', setId) };
}

function shownItem(item: SubmissionItem, { nameOf }: Pick<PublicReads, 'nameOf'>): ShownItem[] {
  const { filename, target, slot } = item.declaration;
  const title = target === null ? null : nameOf(target.kind, target.id);
  return storedItemOfSubmission(item).map(({ itemId, status, assetId, error }) => ({
    itemId,
    ...(filename === null ? {} : { filename }),
    ...(target === null
      ? {}
      : {
          target: {
            kind: target.kind,
            id: typedId(target.kind, target.id),
            ...(title === null ? {} : { title }),
          },
        }),
    ...(slot === null ? {} : { slot }),
    status: status ?? 'unknown',
    ...(assetId === null ? {} : { assetId }),
    ...(error === null ? {} : { error }),
  }));
}

function nextOf(
  kind: SubmissionKind,
  outcome: MutationResult['outcome'],
  own: string | null,
): Next | undefined {
  switch (outcome) {
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return nextAfterFailure(operationOfSubmissions(kind), outcome);
    case 'processing':
    case 'unresolved': {
      if (own !== null) {
        return nextStatus(
          own,
          "It is in this machine's ledger under this id: this tells how to go on with it.",
        );
      }
      const said =
        outcome === 'unresolved'
          ? 'The service could not confirm the result itself, and may still be at work.'
          : 'The service has not finished it.';
      return {
        why: `${said} It is not in this machine's ledger, so this machine can't resume it: ask again later with the same submissionId and kind, or resume it on the machine that began it.`,
        doNot: mayHaveBeenApplied,
      };
    }
    case 'succeeded':
    case 'dry_run':
      return undefined;
  }
}

function unknownThere(submissionId: string, kind: SubmissionKind): ArtworkError {
  const other = kind === 'creation' ? 'edit' : 'creation';
  const message = `The service knows no submission ${submissionId} of kind ${kind} for the connected account now.`;
  return new ArtworkError('not_found', message, {
    next: {
      why: `A submissionId stands in the receipt that the service gave for it. It is asked for with the kind that it was made as: if this was no ${kind}, ask with kind "${other}". If it was admitted for another account, that account has to be connected.`,
    },
  });
}
