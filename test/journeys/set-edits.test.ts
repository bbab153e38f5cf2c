import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { at, dig, listAt, madeId, type Owner, owner } from '../support/person.ts';
import {
  assetsOf,
  cardName,
  folderOf,
  ownedNow,
  setOfShow,
  someCards,
  succeed,
  takenFiles,
  watchFrom,
} from '../support/subjects.ts';

/** A Set of the first two episodes of a show. */
async function twoCards(me: Owner) {
  const { showId, episodes, files } = await someCards(me, 2);
  const made = await succeed(me, 'create_media_set', await setOfShow(me, showId, { declaredFiles: files }));
  return { showId, episodes, setId: Number(madeId(made)) };
}

/** The arguments of an edit from a folder with new cards for the second, third and fourth episode. */
async function plannedEdit(me: Owner, folder: string, showId: number, setId: number) {
  const plan = await me.call('plan_set', { folder, entryTargetKind: 'show', entryTargetId: showId, setId });
  const { updatedAt } = await ownedNow(me, 'set', setId);
  const clientMutationId = await me.newId();
  const planId = at(plan, 'planId');
  return {
    plan,
    edit: { clientMutationId, expectedUpdatedAt: updatedAt, setId, setKind: 'media_set', planId },
  };
}

it('a folder replaces what a Set has and adds what it lacks', async () => {
  const me = await owner();
  const { showId, episodes, setId } = await twoCards(me);
  const before = await assetsOf(me, setId);
  const folder = await folderOf(me, episodes.slice(1, 4).map(cardName));
  const { plan, edit } = await plannedEdit(me, folder, showId, setId);
  const operations = listAt(plan, 'data').map((entry) => dig(entry, 'operation'));
  expect(operations.filter(Boolean).sort()).toEqual(['add', 'add', 'replace']);

  const seen = await watchFrom(me);
  // The plan itself leads to its dry run.
  for (const dry of [await me.follow(plan), await me.call('edit_set', { ...edit, dryRun: true })])
    expect(dry).toMatchObject({ isError: false, outcome: 'dry_run' });
  expect(await seen.posts()).toEqual([]);
  const edited = await me.call('edit_set', edit);
  expect(edited).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 } });
  expect(new Set(takenFiles(await seen.posts())).size).toBe(3);
  const after = await assetsOf(me, setId);
  expect(after.map(({ targetId }) => targetId).sort()).toEqual(
    episodes
      .slice(0, 4)
      .map(({ id }) => id)
      .sort(),
  );
  const kept = after.filter(({ id }) => before.some((one) => one.id === id));
  expect(kept.map(({ targetId }) => targetId)).toEqual([episodes[0]?.id]);
});

it('words of a Set are changed without a file', async () => {
  const me = await owner();
  const { setId } = await twoCards(me);
  const before = await assetsOf(me, setId);
  const { updatedAt } = await ownedNow(me, 'set', setId);
  const titleBase = `Cards, finished ${randomUUID()}`;
  const seen = await watchFrom(me);
  const metadata = { titleBase, description: 'All of them', finalised: true };
  const edit = { setId, setKind: 'media_set', expectedUpdatedAt: updatedAt, metadata };
  const edited = await succeed(me, 'edit_set', edit);
  const paths = (await seen.posts()).map(({ path }) => path.replace(/[0-9a-f-]{36}/, '*'));
  expect(paths).toEqual([`/me/sets/${setId}/updates`, '/me/set-updates/*/complete']);
  const now = await ownedNow(me, 'set', setId);
  expect(now).toMatchObject({ updatedAt: edited.updatedAt, data: { title: titleBase, finalised: true } });
  expect((await assetsOf(me, setId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

it('an item that the service does not take in the end is told, and mended by an edit of its own', async () => {
  const me = await owner();
  const { showId, episodes, setId } = await twoCards(me);
  const folder = await folderOf(me, episodes.slice(1, 4).map(cardName));
  const { edit } = await plannedEdit(me, folder, showId, setId);
  const failure = { code: 'test.unreadable', message: 'No.' };
  const path = '/me/set-updates/*/assets';
  await me.control.fail({ method: 'POST', path, skip: 2, do: 'process', milliseconds: 0, failure });
  const partial = await me.call('edit_set', edit);
  expect(partial).toMatchObject({
    isError: false,
    outcome: 'partial',
    counts: { succeeded: 2, failed: 1 },
  });
  const failed = listAt(partial, 'items').filter((item) => dig(item, 'status') === 'failed');
  expect(failed).toMatchObject([{ error: { code: 'test.unreadable' } }]);
  const again = await me.call('edit_set', edit);
  expect(again).toMatchObject({ outcome: 'partial', clientMutationId: edit.clientMutationId });

  const seen = await watchFrom(me);
  const { edit: correction } = await plannedEdit(me, folder, showId, setId);
  expect(await me.call('edit_set', correction)).toMatchObject({
    outcome: 'succeeded',
    counts: { succeeded: 1 },
  });
  expect(takenFiles(await seen.posts())).toHaveLength(1);
  const targets = (await assetsOf(me, setId)).map(({ targetId }) => targetId);
  expect(targets.sort()).toEqual(
    episodes
      .slice(0, 4)
      .map(({ id }) => id)
      .sort(),
  );
});
