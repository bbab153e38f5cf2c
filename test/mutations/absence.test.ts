import { describe, expect, it } from 'vitest';
import { readUploadStatus } from '../../src/catalogue/records/owned.ts';
import { assets } from '../simulation/owned-set.ts';
import { changes, idOf, perform, toEnd } from './changes.ts';
import { Stage, type Treatment } from './stage.ts';

/** Those whose fate a change can't tell by itself. */
const named = (told: 'id' | 'revision' | 'nothing') => changes.filter((change) => change.told === told);
const id = idOf(1);

/** No answer may say that nothing was changed. */
const unsure = ['unresolved', 'processing', 'interrupted', 'succeeded'];

describe.each(named('nothing'))('$name, of which no look tells', (change) => {
  it.each<Treatment>([
    { done: 401 },
    { done: 429 },
    { done: 409 },
    { done: 503 },
    { done: 'and unheard' },
    { undone: 401 },
    { undone: 429 },
  ])('goes once and ends at a person where it is treated so: %j', async (treatment) => {
    const stage = await Stage.open();
    stage.treat(change.path, treatment);
    stage.freezeReads();
    const [one, args] = [stage.start(), change.args(stage, id)];
    const last = await toEnd(stage, one, await perform(stage, one, change, args));
    expect(last).toMatchObject({ outcome: 'unresolved', clientMutationId: id });
    expect(last.next?.tool).toBeUndefined();
    expect(await perform(stage, stage.start(), change, args)).toMatchObject({ outcome: 'unresolved' });
    expect(stage.count(change.path)).toBe(1);
  });
});

it('a creation is told as made once the list shows its id', async () => {
  const stage = await Stage.open();
  const [change] = named('nothing');
  if (change === undefined) throw new TypeError('There is one.');
  stage.treat(change.path, { done: 'and unheard' });
  stage.freezeReads();
  const one = stage.start();
  const first = await perform(stage, one, change, change.args(stage, id));
  expect(first).toMatchObject({ outcome: 'unresolved' });
  stage.catchUp();
  // The service of this stage shows no ids in its list: that a group has the title proves nothing.
  expect(await toEnd(stage, one, first)).toMatchObject({ outcome: 'unresolved' });
  expect(stage.count(change.path)).toBe(1);
});

describe.each(named('id'))('$name, which has an id on the wire', (change) => {
  it.each<Treatment>([{ done: 401 }, { done: 429 }, { undone: 401 }, { undone: 429 }])(
    'is taken once, though reads lag, where it is treated so: %j',
    async (treatment) => {
      const stage = await Stage.open();
      stage.treat(change.path, treatment);
      stage.freezeReads();
      const one = stage.start();
      const first = await perform(stage, one, change, change.args(stage, id));
      expect(unsure).toContain(first.outcome);
      stage.catchUp();
      expect(await toEnd(stage, one, first)).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
      expect(stage.count(change.path)).toBeLessThanOrEqual(2);
    },
  );

  it.each<Treatment>([{ done: 'and unheard' }, { done: 503 }, { undone: 'and unheard' }])(
    'is told once it is known, and taken once, where it is treated so: %j',
    async (treatment) => {
      const stage = await Stage.open();
      stage.treat(change.path, treatment);
      const one = stage.start();
      const last = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
      expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
      const isAdmission = change.tool !== 'upload_asset';
      expect(stage.count(change.path)).toBe('undone' in treatment || isAdmission ? 2 : 1);
    },
  );
});

