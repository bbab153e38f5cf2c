import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Arguments, EditedItem } from '../../src/mutations/operations/find-operation.ts';
import type { Artist } from './artist.ts';
import { card } from './pictures.ts';
import { keptFolders, patient, placeOf } from './show.ts';
import { openStudio } from './studio.ts';
import { type Told, told } from './told.ts';
import { revisionOf } from './wishes.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

const { studio, service } = await openStudio();
let artist: Artist;
let wire: Wiretap;
let setId: number;
beforeEach(async () => {
  studio.forget();
  setId = service.plantSet('show_set', { kind: 'show', id: 7 });
  wire = wiretap();
  artist = await studio.artist({ ports: wire.ports });
});

const revision = () => revisionOf(service, 'set', setId);
const place = (episode: number) => placeOf(7, episode);
const targetOf = (episode: number) => ({ kind: 'episode', id: place(episode).targetId });
const stale = '2001-01-01T00:00:00.000Z';

const meant = (changes: Partial<Arguments<'edit_set'>>): Arguments<'edit_set'> => ({
  ...{ clientMutationId: randomUUID(), expectedUpdatedAt: revision(), setId, setKind: 'media_set' },
  ...changes,
});
const edit = (changes: Partial<Arguments<'edit_set'>>, by = artist): Promise<Told> =>
  told(by.mutations.perform('edit_set', meant(changes), patient));

async function adding(episode: number): Promise<EditedItem> {
  return { operation: 'add', ...place(episode), file: await artist.file(await card()) };
}

/** An Asset in a place of the Set. */
function held(episode: number) {
  const asset = service.plantAsset(targetOf(episode), 'titlecard', { setId });
  service.sets.get(setId)?.assets.push(asset);
  return asset;
}
const replacing = async (
  episode: number,
  { id, updatedAt }: ReturnType<typeof held>,
): Promise<EditedItem> => ({
  ...{ operation: 'replace', ...place(episode), file: await artist.file(await card()) },
  ...{ expectedPreviousAssetId: id, expectedAssetUpdatedAt: updatedAt },
});
const existing = ({ id, updatedAt }: ReturnType<typeof held>) => ({
  ...{ existingAssetId: id, expectedAssetUpdatedAt: updatedAt },
});

describe('a grouped edit', () => {
  it('adds, replaces, assigns and edits in one submission, with sparse metadata', async () => {
    const [replaced, relabelled] = [held(0), held(1)];
    const assigned = service.plantAsset(targetOf(3), 'titlecard');
    const answer = await edit({
      metadata: { titleBase: 'Afterwards' },
      items: [
        await replacing(0, replaced),
        { operation: 'asset_metadata', ...place(1), ...existing(relabelled), languageCode: 'de' },
        await adding(2),
        { operation: 'assign', ...place(3), ...existing(assigned) },
      ],
    });
    expect(answer).toMatchObject({ outcome: 'succeeded', result: { counts: { succeeded: 4 } } });
    expect(answer.result?.updatedAt).toBe(revision());
    expect(service.sets.get(setId)).toMatchObject({ title: 'Afterwards', assets: { length: 4 } });
    expect(service.assets.get(relabelled.id)).toMatchObject({ languageCode: 'de' });
    const [admission] = wire.sent;
    expect(Object.keys(JSON.parse(admission?.body ?? ''))).not.toContain('description');
    expect(await keptFolders(artist)).toEqual([]);
  });

  it('reads the Set before it is sent, and none of its Assets', async () => {
    const items = await Promise.all(
      [0, 1, 2, 3, 4].map(async (episode) => replacing(episode, held(episode))),
    );
    const since = service.requests.length;
    expect(await edit({ items })).toMatchObject({ outcome: 'succeeded' });
    const read = service.requests.slice(since).filter(({ path }) => path.startsWith('/me/assets/'));
    expect(read).toEqual([]);
  });

  it('keeps the previous artwork and saves the metadata where a replacement fails', async () => {
    const before = held(0);
    const { updatedAt } = before;
    const failure = { code: 'asset.broken', message: 'It could not be read' };
    studio.queue({ method: 'POST', path: '/me/set-updates/*/assets', do: 'process', failure });
    const items = [await replacing(0, before)];
    expect(await edit({ metadata: { titleBase: 'Saved all the same' }, items })).toMatchObject({
      outcome: 'partial',
      next: { tool: 'new_mutation_ids' },
      result: { counts: { failed: 1 }, updatedAt: revision() },
    });
    expect(service.sets.get(setId)).toMatchObject({ title: 'Saved all the same', assets: { length: 1 } });
    expect(before.updatedAt).toBe(updatedAt);
  });
});

describe('the guard of a grouped edit', () => {
  it('is the service’s of an Asset: it is sent, and names the one whose revision is another', async () => {
    const [fine, moved] = [held(0), held(1)];
    const items = [fine, { ...moved, updatedAt: stale }].map((asset, episode) => ({
      ...{ operation: 'asset_metadata' as const, ...place(episode), ...existing(asset), languageCode: 'de' },
    }));
    expect(await edit({ items })).toMatchObject({
      outcome: 'refused',
      category: 'stale_revision',
      details: { actualUpdatedAt: moved.updatedAt },
      next: { tool: 'get_owned', arguments: { type: 'asset', id: moved.id } },
    });
    expect(wire.sent).toHaveLength(1);
  });

  it.each([false, true])(
    'says what stands in a place, with the call that replaces it (dry run: %s)',
    async (dryRun) => {
      const there = held(0);
      const items = [await adding(0)];
      expect(await told(artist.mutations.perform('edit_set', { ...meant({ items }), dryRun }))).toMatchObject(
        {
          ...{ outcome: 'not_sent', category: 'conflict', code: 'slot.occupied' },
          next: {
            tool: 'edit_set',
            arguments: { items: [{ operation: 'replace', expectedPreviousAssetId: there.id }] },
          },
        },
      );
      expect(wire.sent).toEqual([]);
    },
  );

  it('refuses what can not be meant', async () => {
    const [add, other] = [await adding(0), await adding(1)];
    const uuid = '6f2b4a4e-8d1c-4c62-9a53-0f6a1f4b9a10';
    const refused: Partial<Arguments<'edit_set'>>[] = [
      {},
      { metadata: { titleBase: '' } },
      { items: [add, { ...add, file: await artist.file(await card()) }] },
      { items: [add, { ...other, itemId: uuid }, { ...add, itemId: uuid }] },
      {
        items: [
          { ...add, position: 4 },
          { ...other, position: 4 },
        ],
      },
      { items: [{ ...add, existingAssetId: uuid }] },
      { items: [{ operation: 'assign', ...place(0), existingAssetId: uuid }] },
      { items: [{ operation: 'replace', ...place(0), file: add.file ?? '' }] },
    ];
    for (const changes of refused)
      expect(await edit(changes), JSON.stringify(changes)).toMatchObject({ category: 'invalid_arguments' });
    const nowhere = [{ ...add, targetId: 999_999_999 }];
    expect(await edit({ items: nowhere })).toMatchObject({ category: 'invalid_arguments' });
    const items = Array.from({ length: 601 }, (_, index) => ({ ...add, targetId: index }));
    expect(await edit({ items })).toMatchObject({
      category: 'invalid_arguments',
      next: { tool: 'new_mutation_ids', arguments: { count: 3 } },
    });
    expect(wire.sent).toEqual([]);
  });
});
