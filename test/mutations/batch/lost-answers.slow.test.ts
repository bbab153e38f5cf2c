import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { blobFolder } from '../../../src/blobs/blob-store.ts';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import { effectsOf } from '../../sandbox/submissions-client.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { type Told, told } from '../told.ts';
import { keptFolders } from './kept-folders.ts';
import { plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

let studio: Studio;
let artist: Artist;
let wire: Wiretap;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 6);
});
afterAll(() => studio.close());
beforeEach(async () => {
  await studio.forget();
  wire = wiretap();
  artist = await studio.artist({ ports: wire.ports });
});

const admission = '/me/set-uploads';
const transfer = '/me/set-uploads/{submissionId}/assets';
const completion = '/me/set-uploads/{submissionId}/complete';

const create = (args: Arguments<'create_media_set'>): Promise<Told> =>
  told(artist.mutations.perform('create_media_set', args, patient));
const resume = ({ clientMutationId }: Arguments<'create_media_set'>, by = artist): Promise<Told> =>
  told(by.mutations.resume({ clientMutationId, expectedUpdatedAt: null }, patient));

function effects({ clientMutationId }: Arguments<'create_media_set'>) {
  const all = effectsOf(studio.catalogue, clientMutationId);
  const of = (name: string) => all.filter((one) => one === name).length;
  return {
    admitted: of('set.create.admit'),
    files: of('submission.file'),
    completed: of('submission.complete'),
    sets: of('set.create'),
  };
}

const wholeSet = { admitted: 1, files: 4, completed: 1, sets: 1 };

const faults = [
  ['a connection that is cut before', { do: 'cut', when: 'before' }],
  ['a connection that is cut in between', { do: 'cut', when: 'received' }],
  ['a connection that is cut after', { do: 'cut', when: 'after' }],
  ['a truncated answer', { do: 'truncate' }],
  ['503 before', { do: 'answer', when: 'before', status: 503, body: 'Busy' }],
  ['503 after', { do: 'answer', when: 'after', status: 503, body: 'Busy' }],
  ['a gateway’s 502 after', { do: 'answer', when: 'after', status: 502, body: '<h1>Bad gateway</h1>' }],
  ['set_creation_upload.outcome_unresolved before', { do: 'unresolved', when: 'before' }],
  ['set_creation_upload.outcome_unresolved after', { do: 'unresolved', when: 'after' }],
  ['an access token that ends', { do: 'expire_token', when: 'before' }],
] as const;

describe.each([
  ['the admission', admission, 0],
  ['a transfer', transfer, 1],
  ['the completion', completion, 0],
])('%s', (_, path, skip) => {
  it.each(faults)('survives %s its effect, and nothing is applied twice', async (__, fault) => {
    const args = await show.creation(artist, 4);
    await studio.queue({ method: 'POST', path, skip, count: 1, ...fault });
    const answer = await create(args);
    expect(answer).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 4 } } });
    expect(effects(args)).toEqual(wholeSet);
    const bodies = wire.sent.filter(({ what }) => what === 'admission').map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    const hadArrived = fault.do === 'truncate' || ('when' in fault && fault.when === 'after');
    // A token ends for every transfer that is under way.
    const most = fault.do === 'expire_token' ? 3 : 1;
    const repeated = wire.repeated();
    expect(repeated.length).toBeLessThanOrEqual(path === transfer && !hadArrived ? most : 0);
    if (path === transfer && !hadArrived) expect(repeated).not.toEqual([]);
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('waits where the service asks for patience', async () => {
    const args = await show.creation(artist, 4);
    const body = { error: { code: 'slow.down', message: 'Slow down', details: {}, issues: [] } };
    const headers = { 'retry-after': '1', 'content-type': 'application/json' };
    const answer = { do: 'answer', when: 'before', status: 429, headers, body };
    await studio.queue({ method: 'POST', path, skip, count: 1, ...answer });
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
    expect(effects(args)).toEqual(wholeSet);
  });
});

describe('a file that is turned away, and is there all the same', () => {
  it('is told as the service has it in the end', async () => {
    const args = await show.creation(artist, 2);
    const body = { error: { code: 'file.received', message: 'It is there', details: {}, issues: [] } };
    const refusal = { do: 'answer', when: 'after', status: 409, body };
    await studio.queue({ method: 'POST', path: transfer, count: 1, ...refusal });
    const answer = await create(args);
    expect(answer).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 2 } } });
    expect(answer.result?.items?.filter((item) => 'error' in item)).toEqual([]);
  });
});

describe('an answer about something else', () => {
  const itemId = crypto.randomUUID();
  it.each([{ item: { itemId, status: 'succeeded' } }, { data: { itemId, status: 'processing' } }])(
    'is no proof that a file has arrived: %j',
    async (body) => {
      const args = await show.creation(artist, 4);
      const answer = { do: 'answer', when: 'before', status: 201, body };
      await studio.queue({ method: 'POST', path: transfer, skip: 1, count: 1, ...answer });
      expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
      expect(effects(args)).toEqual(wholeSet);
    },
  );

  it('is no proof that a submission is complete', async () => {
    const args = await show.creation(artist, 4);
    const items = [{ itemId, status: 'succeeded', assetId: crypto.randomUUID() }];
    const body = { submission: { outcome: 'succeeded', set: { id: 999_999 }, items } };
    const answer = { do: 'answer', when: 'before', status: 200, body };
    await studio.queue({ method: 'POST', path: completion, count: 1, ...answer });
    expect(await create(args)).toMatchObject({ outcome: 'processing' });
    expect(await resume(args)).toMatchObject({ outcome: 'succeeded' });
    expect(effects(args)).toEqual(wholeSet);
  });
});

