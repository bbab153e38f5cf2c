import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { jsonOf } from '../../text.ts';
import type { TitleIndex } from './title-index.ts';

interface Ports {
  readonly index: Pick<TitleIndex, 'note' | 'setNote' | 'swapNote'>;
  readonly clock: Clock;
  /** The catalogue is a process of this program: no pace is kept. */
  readonly isOurs: boolean;
}

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
const dayMs = 24 * 60 * 60_000;
/** A reader that has not asked for so long has ended or sleeps, ms: a request with its pause takes less. */
const silentMs = 60_000;

const paceSchema = z.object({
  /** When the last request began, ms. */
  last: z.number(),
  /** Since the last day without any: the bound then holds for every day, wherever it begins. */
  count: z.number(),
  /** The service has turned the last one away. */
  refused: z.boolean(),
});

const holderSchema = z.object({ holder: z.string(), at: z.number(), isByHand: z.boolean() });

/**
 * One process of this machine reads a service at a time: it writes its name into the index before each request. A
 * reading that a person has started takes its place, and the other one ends before its next request.
 * @returns null where another process reads
 */
export async function takeTurns(ports: Ports, isByHand: boolean, signal: AbortSignal) {
  const { index, clock, isOurs } = ports;
  const holder = randomUUID();
  let mine: string | null = null;

  const hold = async (): Promise<boolean> => {
    const found = await index.note('reader');
    const other = holderSchema.safeParse(jsonOf(found ?? '')).data;
    const age = clock.now() - (other?.at ?? 0);
    // A clock that was set back makes nobody wait.
    const isLive = other !== undefined && age >= 0 && age < silentMs;
    const mayTake = mine === null ? !isLive || (isByHand && !other.isByHand) : found === mine;
    if (!mayTake) return false;
    const next = JSON.stringify({ holder, at: clock.now(), isByHand });
    if (!(await index.swapNote('reader', found, next))) return false;
    mine = next;
    return true;
  };

  if (!(await hold())) return null;
  return {
    /** Waits for the next turn, and counts its request before that is sent. `rests`: nothing may be asked for now. */
    async next(): Promise<'go' | 'rests' | 'lost' | 'stopped'> {
      if (!isOurs) {
        if ((await restsUntil(ports, isByHand)) !== null) return 'rests';
        const { last } = await paceOf(ports);
        await clock.sleep(last + gapMs - clock.now(), signal);
      }
      if (signal.aborted) return 'stopped';
      if (!(await hold())) return 'lost';
      if (!isOurs) {
        const { count } = await paceOf(ports);
        await index.setNote('pace', JSON.stringify({ last: clock.now(), count: count + 1, refused: false }));
      }
      return 'go';
    },
    /** The service has turned a request away: nothing more is asked for a day. */
    async refused(): Promise<void> {
      await index.setNote(
        'pace',
        JSON.stringify({ ...(await paceOf(ports)), last: clock.now(), refused: true }),
      );
    },
    async release(): Promise<void> {
      if (mine !== null) await index.swapNote('reader', mine, '{}');
    },
  };
}

/** Until when nothing is asked, ms; null: it may be asked now. */
export async function restsUntil(
  ports: Pick<Ports, 'index' | 'clock'>,
  isByHand: boolean,
): Promise<number | null> {
  const { last, count, refused } = await paceOf(ports);
  return refused || (count >= mostADay && !isByHand) ? last + dayMs : null;
}

async function paceOf({
  index,
  clock,
}: Pick<Ports, 'index' | 'clock'>): Promise<z.output<typeof paceSchema>> {
  const now = clock.now();
  const pace = paceSchema.safeParse(jsonOf((await index.note('pace')) ?? '')).data;
  if (pace === undefined || now - pace.last >= dayMs) return { last: now - dayMs, count: 0, refused: false };
  // The clock was set back: nobody waits for the time that it lost.
  return pace.last <= now ? pace : { ...pace, last: now };
}
