import { ArtworkError } from '../../errors.ts';
import { type EntryView, isUnsent } from '../../ledger/ledger.ts';
import { requireOwnEntry, type Session } from '../account.ts';
import { findMutualAbort } from '../before/conflicts.ts';
import { isOpenAndIdle } from '../before/perform.ts';
import { readStoredReceiptOnly } from '../finding.ts';
import { isSubmission, rehydrateMutation } from '../operations/find-operation.ts';
import type { Preparing } from '../before/preparing.ts';
import { type ItemPage, MutationError, type MutationResult } from '../result.ts';
import { type LookupResult, lookUpMutation, pollUntilEnded } from '../run/look-up.ts';
import { describeMutation } from './describe-mutation.ts';
import { pageOfDryRun } from './dry-run.ts';
import { statusOfForeignUpload } from './elsewhere.ts';
import { nextIn } from './table.ts';

/**
 * What is known of a mutation. What is settled is told; what a process works on is waited for; for the rest
 * the service is asked. Of what the ledger does not know so far, a call of this process may still read the files.
 * @throws MutationError `not_found` where neither the ledger nor the service knows the id, and as `describeMutation`
 */
export async function statusOfMutation(
  session: Session,
  preparing: Pick<Preparing, 'ask' | 'isAtWork'>,
  id: string,
  page?: ItemPage,
): Promise<MutationResult> {
  const { ledger, scope } = session;
  const known = await ledger.read(scope, id);
  // If an earlier call of this id did not send it, or left it open, a later one may be preparing it here.
  const isHeld = known !== null && !isUnsent(known) && !isOpenAndIdle(known);
  if (known === null || (!isHeld && preparing.isAtWork(id))) {
    if (known !== null) requireOwnEntry(known, scope);
    const prepared = await preparing.ask(session, id);
    if (prepared !== null) return (page === undefined ? null : pageOfDryRun(prepared, page)) ?? prepared;
    // A change that was sent has its pages in the ledger.
    if (page?.after) throw dryRunForgotten(id);
    return statusOfForeignUpload(session, id);
  }
  requireOwnEntry(known, scope);
  const abort = await findMutualAbort(session, known);
  if (abort !== null) return describeMutation(session, known, { error: abort });
  const { view, look } = isSubmission(known.entry)
    ? await newsOfSubmission(session, known, page)
    : await newsOfRequest(session, known);
  if (look !== null) return describeMutation(session, view, { ...look.observed, page });
  return describeMutation(session, view, {
    publicationStatus: await publicationOf(session, view, page),
    page,
  });
}

function dryRunForgotten(clientMutationId: string): MutationError {
  const message =
    'Nothing was sent under this id from here, and what its dry run has shown is not remembered any more.';
  const next = nextIn({ is: 'dry run forgotten' });
  return new MutationError('not_found', message, { clientMutationId, next });
}

interface News {
  readonly view: EntryView;
  /** The last look at the service; null: the ledger tells enough. */
  readonly look: LookupResult | null;
}

/** What a process works on is waited for, and else the service is asked, again and again as long as the call may last. */
async function newsOfRequest(session: Session, first: EntryView): Promise<News> {
  const { ports, ledger, scope, deadline } = session;
  let last: EntryView | null = null;
  const ask = async (): Promise<News> => {
    last = last === null ? first : await readAgain(session, last);
    if (isOver(last) || last.live) return { view: last, look: null };
    const look = await lookUpMutation(session, last, deadline);
    last = look.view;
    return { view: last, look };
  };
  const isFinal = ({ view, look }: News): boolean =>
    isOver(view) || look?.finding === 'never' || isHopeless(look?.observed.error);
  const how = { firstMs: 500, longestMs: 8_000, reserveMs: 2_000 };
  const news = await pollUntilEnded(ports, deadline, ask, isFinal, how);
  if (news.look === null || isOver(news.view)) return news;
  const counted = await ledger.countLookup(scope, news.view.entry.clientMutationId);
  return { ...news, view: counted ?? news.view };
}

/**
 * While a process works on a submission its end is waited for; otherwise one look tells all, since nothing changes
 * before it is resumed.
 */
async function newsOfSubmission(session: Session, first: EntryView, page?: ItemPage): Promise<News> {
  const { ports, deadline } = session;
  let last: EntryView | null = null;
  const ask = async (): Promise<EntryView> => {
    last = last === null ? first : await readAgain(session, last);
    return last;
  };
  const how = { firstMs: 250, longestMs: 2_000, reserveMs: 4_000 };
  const view = await pollUntilEnded(ports, deadline, ask, ({ live }) => !live || page !== undefined, how);
  if (isOver(view)) return { view, look: null };
  const look = await lookUpMutation(session, view, deadline);
  return { view: look.view, look };
}

async function readAgain({ ledger, scope }: Session, view: EntryView): Promise<EntryView> {
  return (await ledger.read(scope, view.entry.clientMutationId)) ?? view;
}

/** Settled or given up: nothing more comes of it. */
function isOver({ standing, entry }: EntryView): boolean {
  return (standing !== 'processing' && standing !== 'unresolved') || entry.abandonedAt !== null;
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

/** Public reads catch up after a mutation has ended (States, rule 3): whether they have by now; null: not known. */
async function publicationOf(
  { ports: { owned }, deadline }: Session,
  { entry, standing }: EntryView,
  page: ItemPage | undefined,
): Promise<string | null> {
  const mutation = rehydrateMutation(entry);
  try {
    if (mutation?.by !== 'submission')
      return standing === 'succeeded' ? ((await mutation?.publication({ owned, deadline })) ?? null) : null;
    const isPending = readStoredReceiptOnly(entry.receipt)?.publicationStatus === 'pending';
    if (!isPending || page !== undefined) return null;
    const finding = await mutation.find({ owned, deadline, progress: entry.progress });
    return finding.found === 'ended' ? finding.kept.publicationStatus : null;
  } catch (error) {
    // The stored answer stands; this would only have added to it.
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}
