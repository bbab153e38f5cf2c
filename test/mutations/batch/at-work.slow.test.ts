import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { ArtworkError } from '../../../src/errors.ts';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { type Told, told } from '../told.ts';
import { keptFolders } from './kept-folders.ts';
import { plantShowOf, type Show } from './show.ts';
import { patient, untilSettled } from './until-settled.ts';
import { type Meddle, wiretap } from './wiretap.ts';

let studio: Studio;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 9);
});
afterAll(() => studio.close());
beforeEach(() => studio.forget());

const completion = '/me/set-uploads/{submissionId}/complete';

const create = (artist: Artist, args: Arguments<'create_media_set'>): Promise<Told> =>
  told(artist.mutations.perform('create_media_set', args, patient));
const resume = (artist: Artist, { clientMutationId }: Arguments<'create_media_set'>): Promise<Told> =>
  told(artist.mutations.resume({ clientMutationId, expectedUpdatedAt: null }, patient));

/** An artist whose every request goes through `meddle`. */
async function tapped(meddle?: Meddle, times?: number) {
  const wire = wiretap(meddle, times);
  return { wire, artist: await studio.artist({ ports: wire.ports }) };
}

/**
 * A clock on which a wait that something else can end lasts until then, as long as `isEndless` says: what is waited
 * for beside it is never late, however busy the machine is.
 */
function endlessWhile(isEndless: () => boolean, clock: Clock): Clock {
  return {
    ...clock,
    async sleep(milliseconds, signal) {
      if (signal === undefined || !isEndless()) return clock.sleep(milliseconds, signal);
      if (!signal.aborted) await once(signal, 'abort');
    },
  };
}

describe('work that takes long', () => {
  it('goes on saying that it is at work, though the store fails for a moment', async () => {
    const wire = wiretap(undefined, 100);
    let beats = 0;
    let enough = () => {};
    const beaten = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const artist = await studio.artist({
      ports: (ports) => ({
        ...wire.ports(ports),
        async ledger() {
          const ledger = await ports.ledger();
          return {
            ...ledger,
            async heartbeat(lease) {
              beats += 1;
              if (beats === 1) throw new ArtworkError('internal', 'The disk is full for a moment.');
              if (beats === 3) enough();
              return ledger.heartbeat(lease);
            },
          };
        },
      }),
    });
    const milliseconds = 600_000;
    await studio.queue({ method: 'POST', path: completion, do: 'process', milliseconds });
    const creating = create(artist, await show.creation(artist, 1));
    await beaten;
    studio.catalogue.pass(milliseconds);
    expect(await creating).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('one call that two hosts make at once', () => {
  it('is sent by one of them, and the copies of both are freed', async () => {
    const { artist } = await tapped();
    const args = await show.creation(artist, 5);
    const wires = [wiretap(), wiretap()];
    const hosts = await Promise.all(wires.map(({ ports }) => artist.another({ ports })));
    for (const host of hosts) await told(host.mutations.status(crypto.randomUUID()));
    const answers = await Promise.all(hosts.map((host) => create(host, args)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['processing', 'succeeded']);
    expect(wires.map(({ sent }) => sent.length).sort()).toEqual([0, 7]);
    for (const host of hosts) {
      const { clientMutationId } = args;
      expect(await untilSettled(host, clientMutationId)).toMatchObject({ outcome: 'succeeded' });
      await host.leave();
    }
    expect(await keptFolders(artist)).toEqual([]);
  });
});

describe('a call that is given up', () => {
  it('sends nothing more, and can be gone on with', async () => {
    const giveUp = new AbortController();
    const wire = wiretap(async ({ what }, send) => {
      if (what !== 'admission') giveUp.abort();
      return send();
    });
    let answered = false;
    const artist = await studio.artist({
      ports: (ports) => {
        const tappedPorts = wire.ports(ports);
        const isWaiting = () => giveUp.signal.aborted && !answered;
        return { ...tappedPorts, clock: endlessWhile(isWaiting, tappedPorts.clock) };
      },
    });
    const args = await show.creation(artist, 6);
    const answer = await told(
      artist.mutations.perform('create_media_set', args, artist.within(1_000_000_000, giveUp.signal)),
    );
    answered = true;
    expect(answer).toMatchObject({ outcome: 'processing' });
    expect(wire.sent.length).toBeLessThan(6);
    expect(await resume(artist, args)).toMatchObject({ outcome: 'succeeded' });
    expect(wire.repeated()).toEqual([]);
  });

  it('before anything was claimed leaves nothing', async () => {
    const { artist, wire } = await tapped();
    const args = await show.creation(artist, 3);
    const answer = await told(
      artist.mutations.perform('create_media_set', args, artist.within(45_000, AbortSignal.abort())),
    );
    expect(answer).toMatchObject({ category: 'cancelled' });
    expect(wire.sent).toEqual([]);
    expect((await artist.mutations.list({ limit: 10 })).mutations).toEqual([]);
    expect(await create(artist, args)).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('a completion that never comes about', () => {
  it('is left with the service’s reason, and ends at a person', async () => {
    const { artist } = await tapped(undefined, 100);
    const args = await show.creation(artist, 1);
    const error = { code: 'set.locked', message: 'Nobody may complete this', details: {}, issues: [] };
    const refusal = { do: 'answer', when: 'before', status: 409, body: { error } };
    await studio.queue({ method: 'POST', path: completion, count: 10_000, ...refusal });
    let answer = await create(artist, args);
    for (let calls = 0; answer.next?.tool !== undefined && calls < 200; calls += 1) {
      answer =
        answer.next.tool === 'resume_mutation'
          ? await resume(artist, args)
          : await told(artist.mutations.status(args.clientMutationId));
    }
    expect(answer).toMatchObject({ outcome: 'processing', code: 'set.locked' });
    expect(answer.next?.tool).toBeUndefined();
    expect(answer.next?.why).toContain('Nobody may complete this');
    await studio.forget();
    const other = await artist.another({ ports: wiretap().ports });
    expect(await resume(other, args)).toMatchObject({ outcome: 'succeeded' });
    await other.leave();
  });
});
