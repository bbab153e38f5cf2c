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

  it('is not called unsent because an earlier call of its id was', async () => {
    const { host, answer, giveRest } = await onSlowDisk();
    const wish = await prepare('an upload');
    const { clientMutationId } = guardedOf(wish);
    const error = { code: 'too.fast', message: 'Later.', details: {}, issues: [] };
    const answered = { do: 'answer', when: 'before', status: 429, body: { error } } as const;
    studio.queue({ method: 'POST', path: wish.path, ...answered });
    const first = await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(first).toMatchObject({ outcome: 'refused', status: 429 });
    const early = await answer(wish.make(host.mutations, guardedOf(wish), host.within(callMs)));
    const asked = await answer(host.mutations.status(clientMutationId, host.within(callMs)));
    for (const one of [early, asked]) {
      expect(one).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    }
    giveRest();
    const late = () => told(host.mutations.status(clientMutationId, host.within(callMs)));
    await expect.poll(late).toMatchObject({ outcome: 'succeeded' });
    expect(studio.applied(clientMutationId)).toBe(1);
    await host.leave();
  });

  it('is answered in time when it is resumed, and sent once', async () => {
    const { host, answer, giveRest } = await onSlowDisk();
    const wish = await prepare('an upload');
    const { clientMutationId } = guardedOf(wish);
    studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
    expect(await told(wish.make(artist.mutations, guardedOf(wish)))).toMatchObject({ outcome: 'unresolved' });
    const early = await answer(host.mutations.resume(guardedOf(wish), host.within(callMs)));
    expect(early).toMatchObject({ outcome: 'unresolved', next: { tool: 'get_mutation_status' } });
    giveRest();
    const late = () => told(host.mutations.status(clientMutationId, host.within(callMs)));
    await expect.poll(late).toMatchObject({ outcome: 'succeeded' });
    expect(studio.applied(clientMutationId)).toBe(1);
    await host.leave();
  });

  it('ends with the program, and leaves nothing', async () => {
    const { host, answer } = await onSlowDisk();
    const wish = await prepare('an upload');
    studio.forget();
    await answer(wish.make(host.mutations, guardedOf(wish), host.within(callMs)));
    await host.leave();
    expect(await artist.mutations.isKnown(guardedOf(wish).clientMutationId)).toBe(false);
    expect(studio.posts(wish.path)).toBe(0);
  });
});
