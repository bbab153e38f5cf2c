import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ArtworkError } from '../../../src/errors.ts';
import type { MutationCall } from '../../../src/mutations/mutations.ts';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import { effectsOf, publicData } from '../../sandbox/submissions-client.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { type Told, told } from '../told.ts';
import { waitingClock } from '../waiting-clock.ts';
import { gate } from '../gate.ts';
import { keptFolders } from './kept-folders.ts';
import { plantShowOf, type Show } from './show.ts';
import { patient, untilSettled } from './until-settled.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

let studio: Studio;
let artist: Artist;
let wire: Wiretap;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 12);
});
afterAll(() => studio.close());
beforeEach(async () => {
  await studio.forget();
  wire = wiretap();
  artist = await studio.artist({ ports: wire.ports });
});

const create = (args: Arguments<'create_media_set'>, call: MutationCall = patient): Promise<Told> =>
  told(artist.mutations.perform('create_media_set', args, call));

const effects = ({ clientMutationId }: Arguments<'create_media_set'>) =>
  effectsOf(studio.catalogue, clientMutationId);

function counted(operations: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of operations) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

const process = (path: string, more: object) => ({ method: 'POST', path, do: 'process', ...more });
const files = '/me/set-uploads/{submissionId}/assets';
const completion = '/me/set-uploads/{submissionId}/complete';
const workingMs = 600_000;
const broken = { failure: { code: 'asset.broken', message: 'It could not be read' }, milliseconds: 0 };

