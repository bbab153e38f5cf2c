import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../../sandbox/me-catalogue.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { card, plantShowOf } from './show.ts';
import { patient } from './until-settled.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

let studio: Studio;
let artist: Artist;
let wire: Wiretap;

beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio.close());
beforeEach(async () => {
  await studio.forget();
  wire = wiretap(undefined, 20);
  artist = await studio.artist({ ports: wire.ports });
});

/** Words that States does not name, or names for something else. */
const strange: unknown[] = [
  'completed',
  'complete',
  'success',
  'SUCCEEDED',
  ' succeeded',
  'published',
  'cancelled',
  'pending',
  'processing',
  '',
  null,
  true,
  { succeeded: true },
];

/** From now on the service says this of every submission that it is asked for or that is completed. */
async function says(root: string, submission: object): Promise<void> {
  await studio.forget();
  const answer = { do: 'answer', when: 'after', status: 200, count: 10_000, body: { submission } };
  await studio.queue(
    { method: 'POST', path: `${root}/*/complete`, ...answer },
    { method: 'GET', path: `${root}/*`, ...answer },
  );
}

/** Time for one look. */
const soonMs = 4_500;
const workingMs = 600_000;

/** Once a submission is completed the service works on it, until the catalogue's clock is moved. */
const takingLong = (root: string) =>
  studio.queue({ method: 'POST', path: `${root}/*/complete`, do: 'process', milliseconds: workingMs });

async function completed(): Promise<void> {
  const isDone = () => wire.sent.some(({ what, outcome }) => what === 'complete' && outcome === 'applied');
  while (!isDone()) await sleep(10);
}

describe('a word that the interface document does not know', () => {
  it('is no end of a creation, and no success', async () => {
    const args = await plantShowOf(studio, 2).creation(artist, 2);
    const root = '/me/set-uploads';
    const itemIds = args.declaredFiles.map(() => randomUUID());
    const declaredFiles = args.declaredFiles.map((file, index) => ({ ...file, itemId: itemIds[index] }));
    const whole = { ...args, declaredFiles };
    await takingLong(root);
    let ended = false;
    const calling = told(artist.mutations.perform('create_media_set', whole, patient)).finally(() => {
      ended = true;
    });
    const { clientMutationId } = args;
    await completed();
    for (const outcome of strange) {
      const items = itemIds.map((itemId) => ({ itemId, status: 'processing' }));
      await says(root, { outcome, status: 'completed', items });
      const answer = await told(artist.mutations.status(clientMutationId, artist.within(soonMs)));
      expect(answer.outcome, JSON.stringify(outcome)).toBe('processing');
      expect(answer.result?.counts).toEqual({ processing: 2 });
      expect(answer.next?.tool).toBe('get_mutation_status');
    }
    expect(ended).toBe(false);
    await studio.forget();
    studio.catalogue.pass(workingMs);
    expect(await calling).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 2 } } });
  });

  it('is no end of an edit, and neither is one that only a creation has', async () => {
    const { setId } = plantShowOf(studio, 1);
    const token = await studio.catalogue.token(1);
    const read = await studio.catalogue.get(`/me/sets/${setId}`, token);
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: textOf(read, 'updatedAt'),
      setId,
      setKind: 'media_set' as const,
      metadata: { titleBase: 'Edited' },
    };
    await takingLong('/me/set-updates');
    const calling = told(artist.mutations.perform('edit_set', args, patient));
    await completed();
    for (const outcome of ['rolled_back', 'edited', 'succeeded ']) {
      await says('/me/set-updates', { outcome, items: [] });
      const answer = await told(artist.mutations.status(args.clientMutationId, artist.within(soonMs)));
      expect(answer.outcome, outcome).toBe('processing');
    }
    await studio.forget();
    studio.catalogue.pass(workingMs);
    expect(await calling).toMatchObject({ outcome: 'succeeded' });
  });

  it('is told of an item as it is, and counted as nothing else', async () => {
    const args = await plantShowOf(studio, 4).creation(artist, 4);
    const itemIds = args.declaredFiles.map(() => randomUUID());
    const [one, two, three, four] = itemIds;
    const error = { code: 'asset.broken', message: 'It could not be read' };
    const submission = {
      outcome: 'partial',
      items: [
        { itemId: one, status: 'succeeded', assetId: randomUUID() },
        { itemId: two, status: 'finished', assetId: randomUUID() },
        { itemId: three, status: null },
        // A success that comes with an error is none.
        { itemId: four, status: 'succeeded', error },
      ],
    };
    const completion = { method: 'POST', path: '/me/set-uploads/*/complete' };
    await studio.queue({ ...completion, do: 'answer', when: 'after', status: 200, body: { submission } });
    const declaredFiles = args.declaredFiles.map((file, index) => ({ ...file, itemId: itemIds[index] }));
    const answer = await told(
      artist.mutations.perform('create_media_set', { ...args, declaredFiles }, patient),
    );
    expect(answer).toMatchObject({
      outcome: 'partial',
      result: { counts: { succeeded: 1, finished: 1, unknown: 2 } },
    });
    const order = answer.result?.items?.map(({ itemId }) => itemId);
    expect(order).toEqual([two, three, four, one]);
  });
});

