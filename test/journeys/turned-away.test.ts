import { expect, it } from 'vitest';
import type { OrderedFault } from '../support/catalogue-control.ts';
import { hurried } from '../support/connected.ts';
import type { Answer } from '../support/host.ts';
import { at, catalogue, newOwner, type Owner, owner, type Person } from '../support/person.ts';
import {
  newGroup,
  posterFor,
  setOfShow,
  someCards,
  someWork,
  takenFiles,
  toEnd,
  watchFrom,
} from '../support/subjects.ts';

const envelope = { error: { code: 'test.turned_away', message: 'No.', details: {}, issues: [] } };

const answered = (path: string, status: number, more: Partial<OrderedFault> = {}): OrderedFault => ({
  method: 'POST',
  path,
  do: 'answer',
  when: 'before',
  status,
  body: envelope,
  ...more,
});

async function upload(me: Owner) {
  const poster = await posterFor(me, await someWork(me, 'movie'));
  return { clientMutationId: await me.newId(), expectedUpdatedAt: 'none', ...poster };
}

async function groupEdit(me: Owner) {
  const { id: groupId, updatedAt } = await newGroup(me);
  const guard = { clientMutationId: await me.newId(), expectedUpdatedAt: updatedAt };
  return { ...guard, groupId, description: 'Ships included' };
}

/** A host on whose clock the waiting for news is soon over. */
const impatient = (me: Person) => me.again(hurried(40));

/** Does what answers say, and makes the same call again where they name none. */
async function patiently(me: Person, tool: string, args: Record<string, unknown>): Promise<Answer> {
  let answer = await me.call(tool, args);
  for (let tries = 0; tries < 5 && answer.outcome !== 'succeeded'; tries += 1) {
    answer = await (answer.next?.tool === undefined ? me.call(tool, args) : me.follow(answer));
  }
  return answer;
}

it('a change that is turned away with 401 or 429 is made once after all', async () => {
  const me = await owner(0, hurried());
  for (const [status, tool, path, args] of [
    [401, 'upload_asset', '/me/assets', await upload(me)],
    [429, 'upload_asset', '/me/assets', await upload(me)],
    [401, 'edit_group', '/me/groups/*', await groupEdit(me)],
    [429, 'edit_group', '/me/groups/*', await groupEdit(me)],
  ] as const) {
    const seen = await watchFrom(me);
    await me.control.fail(answered(path, status, { headers: { 'retry-after': '0' } }));
    expect(await patiently(me, tool, args)).toMatchObject({ isError: false, outcome: 'succeeded' });
    expect(await seen.effects()).toHaveLength(1);
    const posts = (await seen.posts()).filter((post) => post.path.startsWith('/me/'));
    expect(posts.map((post) => post.status)).toEqual([status, expect.toSatisfy((code) => code < 300)]);
  }
});

it('a sign-in that is over leads to a new one, and nothing is sent meanwhile', async () => {
  const me = await newOwner();
  const args = await groupEdit(me);
  const seen = await watchFrom(me);
  await me.control.fail(
    answered('/me/groups/*', 401, { method: '*', count: 100 }),
    answered('/api/auth/oauth2/token', 400, { count: 100, body: { error: 'invalid_grant' } }),
  );
  expect(await me.call('edit_group', args)).toMatchObject({
    isError: true,
    error: { category: 'reconnect_required' },
    next: { tool: 'connect_account' },
  });
  expect(await seen.effects()).toEqual([]);
});

it('a change that is forbidden once may be made again under its id', async () => {
  const me = await owner();
  const args = await groupEdit(me);
  const seen = await watchFrom(me);
  await me.control.fail(answered('/me/groups/*', 403));
  expect(await me.call('edit_group', args)).toMatchObject({
    isError: true,
    outcome: 'refused',
    error: { category: 'forbidden', code: 'test.turned_away', status: 403 },
  });
  expect(await me.call('edit_group', args)).toMatchObject({ outcome: 'succeeded' });
  expect(await seen.effects()).toHaveLength(1);
});

