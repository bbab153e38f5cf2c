import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Artist } from './artist.ts';
import { gate } from './gate.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { waitingClock } from './waiting-clock.ts';
import { guardedOf } from './wishes.ts';

const { studio, artist, prepare } = await openStudio();

const callMs = 40_000;

/** A process whose disk gives three bytes of ten, and the others once it is let. */
async function onSlowDisk() {
  const [begun, rest] = [gate(), gate()];
  const clock = waitingClock(100);
  const host = await artist.another({
    ports: (ports) => ({
      ...ports,
      clock,
      files: {
        ...ports.files,
        async open(file, how) {
          how.progress(3, 10, 'hashing');
          begun.open();
          // As the reading of a file, it ends with its signal.
          await Promise.race([rest.passed, once(how.signal, 'abort')]);
          return ports.files.open(file, how);
        },
      },
    }),
  });
  /** Answers once the time of the call is over. */
  const answer = async (call: ReturnType<Artist['mutations']['status']>) => {
    const answering = told(call);
    await begun.passed;
    const end = clock.monotonic() + callMs;
    while (clock.monotonic() < end) await clock.sleep(8_000);
    return answering;
  };
  return { host, answer, giveRest: rest.open };
}

const stillRead = [expect.objectContaining({ code: 'nothing_sent_yet' })];

describe('an upload whose file is read for longer than a call lasts', () => {
  it.each([
    [false, 'succeeded', 1],
    [true, 'dry_run', 0],
  ])('is answered in time, goes on, and is told by its status (dry run: %s)', async (dryRun, end, posts) => {
    studio.forget();
    const { host, answer, giveRest } = await onSlowDisk();
    const wish = await prepare('an upload');
    const { clientMutationId } = guardedOf(wish);
    const early = await answer(
      wish.make(host.mutations, { ...guardedOf(wish), dryRun }, host.within(callMs)),
    );
    expect(early).toMatchObject({
      outcome: 'processing',
      result: { operation: 'upload_asset', warnings: stillRead },
      next: { tool: 'get_mutation_status', arguments: { clientMutationId } },
    });
    const asked = await answer(host.mutations.status(clientMutationId, host.within(callMs)));
    expect(asked).toMatchObject({ outcome: 'processing', result: { warnings: stillRead } });
    expect(await host.mutations.isKnown(clientMutationId)).toBe(false);
    giveRest();
    const late = () => told(host.mutations.status(clientMutationId, host.within(callMs)));
    await expect.poll(late).toMatchObject({ outcome: end });
    expect(studio.posts(wish.path)).toBe(posts);
    await host.leave();
  });
});
