import { find } from './find.ts';
import type { Done, Job } from './job.ts';
import { type Kept, keep } from './kept.ts';
import type { MutationPorts } from './ports.ts';
import { done, record, settleFound } from './record.ts';

const firstPauseMs = 500;
const longestPauseMs = 8_000;
/** After that, whoever wants to know asks. */
const patienceMs = 10 * 60_000;

/** The service accepted it and works on it: waits for the end, long after the call has answered if need be. */
export async function follow(ports: MutationPorts, job: Job, kept: Kept): Promise<Done> {
  const { closing } = job.wishes;
  const { ledger, held, outgoing } = job;
  const step = await record(ports, job, () =>
    ledger.accept(held, { receipt: keep(kept), progress: outgoing.progress }),
  );
  const until = ports.clock.monotonic() + patienceMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    if (closing.aborted || ports.clock.monotonic() > until) return done(step);
    await ports.clock.sleep(pause, closing);
    const finding = await find(ports, job);
    if (finding?.found === 'ended') return settleFound(ports, job, finding);
  }
}