describe('a Set that is created', () => {
  it('succeeds, sends each thing once, and frees what it kept', async () => {
    const args = await show.creation(artist, 5);
    const answer = await create(args);
    expect(answer).toMatchObject({
      outcome: 'succeeded',
      next: undefined,
      result: { counts: { succeeded: 5 }, nextItems: null, publicationStatus: 'succeeded' },
    });
    expect(counted(effects(args))).toMatchObject({ 'set.create.admit': 1, 'submission.file': 5 });
    expect(wire.repeated()).toEqual([]);
    expect(wire.count('admission')).toBe(1);
    expect(wire.count('complete')).toBe(1);
    const { setId } = z.looseObject({ setId: z.int() }).parse(answer.result?.receipt);
    const shown = await publicData(studio.catalogue, `/show-set/${setId}`);
    expect(JSON.stringify(shown).match(/"titlecard":"/g)).toHaveLength(5);
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('is told again under its id, and nothing is sent', async () => {
    const args = await show.creation(artist, 2);
    const first = await create(args);
    const sent = wire.sent.length;
    expect((await create(args)).result).toEqual(first.result);
    expect((await told(artist.mutations.status(args.clientMutationId))).result).toEqual(first.result);
    const resumed = { clientMutationId: args.clientMutationId, expectedUpdatedAt: null };
    expect((await told(artist.mutations.resume(resumed))).result).toEqual(first.result);
    expect(wire.sent).toHaveLength(sent);
    expect(await create({ ...args, titleBase: 'Another' })).toMatchObject({ category: 'mutation_id_reused' });
  });

  it('is partial where a file fails: what succeeded keeps its ids, and only a new mutation corrects', async () => {
    const args = await show.creation(artist, 4);
    await studio.queue(process(files, { skip: 1, count: 1, ...broken }));
    const answer = await create(args);
    expect(answer).toMatchObject({
      outcome: 'partial',
      next: { tool: 'new_mutation_ids', why: expect.stringContaining('edit_set') },
      result: { counts: { succeeded: 3, failed: 1 } },
    });
    const [failed, ...others] = answer.result?.items ?? [];
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'asset.broken' } });
    expect(failed?.assetId).toBeUndefined();
    expect(others.map(({ assetId }) => assetId)).toEqual(Array(3).fill(expect.any(String)));
    expect(wire.repeated()).toEqual([]);
    const resumed = { clientMutationId: args.clientMutationId, expectedUpdatedAt: null };
    expect((await told(artist.mutations.resume(resumed))).result).toEqual(answer.result);
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('is failed where every file fails', async () => {
    const args = await show.creation(artist, 2);
    await studio.queue(process(files, { count: 2, ...broken }));
    expect(await create(args)).toMatchObject({
      outcome: 'failed',
      next: { tool: 'new_mutation_ids', why: expect.stringContaining('create_media_set') },
      result: { counts: { failed: 2 } },
    });
    expect(effects(args)).not.toContain('set.create');
  });

  it('is rolled back where the service takes it back', async () => {
    const args = await show.creation(artist, 2);
    await studio.queue(process(completion, broken));
    expect(await create(args)).toMatchObject({
      outcome: 'rolled_back',
      next: { tool: 'new_mutation_ids' },
      result: { counts: { rolled_back: 2 } },
    });
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('goes on while the service says unresolved, until it says how it ended', async () => {
    const args = await show.creation(artist, 2);
    await studio.queue(process(completion, { milliseconds: workingMs, unresolved: true }));
    const early = await create(args, artist.within(10_000));
    expect(['processing', 'unresolved']).toContain(early.outcome);
    expect(early.next?.tool).toBe('get_mutation_status');
    const ask = () => told(artist.mutations.status(args.clientMutationId, artist.within(5_000)));
    await expect.poll(ask).toMatchObject({
      outcome: 'unresolved',
      next: { tool: 'get_mutation_status', doNot: expect.any(String) },
    });
    studio.catalogue.pass(workingMs);
    const late = await untilSettled(artist, args.clientMutationId);
    expect(late).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 2 } } });
    expect(wire.count('complete')).toBe(1);
  });

  it('is completed again where the service refuses to so far', async () => {
    const args = await show.creation(artist, 3);
    await studio.queue(process(files, { milliseconds: 1_500 }));
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
    expect(wire.count('complete')).toBeGreaterThan(1);
    expect(wire.repeated()).toEqual([]);
    expect(counted(effects(args))['submission.complete']).toBe(1);
  });

  it('asks a person after three completions where the service does not take a file, and leaves its item pending', async () => {
    const args = await show.creation(artist, 3);
    const error = { code: 'image.broken', message: 'It can not be decoded.', details: {}, issues: [] };
    const refusal = { do: 'answer', when: 'before', status: 422, body: { error } };
    await studio.queue({ method: 'POST', path: files, count: 1, ...refusal });
    const answer = await create(args);
    expect(wire.count('complete')).toBe(3);
    expect(wire.repeated()).toEqual([]);
    expect(answer).toMatchObject({ outcome: 'processing', code: 'image.broken' });
    expect(answer.message).toMatch(
      /did not take the file \S+\.png \(image\.broken: .*It can not be decoded”\.\)/,
    );
    for (const { next } of [answer, await told(artist.mutations.status(args.clientMutationId))]) {
      expect(next?.tool).toBeUndefined();
      expect(next?.why).toMatch(
        /A person decides: the service has to let the item of \S+\.png go, .* mutations abandon/,
      );
    }
  });

  it('says of a dry run that takes longer than its call that nothing is sent, and tells what it shows later', async () => {
    const [asked, answered] = [gate(), gate()];
    const clock = waitingClock(100);
    const host = await artist.another({
      ports: (ports) => ({
        ...wire.ports(ports),
        clock,
        catalogue: {
          ...ports.catalogue,
          async readEntity(...asking) {
            asked.open();
            await answered.passed;
            return ports.catalogue.readEntity(...asking);
          },
        },
      }),
    });
    const args = { ...(await show.creation(host, 1)), dryRun: true };
    const answering = told(host.mutations.perform('create_media_set', args, host.within(40_000)));
    await asked.passed;
    while (clock.monotonic() < 40_000) await clock.sleep(8_000);
    const { outcome, result, next } = await answering;
    expect(outcome).toBe('processing');
    expect(result?.warnings).toEqual([
      { code: 'nothing_sent_yet', message: expect.stringContaining('sends nothing') },
    ]);
    expect(next).toMatchObject({ tool: 'get_mutation_status' });
    expect(next).not.toHaveProperty('doNot');
    answered.open();
    const later = () => told(host.mutations.status(args.clientMutationId, host.within(40_000)));
    await expect.poll(later).toMatchObject({ outcome: 'dry_run' });
    expect(wire.sent).toEqual([]);
    await host.leave();
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
    const args = await show.creation(artist, 2);
    const answering = told(host.mutations.perform('create_media_set', args, host.within(40_000)));
    await refused.passed;
    while (clock.monotonic() < 40_000) await clock.sleep(8_000);
    expect(await answering).toMatchObject({ outcome: 'processing' });
    onWait = waiting.open;
    const asking = told(host.mutations.status(args.clientMutationId, host.within(40_000)));
    await waiting.passed;
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
    freed.open();
    expect(await asking).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 2 } } });
    await host.leave();
  });

  it('answers within the call’s time, and goes on', async () => {
    const [admitted, answered] = [gate(), gate()];
    const lease = wiretap(async ({ what }, send) => {
      if (what !== 'admission') {
        admitted.open();
        await answered.passed;
      }
      return send();
    });
    const clock = waitingClock(100);
    const host = await artist.another({ ports: (ports) => ({ ...lease.ports(ports), clock }) });
    const args = await show.creation(host, 3);
    const answering = told(host.mutations.perform('create_media_set', args, host.within(40_000)));
    await admitted.passed;
    while (clock.monotonic() < 40_000) await clock.sleep(8_000);
    const early = await answering;
    expect(early).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    answered.open();
    const late = await untilSettled(host, args.clientMutationId);
    await host.leave();
    expect(late).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 3 } } });
  });

  it('tells how far it is, in items and bytes that only grow', async () => {
    const args = await show.creation(artist, 4);
    const heard: [number, number | null, string][] = [];
    await artist.mutations.perform('create_media_set', args, {
      ...patient,
      progress: (...told) => heard.push(told),
    });
    const sent = heard.filter(([, total]) => total !== null);
    expect(sent.at(-1)).toEqual([
      sent.at(-1)?.[1],
      expect.any(Number),
      expect.stringMatching(/^4 of 4 items/),
    ]);
    const done = heard.map(([bytes]) => bytes);
    expect(done).toEqual([...new Set(done)].sort((one, other) => one - other));
  });
});
