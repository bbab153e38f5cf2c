import type { Ledger } from '../../ledger/ledger.ts';
import type { Scope } from '../../ledger/scope.ts';
import type { View } from '../../ledger/standing.ts';
import { answer } from '../answer.ts';
import type { CallClock } from '../call-clock.ts';
import { look } from '../look.ts';
import type { MutationPorts } from '../ports.ts';
import type { ItemPage, MutationResult } from '../result.ts';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
/** What is left of a call's time for the last look and the answer, ms. */
const reserveMs = 4_000;
const firstPauseMs = 250;
const longestPauseMs = 2_000;

/**
 * How a submission stands. While somebody works on it its end is waited for; where nobody does, one look tells
 * all, since nothing changes before it is resumed.
 */
export async function statusOfSubmission(
  ports: MutationPorts,
  ledger: Ledger,
  scope: Scope,
  first: View,
  page: ItemPage | undefined,
  time: CallClock,
): Promise<MutationResult> {
  const { clock } = ports;
  const service = await ports.service();
  const until = clock.monotonic() + Math.min(newsMs, time.left() - reserveMs);
  let view = first;
  for (
    let pause = firstPauseMs;
    view.live && page === undefined;
    pause = Math.min(pause * 2, longestPauseMs)
  ) {
    if (clock.monotonic() + pause >= until) break;
    await clock.sleep(pause, time.signal);
    time.check();
    view = (await ledger.read(scope, first.entry.clientMutationId)) ?? view;
  }
  const open = view.standing === 'processing' || view.standing === 'unresolved';
  if (!open || view.entry.abandonedAt !== null) return answer(service, view, { page });
  const seen = await look(ports, ledger, scope, view, time.call());
  return answer(service, seen.view, { ...seen.learnt, page });
}