describe.each(named('revision'))('$name, which is told by its revision', (change) => {
  it.each<Treatment>([{ done: 401 }, { done: 429 }, { done: 409 }, { done: 503 }, { done: 'and unheard' }])(
    'is never called unchanged while reads lag, where it is treated so: %j',
    async (treatment) => {
      const stage = await Stage.open();
      const args = change.args(stage, id);
      stage.treat(change.path, treatment);
      stage.freezeReads();
      const one = stage.start();
      const first = await perform(stage, one, change, args);
      expect(unsure).toContain(first.outcome);
      stage.catchUp();
      expect(await toEnd(stage, one, first)).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
    },
  );

  it.each<Treatment>([{ undone: 401 }, { undone: 429 }])(
    'goes again where its revision still stands, and it is treated so: %j',
    async (treatment) => {
      const stage = await Stage.open();
      const args = change.args(stage, id);
      stage.treat(change.path, treatment);
      const one = stage.start();
      expect(await toEnd(stage, one, await perform(stage, one, change, args))).toMatchObject({
        outcome: 'succeeded',
      });
      expect(stage.count(change.path)).toBe(2);
    },
  );

  it('is refused by a 409 only where a read shows another revision', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    stage.treat(change.path, { undone: 409 });
    const one = stage.start();
    const last = await toEnd(stage, one, await perform(stage, one, change, args));
    expect(last).toMatchObject({ outcome: 'unresolved' });
    expect(stage.count(change.path)).toBe(1);
  });
});

it('an edit that somebody else was faster with is refused, and the newer revision is told', async () => {
  const stage = await Stage.open();
  const change = changes.find(({ tool }) => tool === 'edit_asset_metadata');
  if (change === undefined) throw new TypeError('There is one.');
  const one = stage.start({
    send: (send) => async (request, deadline) => {
      stage.world.service.owned.changeAsset(assets.edited.id);
      return send(request, deadline);
    },
  });
  expect(await perform(stage, one, change, change.args(stage, id))).toMatchObject({
    outcome: 'refused',
    error: { category: 'stale_revision' },
  });
  expect(stage.count(change.path)).toBe(1);
});

it('an upload that conflicts with itself, since it came twice, is not called another’s', async () => {
  const stage = await Stage.open({ takesOnce: true });
  const [change] = named('id');
  if (change === undefined) throw new TypeError('There is one.');
  stage.treat(change.path, { done: 409 });
  const one = stage.start();
  const last = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
  expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
});

it('what the service knew under an id before is never told as ours', async () => {
  const stage = await Stage.open();
  const [change] = named('id');
  if (change === undefined) throw new TypeError('There is one.');
  stage.world.service.takeId(id);
  const said = await perform(stage, stage.start(), change, change.args(stage, id));
  expect(said.error?.category).toBe('conflict');
  expect(stage.count(change.path)).toBe(0);
});

it('a status of an upload from elsewhere waits until the service is done with it', async () => {
  const stage = await Stage.open();
  const { scheduler } = stage.world;
  const shown = { clientMutationId: id, assetId: assets.superseded.id, publicationStatus: 'pending' };
  const one = stage.start({
    owned: (owned) => ({
      ...owned,
      findAssetUpload: async () =>
        readUploadStatus({
          data: { ...shown, processingStatus: scheduler.time < 10_000 ? 'processing' : 'succeeded' },
        }),
    }),
  });
  const said = await stage.call(one, (its, call) => its.status(id, call));
  expect(said).toMatchObject({ outcome: 'succeeded', id: { kind: 'asset', id: shown.assetId } });
  expect(stage.got).toEqual([]);
});

it('the revision of what is replaced is compared last, after the look at the id', async () => {
  const stage = await Stage.open();
  const change = changes.find(({ name }) => name === 'a replacement');
  if (change === undefined) throw new TypeError('There is one.');
  // Somebody replaces the picture while the service is asked for the id.
  const one = stage.start({
    owned: (owned) => ({
      ...owned,
      async findAssetUpload(asked, deadline) {
        const found = await owned.findAssetUpload(asked, deadline);
        stage.world.service.owned.changeAsset(assets.superseded.id);
        return found;
      },
    }),
  });
  expect(await perform(stage, one, change, change.args(stage, id))).toMatchObject({
    error: { category: 'stale_revision' },
  });
  expect(stage.count(change.path)).toBe(0);
});