describe('an admission whose answers are all lost', () => {
  it('is unresolved, and found by sending the identical one', async () => {
    const args = await show.creation(artist, 4);
    await studio.queue({ method: 'POST', path: admission, count: 4, do: 'cut', when: 'after' });
    const lost = await create(args);
    expect(lost).toMatchObject({
      outcome: 'unresolved',
      next: { tool: 'get_mutation_status', doNot: expect.stringContaining('new clientMutationId') },
      result: { counts: { pending: 4 } },
    });
    expect(await create(args)).toMatchObject({ outcome: 'unresolved', next: { tool: 'resume_mutation' } });
    const asked = await told(artist.mutations.status(args.clientMutationId));
    expect(asked).toMatchObject({ outcome: 'unresolved', next: { tool: 'resume_mutation' } });
    const other = await artist.another();
    expect(await resume(args, other)).toMatchObject({ outcome: 'succeeded' });
    expect(effects(args)).toEqual(wholeSet);
    await other.leave();
  });

  it('is gone on with from where it stands by then, whatever was read of it before', async () => {
    const args = await show.creation(artist, 4);
    await studio.queue({ method: 'POST', path: admission, count: 4, do: 'cut', when: 'after' });
    expect(await create(args)).toMatchObject({ outcome: 'unresolved' });
    const faster = await artist.another({ ports: wire.ports });
    const overtaken = wiretap();
    const slower = await artist.another({
      ports: (ports) => ({
        ...overtaken.ports(ports),
        async ledger() {
          const ledger = await ports.ledger();
          return {
            ...ledger,
            // Just before it takes the submission over, another one has it, sends two files, and ends.
            async acquire(scope, id) {
              await studio.queue({
                method: 'POST',
                path: transfer,
                skip: 2,
                count: 99,
                do: 'cut',
                when: 'before',
              });
              const { clientMutationId } = args;
              const resumed = { clientMutationId, expectedUpdatedAt: null };
              await told(faster.mutations.resume(resumed, faster.within(10_000)));
              await faster.mutations.close();
              await studio.forget();
              return ledger.acquire(scope, id);
            },
          };
        },
      }),
    });
    expect(await resume(args, slower)).toMatchObject({ outcome: 'succeeded' });
    expect(overtaken.count('admission')).toBe(0);
    expect(effects(args)).toEqual(wholeSet);
    await faster.leave();
    await slower.leave();
  });

  it('ends at a person where that goes on', async () => {
    const args = await show.creation(artist, 4);
    await studio.queue({ method: 'POST', path: admission, count: 100, do: 'cut', when: 'before' });
    let answer = await create(args);
    let calls = 0;
    for (; answer.next?.tool !== undefined && calls < 12; calls += 1) {
      const id = args.clientMutationId;
      answer =
        answer.next.tool === 'resume_mutation' ? await resume(args) : await told(artist.mutations.status(id));
    }
    expect(calls).toBeLessThan(12);
    expect(answer).toMatchObject({ outcome: 'unresolved', next: { why: expect.stringContaining('person') } });
  });
});

describe('an admission that the service refuses', () => {
  const refusal = (status: number) => ({
    method: 'POST',
    path: admission,
    do: 'answer',
    when: 'before',
    status,
    body: { error: { code: `made.up.${status}`, message: `Says ${status}`, details: {}, issues: [] } },
  });

  it('ends the matter, and frees what was kept', async () => {
    const args = await show.creation(artist, 2);
    await studio.queue(refusal(422));
    const answer = await create(args);
    expect(answer).toMatchObject({
      outcome: 'refused',
      code: 'made.up.422',
      next: { tool: 'new_mutation_ids' },
    });
    expect(await create(args)).toMatchObject({ outcome: 'refused', code: 'made.up.422' });
    expect(wire.count('admission')).toBe(1);
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('for want of rights can be sent again from the kept bytes', async () => {
    const args = await show.creation(artist, 2);
    await studio.queue(refusal(403));
    expect(await create(args)).toMatchObject({ outcome: 'refused', category: 'forbidden' });
    expect(await resume(args)).toMatchObject({ outcome: 'succeeded' });
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('is not sent again where what was kept is freed until it is claimed', async () => {
    const args = await show.creation(artist, 2);
    await studio.queue(refusal(403));
    expect(await create(args)).toMatchObject({ outcome: 'refused' });
    const late = await artist.another({
      ports: (ports) => ({
        ...wire.ports(ports),
        async ledger() {
          const ledger = await ports.ledger();
          return {
            ...ledger,
            async claim(scope, meant) {
              const kept = path.join(artist.home, 'data', blobFolder);
              for (const one of await readdir(kept)) await rm(path.join(kept, one), { recursive: true });
              return ledger.claim(scope, meant);
            },
          };
        },
      }),
    });
    const answer = await resume(args, late);
    expect(answer).toMatchObject({ outcome: 'not_sent', category: 'upload_refused' });
    expect(answer.next?.tool).toBeUndefined();
    expect(wire.count('admission')).toBe(1);
    await late.leave();
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
  });

  it('is explained by its own words', async () => {
    const args = await show.creation(artist, 1, { editionId: 987_654 });
    expect(await create(args)).toMatchObject({
      outcome: 'refused',
      code: expect.stringContaining('edition'),
    });
  });
});
