import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { jsonOf } from '../../text.ts';
import type { TitleIndex } from './title-index.ts';

interface Ports {
  readonly index: Pick<TitleIndex, 'note' | 'swapNote'>;
  readonly clock: Clock;
}

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
const dayMs = 24 * 60 * 60_000;
/** A reader that has not asked for so long has ended or sleeps, ms: a request with its pause takes less. */
const silentMs = 60_000;

/** The one row by which the processes of this machine take turns. */
const turnSchema = z.object({
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
type Turn = z.output<typeof turnSchema>;

/**
 * One process of this machine reads a service at a time: it writes its name into the index before each request. A
 * reading that a person has started takes its place, and the other one ends before its next request.
 * @param isOurs the catalogue is a process of this program: no pace is kept
 */
export function takeTurns(ports: Ports & { readonly isOurs: boolean }, isByHand: boolean) {
  const { index, clock, isOurs } = ports;
  const me = randomUUID();
  let hasHeld = false;

  return {
    /**
     * Waits for the next turn, and counts its request before that is sent. `rests`: nothing may be asked for now.
     * `busy`: another process reads.
     */
    async next(signal: AbortSignal): Promise<'go' | 'rests' | 'busy' | 'stopped'> {
      const { found, turn } = await readTurn(ports);
      const isFree = turn.holder === null || clock.now() - turn.last >= silentMs;
      const mayTake = hasHeld ? turn.holder === me : isFree || (isByHand && !turn.isByHand);
      if (!mayTake) return 'busy';
      if (!isOurs) {
        if (restOf(turn, isByHand) !== null) return 'rests';
        await clock.sleep(turn.last + gapMs - clock.now(), signal);
      }
      if (signal.aborted) return 'stopped';
      const count = turn.count + (isOurs ? 0 : 1);
      const mine: Turn = { holder: me, isByHand, last: clock.now(), count, refused: false };
      hasHeld = await index.swapNote('reader', found, JSON.stringify(mine));
      return hasHeld ? 'go' : 'busy';
    },
    /** @param refused the service has turned a request away: nothing more is asked for a day */
    async end(refused = false): Promise<void> {
      const { found, turn } = await readTurn(ports);
      if (turn.holder === me) {
        await index.swapNote('reader', found, JSON.stringify({ ...turn, holder: null, refused }));
      }
    },
  };
}

function restOf({ last, count, refused }: Turn, isByHand: boolean): number | null {
  return refused || (count >= mostADay && !isByHand) ? last + dayMs : null;
}

/** Until when nothing is asked without a person, ms; null: it may be asked now. */
export async function restsUntil(ports: Ports): Promise<number | null> {
  return restOf((await readTurn(ports)).turn, false);
}

async function readTurn({ index, clock }: Ports): Promise<{ found: string | null; turn: Turn }> {
  const found = await index.note('reader');
  const now = clock.now();
  const told = turnSchema.safeParse(jsonOf(found ?? '')).data;
  if (told === undefined || now - told.last >= dayMs) {
    return { found, turn: { holder: null, isByHand: false, last: 0, count: 0, refused: false } };
  }
  // The clock was set back: nobody waits for the time that it lost.
  return { found, turn: told.last <= now ? told : { ...told, holder: null, last: now } };
}
