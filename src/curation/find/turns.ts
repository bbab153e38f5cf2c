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
  /** When the last request began, ms. */
  last: z.number(),
  /** Since the last day without any: the bound then holds for every day, wherever it begins. */
  count: z.number(),
});

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
 * that a person starts takes the row over, and the other one ends before its next request.
 */
export function createTurns({ index, clock, isOurs }: TurnPorts, isByHand: boolean) {
  const me = randomUUID();
  return {
    /** Waits for the next turn, and counts its request before that is sent. */
    async take(signal: AbortSignal): Promise<Turn> {
      const { last } = rowIn(await index.note('reader'), clock);
      if (!isOurs) await clock.sleep(last + gapMs - clock.now(), signal);
      if (signal.aborted) return 'stopped';
      let turn: Turn = 'busy';
      await index.changeNote('reader', (text) => {
        const seen = rowIn(text, clock);
        const isFree = seen.holder === null || clock.now() - seen.last >= silentMs;
        if (!isFree && !isByHand && seen.holder !== me) return null;
        turn = seen.count >= mostADay && !isByHand ? 'rests' : 'go';
        const mine = { holder: me, last: clock.now(), count: seen.count + (isOurs ? 0 : 1) };
        return turn === 'go' ? JSON.stringify(mine) : null;
      });
      return turn;
    },
    /** @param isTurnedAway the service has turned a request away: the day is over */
    end: (isTurnedAway = false): Promise<void> =>
      index.changeNote('reader', (text) => {
        const { holder, last, count } = rowIn(text, clock);
        if (holder !== me) return null;
        return JSON.stringify({ holder: null, last, count: isTurnedAway ? mostADay : count });
      }),
  };
}

function rowIn(text: string | null, clock: Clock): z.output<typeof row> {
  const now = clock.now();
  const told = row.safeParse(jsonOf(text ?? '')).data;
  if (told === undefined || now - told.last >= dayMs) return { holder: null, last: 0, count: 0 };
  // The clock was set back: nobody waits for the time that it lost.
  return told.last <= now ? told : { ...told, holder: null, last: now };
}
