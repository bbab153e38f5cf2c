import type { Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import type { EntryView } from '../../ledger/standing.ts';
import { answer } from '../answer/answer.ts';
import type { CallClock } from '../call-clock.ts';
import { lookUp } from '../delivery/look-up.ts';
import type { MutationPorts, Service } from '../ports.ts';
import type { MutationResult } from '../result.ts';

/** The same id again with the same intent, and not to be sent: what is settled is told, the rest is looked up. */
export async function replayAnswer(
  ports: MutationPorts,
  service: Service,
  ledger: Ledger,
  scope: AccountScope,
  known: EntryView,
  time: CallClock,
): Promise<MutationResult> {
  const open = known.standing === 'processing' || known.standing === 'unresolved';
  if (!open || known.live || known.entry.abandonedAt !== null) return answer(service, known);
  const { view, observed } = await lookUp(ports, ledger, scope, known, time.call());
  return answer(service, view, observed);
}
