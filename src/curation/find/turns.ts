import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Transaction } from '../../store/libsql.ts';
import { numberOf, textOf } from './table.ts';
import type { TitleIndex } from './title-index.ts';

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
const dayMs = 24 * 60 * 60_000;
/** A reader that has not asked for so long has ended or sleeps, ms: a request with its pause takes less. */
const silentMs = 60_000;

/** `rests`: nothing may be asked today. `busy`: another process reads. */
export type Turn = 'go' | 'rests' | 'busy' | 'stopped';

interface TurnPorts {
  readonly index: Pick<TitleIndex, 'write'>;
  readonly clock: Clock;
  /** No pace is kept, and no day has an end. */
  readonly isOurs: boolean;
}

/**
 * One process of this machine reads a service at a time: it writes its name into one row before each request. A reading
 * that a person starts takes the row over, and the other one ends before its next request.
 */
export function createTurns({ index, clock, isOurs }: TurnPorts, isByHand: boolean) {
  const me = randomUUID();
  const write = (transaction: Transaction, holder: string | null, last: number, count: number) =>
    transaction.run('REPLACE INTO reader VALUES (1, ?, ?, ?)', [holder, last, count]);
  return {
    /** Waits for the next turn, and counts its request before that is sent. */
    async take(signal: AbortSignal): Promise<Turn> {
      const { last } = await index.write((transaction) => rowOf(transaction, clock.now()));
      if (!isOurs) await clock.sleep(last + gapMs - clock.now(), signal);
      if (signal.aborted) return 'stopped';
      return index.write((transaction): Turn => {
        const now = clock.now();
        const seen = rowOf(transaction, now);
        const isFree = seen.holder === null || seen.holder === me || now - seen.last >= silentMs;
        if (!isFree && !isByHand) return 'busy';
        if (seen.count >= mostADay && !isByHand && !isOurs) return 'rests';
        write(transaction, me, now, seen.count + 1);
        return 'go';
      });
    },
    /** @param isTurnedAway the service has turned a request away: the day is over */
    end: (isTurnedAway = false): Promise<void> =>
      index.write((transaction) => {
        const { holder, last, count } = rowOf(transaction, clock.now());
        if (holder === me) write(transaction, null, last, isTurnedAway ? mostADay : count);
      }),
  };
}

/** Who reads, when the last request began, and how many there were since the last day without any, so on any day. */
function rowOf(transaction: Transaction, now: number) {
  const [row] = transaction.rows('SELECT holder, last, count FROM reader', []);
  const last = numberOf(row?.last) ?? 0;
  if (now - last >= dayMs) return { holder: null, last: 0, count: 0 };
  // Where the clock was set back nobody waits for the time that it lost.
  return { holder: textOf(row?.holder), last: Math.min(last, now), count: numberOf(row?.count) ?? 0 };
}
