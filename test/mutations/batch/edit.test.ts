import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Arguments, EditedItem } from '../../../src/mutations/operations/find-operation.ts';
import { textOf } from '../../sandbox/me-catalogue.ts';
import { publicData } from '../../sandbox/submissions-client.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { type Told, told } from '../told.ts';
import { keptFolders } from './kept-folders.ts';
import { card, plantShowOf, type Show } from './show.ts';
import { patient, untilSettled } from './until-settled.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

let studio: Studio;
let artist: Artist;
let token: string;
let wire: Wiretap;
let show: Show;

beforeAll(async () => {
  studio = await startStudio();
  token = await studio.catalogue.token(1);
});
afterAll(() => studio.close());
beforeEach(async () => {
  await studio.forget();
  show = plantShowOf(studio, 8);
  wire = wiretap();
  artist = await studio.artist({ ports: wire.ports });
});

const revisionOf = async (path: string) => textOf(await studio.catalogue.get(path, token), 'updatedAt');
const setRevision = () => revisionOf(`/me/sets/${show.setId}`);

const edit = (changes: Partial<Arguments<'edit_set'>>): Promise<Told> =>
  told(artist.mutations.perform('edit_set', meant(changes), patient));
const meant = (changes: Partial<Arguments<'edit_set'>>): Arguments<'edit_set'> => ({
  clientMutationId: randomUUID(),
  expectedUpdatedAt: null,
  setId: show.setId,
  setKind: 'media_set',
  ...changes,
});

const place = (episode: number) => ({
  targetKind: 'episode',
  targetId: show.episodes[episode] ?? 0,
  slot: 'titlecard',
});

async function adding(episode: number): Promise<EditedItem> {
  return { operation: 'add', ...place(episode), file: await artist.file(await card()) };
}

/** Puts a card into the Set, and answers what later items name it by. */
async function added(episode: number): Promise<{ id: string; updatedAt: string }> {
  const items = [await adding(episode)];
  const done = await edit({ expectedUpdatedAt: await setRevision(), items });
  const id = done.result?.items?.[0]?.assetId ?? '';
  return { id, updatedAt: await revisionOf(`/me/assets/${id}`) };
}

async function standalone(episode: number): Promise<{ id: string; updatedAt: string }> {
  const receipt = await studio.catalogue.upload('/me/assets', token, {
    bytes: await card(),
    query: { operation: 'add', clientMutationId: randomUUID(), ...place(episode), languageCode: 'en' },
  });
  return { id: textOf(receipt, 'assetId'), updatedAt: textOf(receipt, 'updatedAt') };
}

describe('a grouped edit', () => {
  it('adds, replaces, assigns and edits in one submission, with sparse metadata', async () => {
    const [replaced, relabelled, assigned] = [await added(0), await added(1), await standalone(3)];
    const before = await setRevision();
    const answer = await edit({
      expectedUpdatedAt: before,
      metadata: { titleBase: 'Afterwards' },
      items: [
        {
          operation: 'replace',
          ...place(0),
          file: await artist.file(await card()),
          expectedPreviousAssetId: replaced.id,
          expectedAssetUpdatedAt: replaced.updatedAt,
        },
        {
          operation: 'asset_metadata',
          ...place(1),
          existingAssetId: relabelled.id,
          expectedAssetUpdatedAt: relabelled.updatedAt,
          languageCode: 'de',
        },
        await adding(2),
        {
          operation: 'assign',
          ...place(3),
          existingAssetId: assigned.id,
          expectedAssetUpdatedAt: assigned.updatedAt,
        },
      ],
    });
    expect(answer).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 4 } } });
    const after = await setRevision();
    expect(after).not.toBe(before);
    expect(answer.result?.updatedAt).toBe(after);
    const shown = await publicData(studio.catalogue, `/show-set/${show.setId}`);
    expect(shown.title).toBe('Afterwards');
    expect(JSON.stringify(shown).match(/"titlecard":"/g)).toHaveLength(4);
    const [admission] = wire.sent.filter(
      ({ what, path }) => what === 'admission' && path.includes('/updates'),
    );
    expect(Object.keys(JSON.parse(admission?.body ?? ''))).not.toContain('description');
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('of the metadata alone is completed at once', async () => {
    const answer = await edit({ expectedUpdatedAt: await setRevision(), metadata: { description: null } });
    expect(answer).toMatchObject({ outcome: 'succeeded', result: { counts: {}, items: [] } });
    expect(wire.sent.map(({ what }) => what)).toEqual(['admission', 'complete']);
  });

  it('keeps the previous artwork and saves the metadata where a replacement fails', async () => {
    const replaced = await added(0);
    const failure = { code: 'asset.broken', message: 'It could not be read' };
    const path = '/me/set-updates/{submissionId}/assets';
    await studio.queue({ method: 'POST', path, do: 'process', milliseconds: 0, failure });
    const answer = await edit({
      expectedUpdatedAt: await setRevision(),
      metadata: { titleBase: 'Saved all the same' },
      items: [
        {
          operation: 'replace',
          ...place(0),
          file: await artist.file(await card()),
          expectedPreviousAssetId: replaced.id,
          expectedAssetUpdatedAt: replaced.updatedAt,
        },
      ],
    });
    expect(answer).toMatchObject({
      outcome: 'partial',
      next: { tool: 'new_mutation_ids' },
      result: { counts: { failed: 1 }, updatedAt: await setRevision() },
    });
    const shown = await publicData(studio.catalogue, `/show-set/${show.setId}`);
    expect(shown.title).toBe('Saved all the same');
    expect(await revisionOf(`/me/assets/${replaced.id}`)).toBe(replaced.updatedAt);
  });

  it('leaves the public Set as it is until it is completed', async () => {
    const path = '/me/set-updates/{submissionId}/complete';
    await studio.queue({ method: 'POST', path, do: 'cut', when: 'before', count: 1_000 });
    const args = meant({
      expectedUpdatedAt: await setRevision(),
      metadata: { titleBase: 'Staged' },
      items: [await adding(0)],
    });
    const staged = await told(artist.mutations.perform('edit_set', args, artist.within(20_000)));
    expect(staged).toMatchObject({ outcome: 'processing', result: { counts: { processing: 1 } } });
    const shown = await publicData(studio.catalogue, `/show-set/${show.setId}`);
    expect(shown.title).not.toBe('Staged');
    await studio.forget();
    const done = await untilSettled(artist, args.clientMutationId);
    expect(done).toMatchObject({ outcome: 'succeeded' });
    expect((await publicData(studio.catalogue, `/show-set/${show.setId}`)).title).toBe('Staged');
  });
});

