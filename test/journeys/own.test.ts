import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { at, catalogue, dig, listAt, numberAt, owner, visitor } from '../support/person.ts';
import { writePoster } from '../support/unique-pictures.ts';

it('what is one’s own is read with its revision, another account’s is not', async () => {
  const me = await owner();
  const own = await me.call('find_upload_destinations', { kind: 'media_set' });
  const setId = numberAt(own, 'data', 0, 'id');
  const set = await me.call('get_owned', { type: 'set', id: setId });
  expect(set).toMatchObject({ type: 'set', id: setId, updatedAt: expect.any(String) });
  const group = await me.call('find_upload_destinations', { kind: 'boxset' });
  const groupId = numberAt(group, 'data', 0, 'id');
  expect(await me.call('get_owned', { type: 'group', id: groupId })).toMatchObject({
    type: 'group',
    updatedAt: expect.any(String),
  });
  expect((await me.call('list_relationships')).isError).toBe(false);
  const other = await owner(1);
  expect((await other.call('get_owned', { type: 'set', id: setId })).error).toMatchObject({
    category: 'forbidden',
  });
});

it('without a sign-in nothing of an account is read or changed, and the answer leads to the sign-in', async () => {
  const { baseUrl, control } = await catalogue();
  const stranger = await visitor(baseUrl, { ARTWORK_CLIENT_ID: 'artwork-mcp' });
  const before = (await control.requests()).length;
  const guard = { clientMutationId: await stranger.newId(), expectedUpdatedAt: 'none' };
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['get_owned', { type: 'set', id: 1 }],
    ['find_upload_destinations', { kind: 'media_set' }],
    ['list_relationships', {}],
    ['create_group', { ...guard, kind: 'boxset', title: 'x' }],
  ];
  for (const [tool, args] of calls)
    expect(await stranger.call(tool, args)).toMatchObject({
      error: { category: 'not_connected' },
      next: { tool: 'connect_account' },
    });
  expect(await control.requests()).toHaveLength(before);
});

it('read-only hides every tool that changes something, and refuses a call of one; toolsets leave the others out', async () => {
  const me = await owner();
  const careful = await me.again({ ARTWORK_READ_ONLY: '1' });
  const names = await careful.toolNames();
  expect(names).toEqual(expect.arrayContaining(['find_titles', 'get_owned', 'audit_sets', 'download_set']));
  const changing = (await me.toolNames()).filter((name) => !names.includes(name));
  expect(changing).toEqual(
    expect.arrayContaining([
      ...['upload_asset', 'edit_asset_metadata', 'select_preview_frame', 'create_group', 'edit_group'],
      ...['create_grouping_set', 'assign_grouping_assets', 'change_relationship', 'create_media_set'],
      ...['edit_set', 'resume_mutation'],
    ]),
  );
  const before = (await me.control.effects()).length;
  const args = { clientMutationId: await me.newId(), expectedUpdatedAt: 'none', kind: 'boxset', title: 'x' };
  expect((await careful.call('create_group', args)).error).toMatchObject({ category: 'read_only' });
  expect(await me.control.effects()).toHaveLength(before);
  const some = await (await me.again({ ARTWORK_TOOLSETS: 'catalogue,account' })).toolNames();
  expect(some).toEqual(expect.arrayContaining(['get_entity', 'connect_account']));
  expect(some).not.toContain('get_owned');
  expect(some).not.toContain('upload_asset');
});

it('files are read from open folders alone, and from those that the host offers', async () => {
  const me = await owner();
  const beside = path.join(path.dirname(me.uploads), 'beside');
  await mkdir(beside);
  const feed = await me.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
  const upload = async (file: string) => ({
    ...{ clientMutationId: await me.newId(), expectedUpdatedAt: 'none', operation: 'add', slot: 'poster' },
    ...{ targetKind: 'category', targetId: numberAt(feed, 'data', 0, 'target', 'id'), file, dryRun: true },
  });
  const outside = await writePoster(beside);
  for (const file of [outside, path.join(me.uploads, '../beside', path.basename(outside))])
    expect((await me.call('upload_asset', await upload(file))).isError).toBe(true);
  const offered = await me.again({}, { roots: [pathToFileURL(beside).href] });
  expect((await offered.call('upload_asset', await upload(outside))).outcome).toBe('dry_run');
  const closed = await me.again({ ARTWORK_UPLOAD_ROOTS: '' });
  const refused = await closed.call('upload_asset', await upload(outside));
  expect(refused.isError).toBe(true);
  expect(at(refused, 'error', 'message')).toContain('ARTWORK_UPLOAD_ROOTS');
  expect(dig(refused, 'outcome')).not.toBe('succeeded');
  expect(listAt(await me.call('new_mutation_ids', { count: 3 }), 'ids')).toHaveLength(3);
});
