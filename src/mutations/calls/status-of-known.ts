import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { describeMutation, type Observations } from '../answer/describe-mutation.ts';
import { lookUpMutation, type LookupResult } from '../delivery/look-up.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import type { ItemPage, MutationResult } from '../result.ts';
import type { Session } from '../session.ts';
import { createBackoff } from '../../wire/pacing.ts';
import { readStoredReceipt } from '../finding.ts';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
/** What is left of a call's time for the answer itself, ms. */
const reserveMs = 2_000;
const pauses = { firstMs: 500, longestMs: 8_000 };

/** What is settled is told; otherwise the process at work is waited for, or the service is asked again and again. */
export async function statusOfRequest(session: Session, view: EntryView): Promise<MutationResult> {
  const { service, ledger, scope } = session;
  if (isSettled(view)) return describeMutation(service, view, await publicationOfRequest(session, view));
  const { view: last, observed, looked } = await awaitNews(session, view);
  if (isSettled(last) || last.live || !looked) return describeMutation(service, last, observed);
  const counted = (await ledger.countLookup(scope, view.entry.clientMutationId)) ?? last;
  return describeMutation(service, counted, observed);
}

interface News extends Pick<LookupResult, 'view' | 'observed'> {
  /** Whether the service was asked and told nothing that ends the matter. */
  readonly looked: boolean;
}

async function awaitNews(session: Session, first: EntryView): Promise<News> {
  const { ports, ledger, scope, time } = session;
  const { clock } = ports;
  const until = clock.monotonic() + Math.min(newsMs, time.left() - reserveMs);
  let news: News = { view: first, observed: {}, looked: false };
  const backoff = createBackoff(clock, pauses);
  for (;;) {
    const { view } = news;
    if (isSettled(view) || view.entry.abandonedAt !== null) return news;
    if (!view.live) {
      const { finding, view: seen, observed } = await lookUpMutation(session, view, time.call());
      news = { view: seen, observed, looked: true };
      if (isSettled(seen) || finding === 'never' || isHopeless(observed.error)) return news;
    }
    if (clock.monotonic() + backoff.nextMs >= until) return news;
    await backoff.pause(time.signal);
    time.check();
    const now = await ledger.read(scope, first.entry.clientMutationId);
    if (now !== null) news = { ...news, view: now };
  }
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

/** Public reads catch up after it has ended: whether they have by now. */
async function publicationOfRequest(
  { ports: { owned }, time }: Session,
  { entry, standing }: EntryView,
): Promise<Pick<Observations, 'publicationStatus'>> {
  const mutation = standing === 'succeeded' ? rehydrateMutation(entry) : null;
  if (mutation?.publication === undefined) return {};
  try {
    return { publicationStatus: await mutation.publication({ owned, call: time.call() }) };
  } catch (error) {
    // The stored answer stands; this would only have added to it.
    if (error instanceof ArtworkError) return {};
    throw error;
  }
}

/** What is left of a call's time for the last look and the answer, ms. */
const submissionReserveMs = 4_000;
const submissionPauses = { firstMs: 250, longestMs: 2_000 };

/**
 * How a submission stands. While a process works on it its end is waited for; otherwise one look tells all, since
 * nothing changes before it is resumed.
 */
export async function statusOfSubmission(
  session: Session,
  first: EntryView,
  page?: ItemPage,
): Promise<MutationResult> {
  const { ports, service, ledger, scope, time } = session;
  const { clock } = ports;
  const until = clock.monotonic() + Math.min(newsMs, time.left() - submissionReserveMs);
  let view = first;
  const backoff = createBackoff(clock, submissionPauses);
  while (view.live && page === undefined) {
    if (clock.monotonic() + backoff.nextMs >= until) break;
    await backoff.pause(time.signal);
    time.check();
    view = (await ledger.read(scope, first.entry.clientMutationId)) ?? view;
  }
  const open = view.standing === 'processing' || view.standing === 'unresolved';
  if (!open || view.entry.abandonedAt !== null) {
    const published = page === undefined ? await publicationOfSubmission(session, view) : {};
    return describeMutation(service, view, { ...published, page });
  }
  const seen = await lookUpMutation(session, view, time.call());
  return describeMutation(service, seen.view, { ...seen.observed, page });
}

/** It ended before public reads had caught up (States, rule 3): whether they have by now. */
async function publicationOfSubmission(
  { ports: { owned }, time }: Session,
  { entry }: EntryView,
): Promise<Pick<Observations, 'publicationStatus'>> {
  const mutation = rehydrateMutation(entry);
  if (mutation === null || readStoredReceipt(entry.receipt)?.publicationStatus !== 'pending') return {};
  try {
    const finding = await mutation.find({ owned, progress: entry.progress, call: time.call() });
    return finding.found === 'ended' ? { publicationStatus: finding.kept.publicationStatus } : {};
  } catch (error) {
    // The stored answer stands; this would only have added to it.
    if (error instanceof ArtworkError) return {};
    throw error;
  }
}
