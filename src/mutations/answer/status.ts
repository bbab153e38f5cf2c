import { missingScopes } from '../../catalogue/authorization.ts';
import { readUploadStatus, uploadStatus } from '../../catalogue/records/owned.ts';
import type { Submission, SubmissionItem, SubmissionKind } from '../../catalogue/submission.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { describeMutation, type Observations } from './describe-mutation.ts';
import { firstItems, nextAfterFailure, pageOfItems } from './describe-submission.ts';
import { firstIdentity, mayHaveBeenApplied, nextStatus } from './next.ts';
import { findMutualAbort } from '../before/conflicts.ts';
import { lookUpMutation, type LookupResult, pollUntilEnded } from '../run/look-up.ts';
import { type Finding, readStoredReceipt } from '../finding.ts';
import type { LookupContext } from '../mutation.ts';
import { nameOfService, typedId } from '../names.ts';
import { isSubmission, operationOfSubmissions, rehydrateMutation } from '../operations/find-operation.ts';
import {
  incompleteSubmissionError,
  lookUpUpload,
  storedItemOfSubmission,
  storedReceiptOfSubmission,
  withSetRevision,
} from '../operations/lookups.ts';
import type { MutationPorts, PublicReads } from '../ports.ts';
import { type ItemPage, type ItemReport, MutationError, type MutationResult } from '../result.ts';
import { requireOwnEntry, type Session } from '../account.ts';
import type { Deadline } from '../../deadline.ts';

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
  requireOwnEntry(view, scope);
  const abort = await findMutualAbort(session, view);
  if (abort !== null) return describeMutation(service, view, { error: abort });
  return isSubmission(view.entry) ? statusOfSubmission(session, view, page) : statusOfRequest(session, view);
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
  { ports, service, account, deadline }: Session,
  id: string,
): Promise<MutationResult> {
  const mayAsk = missingScopes(uploadStatus.needed, account.scopes).length === 0;
  const finding = mayAsk
    ? await pollUntilEnded(
        ports,
        deadline,
        () => lookUpUpload(ports.owned, id, deadline),
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
  { ports, service, ledger, scope, deadline }: Session,
  { submissionId: id, kind }: AskedSubmission,
  page: ItemPage | undefined,
): Promise<SubmissionReport> {
  const found = await pollUntilEnded(
    ports,
    deadline,
    () => ports.owned.findSubmission(kind, id, deadline),
    (seen) => page !== undefined || seen === null || !isOpen(seen),
  );
  if (found === null) throw unknownThere(id, kind);
  const { state, mutationId } = found;
  const seen = await findingOf(ports, found, deadline);
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

async function findingOf({ owned }: MutationPorts, found: Submission, deadline: Deadline): Promise<Seen> {
  const { state } = found;
  const kept = storedReceiptOfSubmission(found, null);
  if (state === 'open' || state === 'unresolved') return { found: 'working', kept };
  const error = state === 'succeeded' ? undefined : incompleteSubmissionError(found, { items: [] });
  const ended = { found: 'ended', outcome: state, kept, error } as const;
  const whole = await withSetRevision(ended, found, owned, deadline);
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

/** What is settled is told; otherwise the process at work is waited for, or the service is asked again and again. */
async function statusOfRequest(session: Session, view: EntryView): Promise<MutationResult> {
  const { service, ledger, scope } = session;
  if (isSettled(view)) {
    const mutation = view.standing === 'succeeded' ? rehydrateMutation(view.entry) : null;
    const published = await publicationOf(
      ({ owned, deadline }) => mutation?.publication({ owned, deadline }),
      session,
    );
    return describeMutation(service, view, published);
  }
  const { view: last, observed, looked } = await awaitNews(session, view);
  if (isSettled(last) || last.live || !looked) return describeMutation(service, last, observed);
  const counted = (await ledger.countLookup(scope, view.entry.clientMutationId)) ?? last;
  return describeMutation(service, counted, observed);
}

interface News extends Pick<LookupResult, 'view' | 'observed'> {
  /** Whether the service was asked and told nothing that ends the matter. */
  readonly looked: boolean;
  /** Asking again in a moment tells no more. */
  readonly final: boolean;
}

async function awaitNews(session: Session, first: EntryView): Promise<News> {
  const { ports, deadline } = session;
  let news: News | null = null;
  const ask = async (): Promise<News> => {
    const view = news === null ? first : await readAgain(session, news.view);
    news = {
      observed: {},
      looked: false,
      ...news,
      view,
      final: isSettled(view) || view.entry.abandonedAt !== null,
    };
    if (news.final || view.live) return news;
    const { finding, view: seen, observed } = await lookUpMutation(session, view, deadline);
    const final = isSettled(seen) || finding === 'never' || isHopeless(observed.error);
    news = { view: seen, observed, looked: true, final };
    return news;
  };
  const how = { firstMs: 500, longestMs: 8_000, reserveMs: 2_000 };
  return pollUntilEnded(ports, deadline, ask, ({ final }) => final, how);
}

async function readAgain({ ledger, scope }: Session, view: EntryView): Promise<EntryView> {
  return (await ledger.read(scope, view.entry.clientMutationId)) ?? view;
}

/** Whether asking again in a moment can't help. */
function isHopeless(error: ArtworkError | undefined): boolean {
  switch (error?.category) {
    case undefined:
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
    case 'not_found':
      return false;
    default:
      return true;
  }
}

function isSettled({ standing }: EntryView): boolean {
  return standing !== 'processing' && standing !== 'unresolved';
}

/**
 * How a submission stands. While a process works on it its end is waited for; otherwise one look tells all, since
 * nothing changes before it is resumed.
 */
async function statusOfSubmission(
  session: Session,
  first: EntryView,
  page?: ItemPage,
): Promise<MutationResult> {
  const { ports, service, deadline } = session;
  let last: EntryView | null = null;
  const ask = async (): Promise<EntryView> => {
    last = last === null ? first : await readAgain(session, last);
    return last;
  };
  const how = { firstMs: 250, longestMs: 2_000, reserveMs: 4_000 };
  const view = await pollUntilEnded(ports, deadline, ask, ({ live }) => !live || page !== undefined, how);
  if (isSettled(view) || view.entry.abandonedAt !== null) {
    const published =
      page === undefined ? await publicationOf((look) => publicationOfSubmission(view, look), session) : {};
    return describeMutation(service, view, { ...published, page });
  }
  const seen = await lookUpMutation(session, view, deadline);
  return describeMutation(service, seen.view, { ...seen.observed, page });
}

/** It ended before public reads had caught up (States, rule 3). */
async function publicationOfSubmission({ entry }: EntryView, look: Looking): Promise<string | null> {
  const mutation = rehydrateMutation(entry);
  if (mutation === null || readStoredReceipt(entry.receipt)?.publicationStatus !== 'pending') return null;
  const finding = await mutation.find({ ...look, progress: entry.progress });
  return finding.found === 'ended' ? finding.kept.publicationStatus : null;
}

type Looking = Pick<LookupContext, 'owned' | 'deadline'>;

/** Public reads catch up after a mutation has ended: whether they have by now. */
async function publicationOf(
  read: (look: Looking) => Promise<string | null> | undefined,
  { ports: { owned }, deadline }: Session,
): Promise<Pick<Observations, 'publicationStatus'>> {
  try {
    return { publicationStatus: await read({ owned, deadline }) };
  } catch (error) {
    // The stored answer stands; this would only have added to it.
    if (error instanceof ArtworkError) return {};
    throw error;
  }
}