describe('the guard of a grouped edit', () => {
  it('names the Set whose revision is another, and sends nothing', async () => {
    const answer = await edit({
      expectedUpdatedAt: '2001-01-01T00:00:00.000Z',
      metadata: { description: 'x' },
    });
    expect(answer).toMatchObject({
      outcome: 'not_sent',
      category: 'stale_revision',
      message: expect.stringContaining(`Set ${show.setId}`),
      details: { actualUpdatedAt: await setRevision() },
      next: { tool: 'get_owned', arguments: { type: 'set', id: show.setId } },
    });
    expect(await edit({ metadata: { description: 'x' } })).toMatchObject({ category: 'stale_revision' });
    expect(wire.sent).toEqual([]);
  });

  it('is the service’s of an Asset: it is sent, and names the one whose revision is another', async () => {
    const asset = await added(0);
    const sent = wire.sent.length;
    const answer = await edit({
      expectedUpdatedAt: await setRevision(),
      items: [
        {
          operation: 'asset_metadata',
          ...place(0),
          existingAssetId: asset.id,
          expectedAssetUpdatedAt: '2001-01-01T00:00:00.000Z',
          languageCode: 'de',
        },
      ],
    });
    expect(answer).toMatchObject({
      outcome: 'refused',
      category: 'stale_revision',
      details: { actualUpdatedAt: asset.updatedAt },
      next: { tool: 'get_owned', arguments: { type: 'asset', id: asset.id } },
    });
    expect(wire.sent).toHaveLength(sent + 1);
  });

  it('refuses what can not be meant, by name', async () => {
    const expectedUpdatedAt = await setRevision();
    const add = await adding(0);
    const refusals: [string, Partial<Arguments<'edit_set'>>][] = [
      ['nothing', {}],
      ['metadata', { metadata: { titleBase: '' } }],
      ['items.1.slot', { items: [add, { ...add, file: await artist.file(await card()) }] }],
      ['items.1.itemId', { items: [add, { ...(await adding(1)), itemId: uuid }, { ...add, itemId: uuid }] }],
      [
        'items.1.position',
        {
          items: [
            { ...add, position: 4 },
            { ...(await adding(1)), position: 4 },
          ],
        },
      ],
      ['items.0', { items: [{ ...add, existingAssetId: uuid }] }],
      ['items.0', { items: [{ operation: 'assign', ...place(0), existingAssetId: uuid }] }],
      ['items.0', { items: [{ operation: 'replace', ...place(0), file: add.file ?? '' }] }],
    ];
    for (const [where, changes] of refusals) {
      const answer = await edit({ expectedUpdatedAt, ...changes });
      expect(answer, where).toMatchObject({ category: 'invalid_arguments' });
    }
    expect(wire.sent).toEqual([]);
  });

  it('asks for no scope that the operations do not need', async () => {
    const asset = await standalone(0);
    const assign: EditedItem = {
      operation: 'assign',
      ...place(0),
      existingAssetId: asset.id,
      expectedAssetUpdatedAt: asset.updatedAt,
    };
    const reader = await studio.artist({ scopes: ['sets:write'] });
    const args = meant({ expectedUpdatedAt: await setRevision(), items: [assign] });
    expect(await told(reader.mutations.perform('edit_set', args))).toMatchObject({ outcome: 'succeeded' });
    const writer = meant({
      expectedUpdatedAt: await setRevision(),
      items: [{ ...(await adding(1)), file: await reader.file(await card()) }],
    });
    expect(await told(reader.mutations.perform('edit_set', writer))).toMatchObject({
      category: 'scope_missing',
    });
  });
});

const uuid = '6f2b4a4e-8d1c-4c62-9a53-0f6a1f4b9a10';

describe('too many items', () => {
  it('are refused with the split proposed', async () => {
    const items = Array.from({ length: 601 }, (_, index) => ({
      operation: 'add' as const,
      targetKind: 'episode',
      targetId: index,
      slot: 'titlecard',
      file: '/nowhere.png',
    }));
    expect(await edit({ items })).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('items 0 to 299, then items 300 to 599, then items 600 to 600'),
      details: {
        parts: [
          { from: 0, to: 299 },
          { from: 300, to: 599 },
          { from: 600, to: 600 },
        ],
      },
      next: { tool: 'new_mutation_ids', arguments: { count: 3 } },
    });
  });
});
