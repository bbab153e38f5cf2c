import { beforeEach, describe, expect, it } from 'vitest';
import { ArtworkError } from '../../src/errors.ts';
import type { Artist } from './artist.ts';
import { gate } from './gate.ts';
import type { Fault } from './service.ts';
import { type Creation, create, creationOf, keptFolders, resume, untilSettled } from './show.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { waitingClock } from './waiting-clock.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

const { studio, service } = await openStudio();
let artist: Artist;
let wire: Wiretap;
beforeEach(async () => {
  studio.forget();
  wire = wiretap();
  artist = await studio.artist({ ports: wire.ports });
});

const files = '/me/set-uploads/*/assets';
const completion = '/me/set-uploads/*/complete';
const working = (path: string, more: Partial<Fault>) =>
  studio.queue({ method: 'POST', path, do: 'process', ...more });
const failure = { code: 'asset.broken', message: 'It could not be read' };
const workingMs = 600_000;
/** What a Set of these items is applied as, once each. */
const whole = ({ declaredFiles }: Creation) => [
  'admission',
  ...declaredFiles.map(({ itemId }) => itemId),
  'completion',
];

describe('a Set that is created', () => {
  it('succeeds, sends each thing once, frees what it kept, and is told again under its id', async () => {
    const args = await creationOf(artist, 5);
    const answer = await create(artist, args);
    expect(answer).toMatchObject({
      outcome: 'succeeded',
      next: undefined,
      result: { counts: { succeeded: 5 }, nextItems: null, publicationStatus: 'succeeded' },
    });
    expect(studio.effects(args.clientMutationId).sort()).toEqual(whole(args).sort());
    const [setId] = [...service.sets.keys()].slice(-1);
    expect(service.sets.get(setId ?? 0)?.assets).toHaveLength(5);
    expect(await keptFolders(artist)).toEqual([]);
    const sent = wire.sent.length;
    for (const again of [
      create(artist, args),
      told(artist.mutations.status(args.clientMutationId)),
      resume(artist, args),
    ])
      expect((await again).result).toEqual(answer.result);
    expect(await create(artist, { ...args, titleBase: 'Another' })).toMatchObject({
      category: 'mutation_id_reused',
    });
    expect(wire.sent).toHaveLength(sent);
  });

  it('is partial where a file fails: what succeeded keeps its ids, and only a new mutation corrects', async () => {
    const args = await creationOf(artist, 4);
    working(files, { skip: 1, failure });
    const answer = await create(artist, args);
    expect(answer).toMatchObject({
      outcome: 'partial',
      next: { tool: 'new_mutation_ids' },
      result: { counts: { succeeded: 3, failed: 1 } },
    });
    const [failed, ...others] = answer.result?.items ?? [];
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'asset.broken' } });
    expect(failed?.assetId).toBeUndefined();
    expect(others.map(({ assetId }) => assetId)).toEqual(Array(3).fill(expect.any(String)));
    expect(wire.repeated()).toEqual([]);
    expect((await resume(artist, args)).result).toEqual(answer.result);
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('is failed where every file fails, and rolled back where the service takes it back', async () => {
    const failing = await creationOf(artist, 2);
    working(files, { count: 2, failure });
    const next = { tool: 'new_mutation_ids' };
    expect(await create(artist, failing)).toMatchObject({
      ...{ outcome: 'failed', next, result: { counts: { failed: 2 } } },
    });
    const undone = await creationOf(artist, 2);
    working(completion, { failure });
    expect(await create(artist, undone)).toMatchObject({
      ...{ outcome: 'rolled_back', next, result: { counts: { rolled_back: 2 } } },
    });
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('answers in the call’s time, goes on while the service works, and is completed once', async () => {
    const args = await creationOf(artist, 2);
    working(completion, { milliseconds: workingMs });
    const early = await told(artist.mutations.perform('create_media_set', args, artist.within(10_000)));
    expect(early).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    service.pass(workingMs);
    expect(await untilSettled(artist, args.clientMutationId)).toMatchObject({
      ...{ outcome: 'succeeded', result: { counts: { succeeded: 2 } } },
    });
    expect(wire.count('complete')).toBe(1);
  });

  it('asks a person after three completions where the service does not take a file', async () => {
    const args = await creationOf(artist, 3);
    const error = { code: 'image.broken', message: 'It can not be decoded.', details: {}, issues: [] };
    const refusal = { do: 'answer', when: 'before', status: 422, body: { error } } as const;
    studio.queue({ method: 'POST', path: files, ...refusal });
    const answer = await create(artist, args);
    expect(wire.count('complete')).toBe(3);
    expect(wire.repeated()).toEqual([]);
    expect(answer).toMatchObject({ outcome: 'processing', code: 'image.broken' });
    for (const { next } of [answer, await told(artist.mutations.status(args.clientMutationId))]) {
      expect(next?.tool).toBeUndefined();
      expect(next?.why).toMatch(/\.png/);
    }
  });

  it('is told as sent by a process that refused it, if another process has sent it since', async () => {
    const [refused, waiting, freed] = [gate(), gate(), gate()];
    const slow = waitingClock(100);
    let onWait = () => {};
    const clock: typeof slow = {
      ...slow,
      sleep(milliseconds, signal) {
        onWait();
        return slow.sleep(milliseconds, signal);
      },
    };
    const host = await artist.another({
      ports: (ports) => ({
        ...ports,
        clock,
        blobs: {
          ...ports.blobs,
          keep: async () => {
            throw new ArtworkError('internal', 'The disk is broken.');
          },
          async release(owner) {
            refused.open();
            await freed.passed;
            return ports.blobs.release(owner);
          },
        },
      }),
    });
    const args = await creationOf(artist, 2);
    const answering = told(host.mutations.perform('create_media_set', args, host.within(40_000)));
    await refused.passed;
    while (clock.monotonic() < 40_000) await clock.sleep(8_000);
    expect(await answering).toMatchObject({ outcome: 'processing' });
    onWait = waiting.open;
    const asking = told(host.mutations.status(args.clientMutationId, host.within(40_000)));
    await waiting.passed;
    expect(await create(artist, args)).toMatchObject({ outcome: 'succeeded' });
    freed.open();
    expect(await asking).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 2 } } });
    await host.leave();
  });
});
