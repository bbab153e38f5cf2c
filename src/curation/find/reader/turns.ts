import { z } from 'zod';
import { jsonOf } from '../../../text.ts';
import type { ReaderPorts } from './ports.ts';

type Ports = Pick<ReaderPorts, 'index' | 'clock' | 'judge' | 'isOurs'>;

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
const dayMs = 24 * 60 * 60_000;

const noteName = 'pace';

const stored = z.object({
  /** When the last request began, ms. */
  last: z.number(),
  /** Since the last day without any: the bound then holds for every day, wherever it begins. */
  count: z.number(),
  /** The last request was turned away. */
  refused: z.boolean(),
});

export type Turns = NonNullable<Awaited<ReturnType<typeof takeTurns>>>;

/** Who reads, and the counter that it moves by asking for its lease again. */
const holding = z.object({ holder: z.string(), beat: z.number() });

/** A lease that lies in the index: a note of its holder. */
function leaseIn({ index, judge }: Pick<Ports, 'index' | 'judge'>) {
  let mine: { readonly holder: string; readonly beat: number; readonly text: string } | null = null;
  const drop = () => {
    if (mine !== null) judge.end(mine.holder);
    mine = null;
  };
  const isHeld = (text: string | null): boolean => {
    // Nothing that can't be read holds anything.
    const held = holding.safeParse(text === null ? null : jsonOf(text)).data;
    return held !== undefined && judge.isLive(held.holder, held.beat);
  };
  return {
    /**
     * Takes it, or keeps it. False: another process has it.
     * @param isByHand takes it from another process that has it
     */
    async take(isByHand: boolean): Promise<boolean> {
      const text = await index.note(noteOfLease);
      if (mine === null ? !isByHand && isHeld(text) : text !== mine.text) {
        drop();
        return false;
      }
      const next = { holder: mine?.holder ?? judge.start(), beat: mine === null ? 0 : mine.beat + 1 };
      mine = { ...next, text: JSON.stringify(next) };
      const isTaken = await index.swapNote(noteOfLease, text, mine.text);
      if (!isTaken) drop();
      return isTaken;
    },
    async release(): Promise<void> {
      const text = mine?.text;
      drop();
      if (text !== undefined) await index.swapNote(noteOfLease, text, null);
    },
  };
}

const noteOfLease = 'reader';

/**
 * One process of this machine reads a service at a time: it holds a lease in the index, and asks for it before each
 * request. That moves its counter more often than a judge waits for: no request with the pause after it takes as long.
 * A reading that a person started takes the lease from another one, which ends before its next request.
 * @returns null where another process has it
 */
export async function takeTurns(ports: Ports, isByHand: boolean, signal: AbortSignal) {
  const { clock, isOurs } = ports;
  const lease = leaseIn(ports);
  if (!(await lease.take(isByHand))) return null;
  return {
    release: lease.release,
    /** Waits for the next turn, and counts its request before that is sent. `rests`: nothing may be asked for now. */
    async next(): Promise<'go' | 'rests' | 'lost' | 'stopped'> {
      if (!isOurs) {
        const { last } = await paceOf(ports);
        if ((await restsUntil(ports, isByHand)) !== null) return 'rests';
        await clock.sleep(last + gapMs - clock.now(), signal);
      }
      if (signal.aborted) return 'stopped';
      if (!(await lease.take(false))) return 'lost';
      if (!isOurs) {
        const { count } = await paceOf(ports);
        await keep(ports, { last: clock.now(), count: count + 1, refused: false });
      }
      return 'go';
    },
    /** The service has turned a request away: nothing more is asked for a day. */
    refused: async () => keep(ports, { ...(await paceOf(ports)), last: clock.now(), refused: true }),
  };
}

/** Until when nothing is asked, ms; null: it may be asked now. */
export async function restsUntil(ports: Pick<Ports, 'index' | 'clock'>, isByHand: boolean) {
  const { last, count, refused } = await paceOf(ports);
  return refused || (count >= mostADay && !isByHand) ? last + dayMs : null;
}

/** What can't be read is begun anew, as the index is that it stands in. */
async function paceOf(ports: Pick<Ports, 'index' | 'clock'>): Promise<z.output<typeof stored>> {
  const note = await ports.index.note(noteName);
  const now = ports.clock.now();
  const pace = stored.safeParse(note === null ? null : jsonOf(note)).data;
  if (pace === undefined || now - pace.last >= dayMs) return { last: now - dayMs, count: 0, refused: false };
  if (pace.last <= now) return pace;
  // The clock was set back: nobody waits for the time that it lost.
  await keep(ports, { ...pace, last: now });
  return { ...pace, last: now };
}

function keep({ index }: Pick<Ports, 'index'>, pace: z.output<typeof stored>): Promise<void> {
  return index.setNote(noteName, JSON.stringify(pace));
}
