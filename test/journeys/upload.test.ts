import { expect, it } from 'vitest';
import { writePoster } from '../support/unique-pictures.ts';
import { at, madeId, numberAt, owner } from '../support/person.ts';

it('a first try', async () => {
  const me = await owner();
  const feed = await me.call('read_feed', { feed: 'assets', targetKind: 'movie', limit: 1 });
  const targetId = numberAt(feed, 'data', 0, 'target', 'id');
  const args = {
    clientMutationId: await me.newId(),
    expectedUpdatedAt: 'none',
    file: await writePoster(me.uploads),
    operation: 'add',
    slot: 'poster',
    targetKind: 'movie',
    targetId,
  };
  expect(await me.call('upload_asset', { ...args, dryRun: true })).toMatchObject({ outcome: 'dry_run' });
  const made = await me.call('upload_asset', args);
  expect(made).toMatchObject({ outcome: 'succeeded' });
  expect(at(await me.call('get_owned', { type: 'asset', id: madeId(made) }), 'id')).toBe(madeId(made));
});