describe('what became of a Set', () => {
  it('is told as pending until the public sees it, and anew when it does', async () => {
    const args = await plantShowOf(studio, 1).creation(artist, 1);
    const lag = { publicationStatus: 'pending' };
    await studio.queue({ method: 'POST', path: '/me/set-uploads/*/complete', do: 'cut', when: 'after' });
    const itemId = randomUUID();
    const items = [{ itemId, status: 'succeeded', assetId: randomUUID() }];
    await studio.queue({
      method: 'GET',
      path: '/me/set-uploads/*',
      skip: 1,
      do: 'answer',
      when: 'after',
      status: 200,
      body: { submission: { outcome: 'succeeded', ...lag, items } },
    });
    const declaredFiles = args.declaredFiles.map((file) => ({ ...file, itemId }));
    const ended = await told(
      artist.mutations.perform('create_media_set', { ...args, declaredFiles }, patient),
    );
    expect(ended).toMatchObject({ outcome: 'succeeded', next: undefined, result: lag });
    const later = await told(artist.mutations.status(args.clientMutationId));
    expect(later).toMatchObject({ outcome: 'succeeded', result: { publicationStatus: 'succeeded' } });
  });

  it('is mended by a new mutation of the failed items alone, where it is partial', async () => {
    const show = plantShowOf(studio, 3);
    const args = await show.creation(artist, 3);
    const failure = { code: 'asset.broken', message: 'It could not be read' };
    const where = { method: 'POST', path: '/me/set-uploads/*/assets', do: 'process', milliseconds: 0 };
    await studio.queue({ ...where, skip: 1, failure });
    const partial = await told(artist.mutations.perform('create_media_set', args, patient));
    expect(partial).toMatchObject({ outcome: 'partial', next: { tool: 'new_mutation_ids' } });
    const receipt = partial.result?.receipt;
    const setId: unknown = receipt instanceof Object ? Reflect.get(receipt, 'setId') : null;
    const [failed, ...kept] = partial.result?.items ?? [];
    const mended = await told(
      artist.mutations.perform(
        'edit_set',
        {
          clientMutationId: randomUUID(),
          expectedUpdatedAt: partial.result?.updatedAt ?? null,
          setId: Number(setId),
          setKind: 'media_set',
          items: [
            {
              operation: 'add',
              targetKind: 'episode',
              targetId: failed?.target.id ?? 0,
              slot: 'titlecard',
              file: await artist.file(await card()),
            },
          ],
        },
        patient,
      ),
    );
    expect(mended).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 1 } } });
    const token = await studio.catalogue.token(1);
    const { body } = await studio.catalogue.get(`/me/sets/${setId}`, token);
    for (const { assetId } of kept) expect(JSON.stringify(body)).toContain(assetId);
  });
});
