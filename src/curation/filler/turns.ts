import { z } from 'zod';
import { jsonOf } from '../../text.ts';
import type { FillerPorts } from './ports.ts';

type Ports = Pick<FillerPorts, 'index' | 'clock' | 'self' | 'isOurs'>;

/** From one request to the next, ms. The service names no limit (interface document, Limits), so it is little. */
const gapMs = 1_000;
/** Within any day, of all processes of this machine; a person's reading is not bound by it. */
const mostADay = 1_000;
const dayMs = 24 * 60 * 60_000;
/** Longer than a request may take. */
export const leaseMs = 60_000;
const pollMs = 250;

const lease = 'filler';
const attended = 'filler by hand';
const noteName = 'pace';

const stored = z.object({
  /** When the last request began, ms. */
  last: z.number(),
  /** Since the last day without any: the bound then holds for every day, wherever it begins. */
  count: z.number(),
  /** The last request was turned away. */
  refused: z.boolean(),
});

export type Turns = NonNullable<Awaited<ReturnType<typeof takeLease>>>;

/**
 * One process of this machine reads a service at a time: it holds a lease in the index, renewed before each request, so
 * that one that dies hands over. One that a person started goes before one in the background: it holds a second
 * lease, and the other lets go at its next request.
 * @returns null where another process has it, or the signal is aborted
 */
export async function takeLease(ports: Ports, isByHand: boolean, signal: AbortSignal) {
  const { index, clock, self, isOurs } = ports;
  const take = async (name: string, forMs: number): Promise<boolean> => {
    if (await index.hold(name, self.holder, forMs)) return true;
    const other = await index.holderOf(name);
    if (other === null || !(await self.hasEnded(other))) return false;
    return index.hold(name, self.holder, forMs, other);
  };
  // For no time at all: asks whether another has it.
  const isFree = () => take(attended, isByHand ? leaseMs : 0);
  const release = async (): Promise<void> => {
    if (isByHand) await index.hold(attended, self.holder, 0);
    await index.hold(lease, self.holder, 0);
  };

  for (let tried = false; ; tried = true) {
    if (signal.aborted || !(await isFree())) {
      if (tried) await release();
      return null;
    }
    if (await take(lease, leaseMs)) break;
    if (!isByHand) return null;
    await clock.sleep(pollMs, signal);
  }
  return {
    release,
    /** Waits for the next turn, and counts its request before that is sent. `rests`: nothing may be asked for now. */
    async next(): Promise<'go' | 'rests' | 'lost' | 'stopped'> {
      if (!isOurs) {
        const { last } = await paceOf(ports);
        if ((await restsUntil(ports, isByHand)) !== null) return 'rests';
        await clock.sleep(last + gapMs - clock.now(), signal);
      }
      if (signal.aborted) return 'stopped';
      if (!((await isFree()) && (await take(lease, leaseMs)))) return 'lost';
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