it('without a sign-in, or the scope that a change needs, nothing is sent or claimed', async () => {
  const me = await newOwner();
  const args = await upload(me);
  const { clientMutationId } = args;
  const other = await me.again({ ARTWORK_USER: 'other' });
  const seen = await watchFrom(me);
  const unknown = await other.call('upload_asset', args);
  expect(unknown).toMatchObject({
    isError: true,
    error: { category: 'not_connected' },
    next: { tool: 'connect_account' },
  });
  expect(await seen.posts()).toEqual([]);

  const scopes = ['openid', 'offline_access', 'assets:replace'];
  const household = await catalogue();
  const address = at(await other.call('connect_account', { scopes }), 'url');
  expect((await fetch(await household.agree(address))).ok).toBe(true);
  const begun = await watchFrom(me);
  expect(await other.call('upload_asset', args)).toMatchObject({
    isError: true,
    error: { category: 'scope_missing' },
    next: { tool: 'connect_account', arguments: { scopes: expect.arrayContaining(['assets:write']) } },
  });
  expect(await begun.posts()).toEqual([]);

  // What the one has made under an id says nothing to the other, who has signed in to the same account.
  expect(await me.call('upload_asset', args)).toMatchObject({ outcome: 'succeeded' });
  const listed = await other.call('list_mutations');
  expect(listed).toMatchObject({ isError: false, data: [] });
  const mine = await me.call('list_mutations', { state: 'succeeded' });
  expect(mine).toMatchObject({ data: [{ clientMutationId, outcome: 'succeeded' }] });
});

it('a change of which no look tells ends at a person', async () => {
  const me = await owner(0, hurried());
  const args = await groupEdit(me);
  const { clientMutationId } = args;
  const seen = await watchFrom(me);
  await me.control.fail({ method: 'POST', path: '/me/groups/*', do: 'cut', when: 'before' });
  const first = await me.call('edit_group', args);
  expect(first).toMatchObject({ outcome: 'unresolved', next: { tool: 'get_mutation_status' } });

  const other = await impatient(me);
  const last = await toEnd(other, await other.call('get_mutation_status', { clientMutationId }));
  expect(last).toMatchObject({ isError: false, outcome: 'unresolved', clientMutationId });
  expect(last.next?.tool).toBeUndefined();
  expect(await seen.posts()).toHaveLength(1);
  expect(await seen.effects()).toEqual([]);
});

it('an upload of which the service knows nothing is sent again by its resumption, and taken once', async () => {
  const me = await owner(0, hurried());
  const args = await upload(me);
  const { clientMutationId } = args;
  const seen = await watchFrom(me);
  await me.control.fail({ method: 'POST', path: '/me/assets', do: 'cut', when: 'before' });
  const first = await me.call('upload_asset', args);
  expect(first).toMatchObject({ outcome: 'unresolved', next: { tool: 'get_mutation_status' } });
  const other = await impatient(me);
  let asked = first;
  while (asked.next?.tool === 'get_mutation_status') asked = await other.follow(asked);
  expect(asked).toMatchObject({ outcome: 'unresolved', next: { tool: 'resume_mutation' } });
  await other.stop();
  const last = await toEnd(me, await me.follow(asked));
  expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId });
  expect(await seen.posts()).toHaveLength(2);
  expect(await seen.effects()).toHaveLength(1);
});

it('a Set whose lost file the service never tells of is at a person, and is not to be resumed before', async () => {
  const me = await owner(0, hurried());
  const { showId, files } = await someCards(me, 2);
  const args = await setOfShow(me, showId, { declaredFiles: files });
  const seen = await watchFrom(me);
  const mute = { do: 'answer', when: 'before', status: 200, body: { data: {} } } as const;
  await me.control.fail(
    answered('/me/set-uploads/*/assets', 429, { skip: 1, headers: { 'retry-after': '0' } }),
    answered('/me/set-uploads/*/complete', 409, { count: 500 }),
    { method: 'GET', path: '/me/set-uploads/*', count: 500, ...mute },
  );
  const other = await impatient(me);
  const steps: unknown[] = [];
  let last = await other.call('create_media_set', args);
  while (last.next?.tool !== undefined && steps.length < 20) {
    steps.push(last.next.tool);
    last = await other.follow(last);
  }
  expect(last).toMatchObject({ outcome: 'interrupted', error: { code: 'files_untold' } });
  expect(new Set(steps)).toEqual(new Set(['get_mutation_status']));
  expect(takenFiles(await seen.posts())).toHaveLength(1);
  await me.control.heal();
});
