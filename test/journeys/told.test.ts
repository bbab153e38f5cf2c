import { expect, it } from 'vitest';
import { at, dig, listAt, madeId, numberAt, owner } from '../support/person.ts';
import { newAsset, setOfShow, someCards, someWork, succeed } from '../support/subjects.ts';
import { writePoster, writeWide } from '../support/unique-pictures.ts';

it('a new Set is told by its facts, its Assets where they are asked for, its gaps with the folder to ask for', async () => {
  const me = await owner(2);
  const { showId, files } = await someCards(me, 3);
  const made = await succeed(me, 'create_media_set', await setOfShow(me, showId, { declaredFiles: files }));
  for (const member of ['receipt', 'evidence', 'target', 'items']) expect(dig(made, member)).toBeUndefined();
  expect(made).toMatchObject({
    says: expect.any(String),
    id: { kind: 'show_set' },
    counts: { succeeded: 3 },
  });

  const id = Number(madeId(made));
  const own = await me.call('get_owned', { type: 'set', id });
  expect(own).toMatchObject({ type: 'set', id, updatedAt: at(made, 'updatedAt'), counts: { titlecard: 3 } });
  expect(dig(own, 'data', 'assets')).toBeUndefined();
  expect(listAt(own, 'omitted')).toMatchObject([{ section: 'assets', total: 3, returned: 0 }]);
  const next = {
    tool: at(own, 'omitted', 0, 'next', 'tool'),
    arguments: dig(own, 'omitted', 0, 'next', 'arguments'),
  };
  const listed = await me.call(next.tool, { ...Object(next.arguments) });
  expect(listAt(listed, 'data', 'assets')).toHaveLength(3);
  const [first] = listAt(listed, 'data', 'assets');
  const targetId = numberAt(first, 'target', 'id');
  const one = await me.call('get_owned', { type: 'set', id: String(id), targetId });
  expect(listAt(one, 'data', 'assets')).toMatchObject([{ id: at(first, 'id') }]);

  await expect.poll(async () => (await me.call('get_set', { kind: 'show_set', id })).isError).toBe(false);
  // A server that has seen no list of it calls the picture the same.
  const labels: string[] = [];
  for (const host of [me, await me.again()]) {
    const seen = await host.call('view_artwork', { items: [{ assetId: at(first, 'id') }], size: 64 });
    labels.push(at(seen.data, 0, 'label').split(' · ')[0] ?? '');
  }
  expect(labels).toEqual([labels[0], expect.stringMatching(/^S\d+E\d+$/)]);

  const audit = await me.call('audit_sets', { kind: 'show_set', id });
  expect(listAt(audit, 'data', 0, 'findings')).toMatchObject([{ code: 'missing' }]);
  expect(audit.next).toMatchObject({ why: expect.stringContaining('plan_set') });
  expect(audit.next?.tool).toBeUndefined();
  const mine = await me.call('audit_sets', { mine: true });
  expect(mine).toMatchObject({ nextCursor: null, omitted: [] });
  expect(mine.text).toContain(String(id));
});

it('of many items that failed ten are told unasked, and as many as were asked for', async () => {
  const me = await owner(2);
  const { showId, files: cards } = await someCards(me, 10);
  const ofShow = { targetKind: 'show', targetId: showId };
  const poster = { file: await writePoster(me.uploads), ...ofShow, slot: 'poster' };
  const backdrop = { file: await writeWide(me.uploads), ...ofShow, slot: 'backdrop' };
  const files = [...cards, poster, backdrop];
  const failure = { code: 'test.unreadable', message: 'No.' };
  const path = '/me/set-uploads/*/assets';
  await me.control.fail({ method: 'POST', path, count: 12, do: 'process', milliseconds: 0, failure });
  const made = await me.call('create_media_set', await setOfShow(me, showId, { declaredFiles: files }));
  expect(made).toMatchObject({ counts: { failed: 12 } });
  expect(listAt(made, 'items')).toHaveLength(10);

  const { clientMutationId } = made;
  const asked = await me.call('get_mutation_status', { clientMutationId });
  expect(listAt(asked, 'items')).toHaveLength(10);
  const rest = await me.call('get_mutation_status', { clientMutationId, cursor: asked.nextCursor });
  expect(listAt(rest, 'items')).toHaveLength(2);
  const each = await me.call('get_mutation_status', { clientMutationId, items: true });
  expect(listAt(each, 'items')).toHaveLength(12);
});

it('of an id that was never used is told in a few words that the call can be made again', async () => {
  const me = await owner(2);
  const clientMutationId = await me.newId();
  const told = await me.call('get_mutation_status', { clientMutationId });
  expect(told).toMatchObject({ error: { category: 'not_found' }, clientMutationId });
  expect(told.next).toMatchObject({ why: expect.any(String) });
  expect(told.next?.tool).toBeUndefined();
  expect(told.text.length).toBeLessThan(700);
});

it('a change is put back by the call that its answer and its history have', async () => {
  const me = await owner(2);
  const asset = await newAsset(me);
  const clientMutationId = await me.newId();
  const edit = { assetId: asset.id, expectedUpdatedAt: asset.updatedAt, languageCode: 'de' };
  const edited = await me.call('edit_asset_metadata', { clientMutationId, ...edit });
  const [latest] = listAt(await me.call('list_mutations', { limit: 1 }), 'data');
  expect(latest).toMatchObject({
    clientMutationId,
    recordedAt: expect.any(String),
    undo: dig(edited, 'undo'),
  });
  expect(dig(latest, 'updatedAt')).toBeUndefined();
  const undone = await me.call(at(latest, 'undo', 'tool'), { ...Object(dig(latest, 'undo', 'arguments')) });
  expect(undone.outcome).toBe('succeeded');
  const now = await me.call('get_owned', { type: 'asset', id: asset.id });
  expect(dig(now, 'data', 'languageCode')).toBe(dig(asset, 'data', 'languageCode'));
});

it('a kind is one word for all tools, and what a tool takes of a Set is sent', async () => {
  const me = await owner(2);
  const own = await me.call('find_upload_destinations', { kind: 'media_set' });
  const id = numberAt(own, 'data', 0, 'id');
  const kind = at(await me.call('audit_sets', { kind: 'media_set', id }), 'data', 0, 'kind');
  expect((await me.call('get_set', { kind, id })).data).toMatchObject({ id });
  for (const word of ['media_set', kind]) {
    const seen = await me.call('view_artwork', { items: [{ kind: word, id }], size: 64 });
    expect([word, seen.pictures.length]).toEqual([word, 1]);
  }
  const { targetKind, targetId } = await someWork(me, 'network');
  const brand = {
    setKind: 'brand_set',
    titleBase: 'Channels',
    entryTargetKind: targetKind,
    entryTargetId: targetId,
  };
  const dry = await me.call('create_grouping_set', {
    ...brand,
    ...{ clientMutationId: await me.newId(), expectedUpdatedAt: 'none', dryRun: true },
  });
  expect(dig(dry, 'requests', 0, 'body')).toMatchObject(brand);
});
