import type { EntryView } from '../../ledger/standing.ts';
import { answer } from '../answer/answer.ts';
import { lookUp } from '../delivery/look-up.ts';
import type { MutationResult } from '../result.ts';
import type { Session } from '../session.ts';

/** The same id again with the same intent, and not to be sent: what is settled is told, the rest is looked up. */
export async function replayAnswer(session: Session, known: EntryView): Promise<MutationResult> {
  if (!isOpenAndIdle(known)) return answer(session.service, known);
  const { view, observed } = await lookUp(session, known, session.time.call());
  return answer(session.service, view, observed);
}

/** Its outcome is not settled, and no process works on it: asking the service may tell more. */
export function isOpenAndIdle({ standing, live, entry }: EntryView): boolean {
  return (standing === 'processing' || standing === 'unresolved') && !live && entry.abandonedAt === null;
}
