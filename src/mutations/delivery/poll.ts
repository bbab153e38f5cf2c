import type { CallClock } from '../call-clock.ts';
import type { MutationPorts } from '../ports.ts';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
/** What is left of a call's time for the answer itself, ms. */
const reserveMs = 4_000;
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** Asks until the answer is an end, or the time for news is over; answers what was heard last. */
export async function pollUntilEnded<Value>(
  { clock }: Pick<MutationPorts, 'clock'>,
  time: CallClock,
  ask: () => Promise<Value>,
  hasEnded: (value: Value) => boolean,
): Promise<Value> {
  const until = clock.monotonic() + Math.min(newsMs, time.left() - reserveMs);
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const value = await ask();
    if (hasEnded(value) || clock.monotonic() + pause >= until) return value;
    await clock.sleep(pause, time.signal);
    time.check();
  }
}
