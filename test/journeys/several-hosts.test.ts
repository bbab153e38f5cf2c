import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hurried } from '../support/connected.ts';
import { dig, listAt, madeId, newOwner, type Owner, owner, type Person } from '../support/person.ts';
import { runCli } from '../support/run-cli.ts';
import {
  assetsOf,
  posterFor,
  setOfShow,
  someCards,
  someWork,
  takenFiles,
  toEnd,
  watchFrom,
} from '../support/subjects.ts';
import { writePoster } from '../support/unique-pictures.ts';

async function upload(me: Owner) {
  const poster = await posterFor(me, await someWork(me, 'movie'));
  return { clientMutationId: await me.newId(), expectedUpdatedAt: 'none', ...poster };
}

/** A creation whose second file finds nobody who answers. */
async function halfMade(me: Owner) {
  const { showId, files } = await someCards(me, 3);
  const args = await setOfShow(me, showId, { declaredFiles: files });
  const seen = await watchFrom(me);
  const where = '/me/set-uploads/*/assets';
  const silence = { do: 'silence', when: 'received', milliseconds: 60_000 } as const;
  await me.control.fail({ method: 'POST', path: where, skip: 1, count: 2, ...silence });
  // Nobody hears its answer: its server is killed.
  me.call('create_media_set', args).catch(() => undefined);
  await expect.poll(() => me.control.left(where)).toBe(0);
  await expect.poll(async () => takenFiles(await seen.posts())).toHaveLength(1);
  return { args, files, seen };
}

/** Makes an upload whose answer is lost, and which the service does not show for as long as the call looks. */
async function leaveInDoubt(me: Owner, args: Record<string, unknown>): Promise<void> {
  const body = { error: { code: 'not_found', message: 'None.', details: {}, issues: [] } };
  const unshown = { do: 'answer', when: 'received', status: 404, body } as const;
  await me.control.fail(
    { method: 'POST', path: '/me/assets', do: 'cut' },
    { method: 'GET', path: '/me/asset-uploads/*', skip: 1, count: 20, ...unshown },
  );
  expect(await me.call('upload_asset', args)).toMatchObject({ outcome: 'unresolved' });
  await me.control.heal();
}

it('one id in two hosts at the same moment is one change', async () => {
  const me = await owner();
  const other = await me.again();
  const args = await upload(me);
  const seen = await watchFrom(me);
  const answers = await Promise.all([me, other].map((host) => host.call('upload_asset', args)));
  const ends = await Promise.all(answers.map((answer, index) => toEnd(index === 0 ? me : other, answer)));
  for (const end of ends) expect(end).toMatchObject({ isError: false, outcome: 'succeeded' });
  expect(new Set(ends.map(madeId)).size).toBe(1);
  expect(await seen.effects()).toHaveLength(1);
  expect(await seen.posts()).toHaveLength(1);
});

it('the same picture for the same place is not sent by a second host while the first one is in doubt', async () => {
  const me = await owner(0, hurried());
  const other = await me.again();
  const args = await upload(me);
  const seen = await watchFrom(me);
  await leaveInDoubt(me, args);
  const second = { ...args, clientMutationId: await other.newId() };
  const held = await other.call('upload_asset', second);
  expect(held).toMatchObject({
    isError: true,
    outcome: 'not_sent',
    error: { category: 'conflict' },
    next: { arguments: { clientMutationId: args.clientMutationId } },
  });
  expect(await toEnd(other, await other.follow(held))).toMatchObject({
    outcome: 'succeeded',
    clientMutationId: args.clientMutationId,
  });
  expect(await seen.effects()).toHaveLength(1);
});

