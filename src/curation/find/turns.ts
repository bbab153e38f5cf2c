import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { jsonOf } from '../../text.ts';
import type { TitleIndex } from './title-index.ts';

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
const dayMs = 24 * 60 * 60_000;
/** A reader that has not asked for so long has ended or sleeps, ms: a request with its pause takes less. */
const silentMs = 60_000;

/** The one row by which the processes of this machine take turns. */
const row = z.object({
  /** Who reads; null: nobody. */
  holder: z.string().nullable(),
  isByHand: z.boolean(),
  /** When the last request began, ms. */
  last: z.number(),
  /** Since the last day without any: the bound then holds for every day, wherever it begins. */
  count: z.number(),
  /** The service has turned the last one away. */
  refused: z.boolean(),
});
type Row = z.output<typeof row>;

/** `rests`: nothing may be asked today. `busy`: another process reads. */
export type Turn = 'go' | 'rests' | 'busy' | 'stopped';

interface TurnPorts {
  readonly index: Pick<TitleIndex, 'note' | 'changeNote'>;
  readonly clock: Clock;
  /** No pace is kept, and no request counted. */
  readonly isOurs: boolean;
}

/**
 * One process of this machine reads a service at a time: it writes its name into the row before each request. A reading
 * that a person has started takes its place, and the other one ends before its next request.
 */
export function createTurns({ index, clock, isOurs }: TurnPorts, isByHand: boolean) {
  const me = randomUUID();
  let hasHeld = false;
  return {
    /** Waits for the next turn, and counts its request before that is sent. */
    async take(signal: AbortSignal): Promise<Turn> {
      const { last } = rowIn(await index.note('reader'), clock.now());
      if (!isOurs) await clock.sleep(last + gapMs - clock.now(), signal);
      if (signal.aborted) return 'stopped';
      const taken: { turn: Turn } = { turn: 'busy' };
      await index.changeNote('reader', (text) => {
        const now = clock.now();
        const seen = rowIn(text, now);
        const isFree = seen.holder === null || now - seen.last >= silentMs;
        const isMine = hasHeld ? seen.holder === me : isFree || (isByHand && !seen.isByHand);
        const rests = !isOurs && restOf(seen, isByHand) !== null;
        taken.turn = !isMine ? 'busy' : rests ? 'rests' : 'go';
        const count = seen.count + (isOurs ? 0 : 1);
        const mine: Row = { holder: me, isByHand, last: now, count, refused: false };
        return taken.turn === 'go' ? JSON.stringify(mine) : null;
      });
      hasHeld ||= taken.turn === 'go';
      return taken.turn;
    },
    /** @param refused the service has turned a request away: nothing more is asked for a day */
    end: (refused = false): Promise<void> =>
      index.changeNote('reader', (text) => {
        const now = rowIn(text, clock.now());
        return now.holder === me ? JSON.stringify({ ...now, holder: null, refused }) : null;
      }),
  };
}

/** Until when nothing is asked without a person, ms since 1970; null: it may be asked now. */
export async function restsUntil({ index, clock }: Omit<TurnPorts, 'isOurs'>): Promise<number | null> {
  return restOf(rowIn(await index.note('reader'), clock.now()), false);
}

function restOf({ last, count, refused }: Row, isByHand: boolean): number | null {
  return refused || (count >= mostADay && !isByHand) ? last + dayMs : null;
}

function rowIn(text: string | null, now: number): Row {
  const told = row.safeParse(jsonOf(text ?? '')).data;
  if (told === undefined || now - told.last >= dayMs)
    return { holder: null, isByHand: false, last: 0, count: 0, refused: false };
  // The clock was set back: nobody waits for the time that it lost.
  return told.last <= now ? told : { ...told, holder: null, last: now };
}
