import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import { describeMutation, type Observations } from '../answer/describe-mutation.ts';
import { readStoredReceipt } from '../stored-receipt.ts';
import { lookUpMutation } from '../delivery/look-up.ts';
import type { Session } from '../session.ts';
import { createBackoff } from '../../wire/backoff.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import type { ItemPage, MutationResult } from '../result.ts';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
/** What is left of a call's time for the last look and the answer, ms. */
const reserveMs = 4_000;
const pauses = { firstMs: 250, longestMs: 2_000 };

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
  const until = clock.monotonic() + Math.min(newsMs, time.left() - reserveMs);
  let view = first;
  const backoff = createBackoff(clock, pauses);
  while (view.live && page === undefined) {
    if (clock.monotonic() + backoff.nextMs >= until) break;
    await backoff.pause(time.signal);
    time.check();
    view = (await ledger.read(scope, first.entry.clientMutationId)) ?? view;
  }
  const open = view.standing === 'processing' || view.standing === 'unresolved';
  if (!open || view.entry.abandonedAt !== null) {
    const published = page === undefined ? await publicationNow(session, view) : {};
    return describeMutation(service, view, { ...published, page });
  }
  const seen = await lookUpMutation(session, view, time.call());
  return describeMutation(service, seen.view, { ...seen.observed, page });
}

/** It ended before public reads had caught up (States, rule 3): whether they have by now. */
async function publicationNow(
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
