import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hurried } from '../support/connected.ts';
import { at, dig, listAt, owner } from '../support/person.ts';
import { cardName, folderOf, newAsset, setOfShow, someShow, watchFrom } from '../support/subjects.ts';

it('a file that has changed since its plan stops the Set before anything is sent', async () => {
  const me = await owner();
  const { showId, episodes } = await someShow(me);
  const names = episodes.slice(0, 2).map(cardName);
  const folder = await folderOf(me, names);
  const plan = await me.call('plan_set', { folder, entryTargetKind: 'show', entryTargetId: showId });
  const [one = '', two = ''] = names.map((name) => path.join(folder, name));
  await writeFile(one, await readFile(two));
  const seen = await watchFrom(me);
  const args = await setOfShow(me, showId, { planId: at(plan, 'planId') });
  expect((await me.call('create_media_set', args)).isError).toBe(true);
  expect(await seen.posts()).toEqual([]);
});

it('reads say of a change whose outcome is not known, in another server too, and of nobody else’s', async () => {
  const me = await owner(0, hurried());
  const asset = await newAsset(me);
  const lost = { do: 'cut', when: 'received', count: 100 } as const;
  const silent = { do: 'answer', status: 503, when: 'before', count: 100, skip: 1 } as const;
  await me.control.fail(
    { method: 'POST', path: '/me/assets/*/metadata', ...lost },
    { method: 'GET', path: '/me/assets/*', ...silent },
  );
  const clientMutationId = await me.newId();
  const edit = { assetId: asset.id, expectedUpdatedAt: asset.updatedAt, languageCode: 'de' };
  const told = await me.call('edit_asset_metadata', { clientMutationId, ...edit });
  expect(told).toMatchObject({ outcome: 'unresolved' });
  await me.control.heal();
  const read = { type: 'asset', id: asset.id };
  for (const host of [me, await me.again()]) {
    const pending = listAt(await host.call('get_owned', read), 'pending');
    expect(pending).toMatchObject([{ outcome: 'unresolved', next: { tool: 'get_mutation_status' } }]);
    expect(dig(pending, 0, 'next', 'arguments', 'clientMutationId')).toBe(clientMutationId);
  }
  const stranger = await me.again({ ARTWORK_USER: 'nobody-yet' });
  expect((await stranger.call('get_owned', read)).isError).toBe(true);
});
