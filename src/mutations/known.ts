import type { Ledger } from '../ledger/ledger.ts';
import type { Scope } from '../ledger/scope.ts';
import type { View } from '../ledger/standing.ts';
import { answer } from './answer.ts';
import type { CallClock } from './call-clock.ts';
import { look } from './look.ts';
import type { MutationPorts, Service } from './ports.ts';
import type { MutationResult } from './result.ts';

/** The same id again with the same intent, and not to be sent: what is settled is told, the rest is looked up. */
export async function answerKnown(
  ports: MutationPorts,
  service: Service,
  ledger: Ledger,
  scope: Scope,
  known: View,
  time: CallClock,
): Promise<MutationResult> {
  const open = known.standing === 'processing' || known.standing === 'unresolved';
  if (!open || known.live || known.entry.abandonedAt !== null) return answer(service, known);
  const { view, learnt } = await look(ports, ledger, scope, known, time.call());
  return answer(service, view, learnt);
}