it('what one host has begun is seen, and brought to its end, by another one of the same person only', async () => {
  const me = await newOwner(hurried());
  const args = await upload(me);
  const { clientMutationId } = args;
  const seen = await watchFrom(me);
  await leaveInDoubt(me, args);
  await me.kill();

  const [stranger, other] = await Promise.all([me.again({ ARTWORK_USER: 'stranger' }), me.again()]);
  const hidden = await stranger.call('list_mutations');
  expect(dig(hidden, 'data') ?? []).toEqual([]);
  const told = await stranger.call('get_mutation_status', { clientMutationId });
  expect(told).toMatchObject({ isError: true, error: { category: 'not_connected' } });

  const open = await other.call('list_mutations', { state: 'open' });
  expect(listAt(open, 'data')).toMatchObject([{ clientMutationId, outcome: 'unresolved' }]);
  const last = await toEnd(other, await other.call('get_mutation_status', { clientMutationId }));
  expect(last).toMatchObject({ outcome: 'succeeded' });
  const none = await other.call('list_mutations', { state: 'open' });
  expect(none).toMatchObject({ data: [], counts: { unsettled: 0 } });
  const settled = listAt(await other.call('list_mutations', { state: 'succeeded' }), 'data');
  expect(settled).toMatchObject([{ clientMutationId, outcome: 'succeeded' }]);
  expect(await seen.effects()).toHaveLength(1);
});

it('a host that stands still in the middle of a file loses it to another one, and does not end it when it wakes', async () => {
  const me = await newOwner();
  const other = await me.again(hurried(20));
  const { targetKind, targetId } = await someWork(me, 'movie');
  // More than what lies between the two on its way: the rest waits in the host.
  const file = await writePoster(me.uploads, `${randomUUID()}${'x'.repeat(6_000_000)}`);
  const guard = { clientMutationId: await me.newId(), expectedUpdatedAt: 'none' };
  const args = {
    ...guard,
    entryTargetKind: targetKind,
    entryTargetId: targetId,
    titleBase: `Film ${randomUUID()}`,
    languageCode: 'en',
    finalised: false,
    declaredFiles: [{ file, targetKind, targetId, slot: 'poster' }],
  };
  const seen = await watchFrom(me);
  const where = '/me/set-uploads/*/assets';
  await me.control.fail({ method: 'POST', path: where, do: 'delay', when: 'before', milliseconds: 3_000 });
  const answer = me.call('create_media_set', args);
  await expect.poll(() => me.control.left(where)).toBe(0);
  process.kill(me.pid, 'SIGSTOP');
  try {
    const asked = await other.call('get_mutation_status', { clientMutationId: guard.clientMutationId });
    expect(await toEnd(other, asked)).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 1 } });
  } finally {
    process.kill(me.pid, 'SIGCONT');
  }
  expect(await answer).toMatchObject({ isError: false, clientMutationId: guard.clientMutationId });
  const woken = await me.call('create_media_set', args);
  expect(woken).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 1 } });
  const sent = async () =>
    (await seen.posts()).filter(({ path }) => path.endsWith('/assets')).map(({ status }) => status);
  await expect.poll(sent).toHaveLength(2);
  expect((await sent()).filter((status) => status !== null)).toHaveLength(1);
  expect(await assetsOf(me, madeId(woken), 'poster')).toHaveLength(1);
});

/** How many files below a folder hold these bytes. */
async function copiesOf(folder: string, bytes: Buffer): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => (await readFile(path.join(parentPath, name))).equals(bytes)),
  );
  return found.filter(Boolean).length;
}

it('a person gives a change up: its copies go, its id stays, and no host sends it again', async () => {
  const me = await newOwner();
  const { args, files, seen } = await halfMade(me);
  const { clientMutationId } = args;
  const bytes = await readFile(files[1]?.file ?? '');
  await me.kill();
  await me.control.heal();
  expect(await copiesOf(me.home, bytes)).toBeGreaterThan(0);
  const posts = await seen.posts();

  expect(await runCli(['mutations', 'abandon', clientMutationId], me.env)).toMatchObject({ code: 0 });
  expect(await copiesOf(me.home, bytes)).toBe(0);
  expect(await runCli(['mutations', 'abandon', randomUUID()], me.env)).toMatchObject({ code: 1 });

  const other: Person = await me.again();
  for (const [tool, call] of [
    ['get_mutation_status', { clientMutationId }],
    ['create_media_set', args],
    ['resume_mutation', { clientMutationId, expectedUpdatedAt: 'none' }],
  ] as const) {
    const answer = await other.call(tool, call);
    expect([tool, answer.next?.tool]).toEqual([tool, undefined]);
    expect(answer.outcome).not.toBe('succeeded');
  }
  const titleBase = 'Another intent';
  expect(await other.call('create_media_set', { ...args, titleBase })).toMatchObject({
    error: { category: 'mutation_id_reused' },
  });
  expect(await seen.posts()).toEqual(posts);
});
