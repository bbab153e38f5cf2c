import { expect, it } from 'vitest';
import { dig, listAt, madeId, numberAt, type Owner, owner } from '../support/person.ts';
import {
  newFilmSet,
  newGroup,
  ownedNow,
  posterFor,
  type Subject,
  succeed,
  watchFrom,
} from '../support/subjects.ts';

async function membersOf(me: Owner, { id }: Pick<Subject, 'id'>): Promise<number[]> {
  const { data } = await ownedNow(me, 'group', id);
  return listAt(data, 'sets').map((set) => numberAt(set, 'id'));
}

/** The poster as the group's record shows it, which names its Asset. */
const posterOf = async (me: Owner, { id }: Subject) =>
  JSON.stringify(dig(await ownedNow(me, 'group', id), 'data', 'poster'));

async function move(me: Owner, id: Subject['id'], moved: Record<string, number[]>) {
  const { updatedAt: expectedUpdatedAt } = await ownedNow(me, 'group', id);
  const clientMutationId = await me.newId();
  return me.call('edit_group', { clientMutationId, groupId: id, expectedUpdatedAt, ...moved });
}

it('a group is made of Sets, which come and go', async () => {
  const me = await owner();
  const [one, two] = [await newFilmSet(me), await newFilmSet(me)];
  const group = await newGroup(me, { setIds: [one], description: 'Both' });
  expect(await membersOf(me, group)).toEqual([one]);
  expect((await ownedNow(me, 'set', one)).data).toMatchObject({ group: { id: group.id } });

  const seen = await watchFrom(me);
  expect(await move(me, group.id, { addSetIds: [two, one, two] })).toMatchObject({ outcome: 'succeeded' });
  expect(await membersOf(me, group)).toEqual([one, two]);
  expect(await move(me, group.id, { removeSetIds: [one] })).toMatchObject({ outcome: 'succeeded' });
  expect(await membersOf(me, group)).toEqual([two]);
  expect(await seen.effects()).toHaveLength(2);
  const { data } = await ownedNow(me, 'group', group.id);
  expect(data).toMatchObject({ description: 'Both' });
});

it('a Set of another group is refused by the service, and joins once it has left that one', async () => {
  const me = await owner();
  const [one, two] = [await newFilmSet(me), await newFilmSet(me)];
  const first = await newGroup(me, { setIds: [one] });
  const second = await newGroup(me, { setIds: [two] });
  const refused = {
    outcome: 'refused',
    error: { code: 'group.set_taken' },
    next: { tool: 'new_mutation_ids' },
  };
  expect(await move(me, second.id, { addSetIds: [one] })).toMatchObject(refused);
  const create = { expectedUpdatedAt: 'none', kind: 'boxset', title: 'Rainy Sundays', setIds: [one] };
  const clientMutationId = await me.newId();
  expect(await me.call('create_group', { ...create, clientMutationId })).toMatchObject(refused);
  expect(await move(me, first.id, { removeSetIds: [one] })).toMatchObject({ outcome: 'succeeded' });
  const made = await succeed(me, 'create_group', create);
  expect(await membersOf(me, { id: madeId(made) })).toEqual([one]);
});

it('a group gets a poster, and another one in its place', async () => {
  const me = await owner();
  const group = await newGroup(me);
  const seen = await watchFrom(me);
  const poster = await posterFor(me, { groupId: group.id });
  const stale = { clientMutationId: await me.newId(), ...poster, expectedUpdatedAt: 'none' };
  expect(await me.call('upload_asset', stale)).toMatchObject({
    outcome: 'not_sent',
    error: { category: 'stale_revision' },
  });
  const added = await succeed(me, 'upload_asset', { ...poster, expectedUpdatedAt: group.updatedAt });
  const asset = await ownedNow(me, 'asset', madeId(added));
  expect(await posterOf(me, group)).toContain(asset.id);

  const replacement = await posterFor(me, { groupId: group.id });
  const replaced = await succeed(me, 'upload_asset', {
    ...replacement,
    operation: 'replace',
    previousAssetId: asset.id,
    expectedUpdatedAt: asset.updatedAt,
  });
  expect(madeId(replaced)).not.toBe(asset.id);
  const paths = (await seen.posts()).map(({ path, query }) => [
    path,
    new URLSearchParams(query).get('operation'),
  ]);
  const path = `/me/groups/${group.id}/poster`;
  expect(paths).toEqual([
    [path, 'add'],
    [path, 'replace'],
  ]);
  expect(await posterOf(me, group)).toContain(madeId(replaced));
});
