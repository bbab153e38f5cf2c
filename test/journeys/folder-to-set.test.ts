import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hurried } from '../support/connected.ts';
import type { Answer } from '../support/host.ts';
import { at, dig, listAt, madeId, newOwner, numberAt, type Owner, owner } from '../support/person.ts';
import {
  assetsOf,
  cardName,
  folderOf,
  ownedNow,
  setOfShow,
  someCards,
  someShow,
  takenFiles,
  toEnd,
  watchFrom,
} from '../support/subjects.ts';

type Seen = Awaited<ReturnType<typeof watchFrom>>;

/** Makes a call whose answer nobody will hear, and ends its server as SIGKILL does once that is true. */
async function killedWhen(
  me: Owner,
  args: Record<string, unknown>,
  isMet: () => Promise<boolean>,
): Promise<void> {
  const unheard = me.call('create_media_set', args).catch((error: unknown) => error);
  await expect.poll(isMet).toBe(true);
  await me.kill();
  expect(await unheard).toBeInstanceOf(Error);
  await me.control.heal();
}

/** Each file has been taken once, by one submission, and the one Set that it made holds them all. */
async function isWhole(
  me: Owner,
  host: Pick<Owner, 'call'>,
  { clientMutationId }: { readonly clientMutationId: string },
  pictures: ReadonlyMap<number, Buffer>,
  seen: Seen,
): Promise<void> {
  const settled = await host.call('get_mutation_status', { clientMutationId });
  expect(settled).toMatchObject({ outcome: 'succeeded', counts: { succeeded: pictures.size } });
  const posts = await seen.posts();
  const taken = takenFiles(posts);
  expect(taken).toHaveLength(pictures.size);
  expect(new Set(taken).size).toBe(pictures.size);
  const submissions = posts.flatMap(({ path }) => /^\/me\/set-uploads\/([^/]+)/.exec(path)?.[1] ?? []);
  expect(new Set(submissions).size).toBe(1);
  const effects = (await seen.effects()).map(({ operation, resource }) => `${operation} ${resource.id}`);
  expect(new Set(effects).size).toBe(effects.length);
  const assets = await assetsOf({ ...me, ...host }, madeId(settled));
  expect(assets).toHaveLength(pictures.size);
  for (const { targetId, path } of assets) {
    const shown = async () => Buffer.from(await (await fetch(new URL(path, me.baseUrl))).arrayBuffer());
    await expect.poll(async () => pictures.get(targetId)?.equals(await shown())).toBe(true);
  }
}

async function bytesOf(files: readonly { file: string; targetId: number }[]) {
  return new Map(
    await Promise.all(files.map(async ({ file, targetId }) => [targetId, await readFile(file)] as const)),
  );
}

it('a folder becomes a Set, once the person has said what its names leave open', async () => {
  const me = await owner();
  const { showId, episodes } = await someShow(me);
  const [one, two, three] = episodes;
  if (one === undefined || two === undefined || three === undefined)
    throw new Error('The show is too short.');
  const twice = `${cardName(two).slice(0, -4)} alternative.png`;
  const folder = await folderOf(me, [cardName(one), cardName(two), twice, 'holiday.png']);
  const plan = await me.call('plan_set', { folder, entryTargetKind: 'show', entryTargetId: showId });
  const planId = at(plan, 'planId');
  const statuses = Object.fromEntries(
    listAt(plan, 'data').map((entry) => [String(dig(entry, 'file')), at(entry, 'status')]),
  );
  expect(statuses).toMatchObject({ [cardName(one)]: 'matched', [cardName(two)]: 'matched' });
  expect(statuses).toMatchObject({ [twice]: 'ambiguous', 'holiday.png': 'unmatched' });
  expect(numberAt(plan, 'counts', 'matched')).toBe(2);

  const seen = await watchFrom(me);
  const declared = {
    file: 'holiday.png',
    targetKind: 'episode',
    targetId: three.id,
    slot: 'titlecard',
  };
  const args = await setOfShow(me, showId, {
    planId,
    leaveOut: [twice],
    declaredFiles: [declared],
  });
  const dry = await me.call('create_media_set', { ...args, dryRun: true });
  expect(dry).toMatchObject({ isError: false, outcome: 'dry_run' });
  expect(await seen.posts()).toEqual([]);

  // While the plan asks about a file nothing is made of it, and a dry run says so.
  const early = await me.call('create_media_set', { ...args, leaveOut: [], dryRun: true });
  expect(listAt(early, 'warnings')).toContainEqual(expect.objectContaining({ code: 'open_questions' }));
  const refused = await me.call('create_media_set', { ...args, leaveOut: [] });
  expect(refused).toMatchObject({ isError: true, error: { category: 'invalid_arguments' } });
  expect(listAt(refused, 'error', 'issues')).toMatchObject([{ code: 'undecided' }]);
  expect(await seen.posts()).toEqual([]);

  const made = await me.call('create_media_set', args);
  expect(made).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 } });
  expect(takenFiles(await seen.posts())).toHaveLength(3);
  const targets = (await assetsOf(me, madeId(made))).map(({ targetId }) => targetId);
  expect(targets.sort()).toEqual([one.id, two.id, three.id].sort());
  expect((await ownedNow(me, 'set', Number(madeId(made)))).data).toMatchObject({ title: args.titleBase });

  // In an edit of the Set the file that the person has placed is known by its bytes.
  const edit = { folder, entryTargetKind: 'show', entryTargetId: showId, setId: Number(madeId(made)) };
  expect(await me.call('plan_set', edit)).toMatchObject({ counts: { unchanged: 2, toSend: 0 } });
});

it('a folder is planned for without the season that can’t be read, and the answer says so', async () => {
  const me = await owner();
  const { showId, seasons } = await showOfSeasons(me);
  const [lost, ...others] = seasons;
  const [read] = others;
  if (lost === undefined || read === undefined) throw new Error('The show has one season.');
  const names = [lost, read].map(({ season }) => cardName({ season, number: 1 }));
  const folder = await folderOf(me, names);
  const plan = { folder, entryTargetKind: 'show', entryTargetId: showId };
  const unreadable = { method: 'GET', path: `/seasons/${lost.id}`, do: 'answer', when: 'before' } as const;
  const lacking = { data: null, error: { code: 'not_found', message: 'No.' } };
  await me.control.fail({ ...unreadable, status: 404, body: lacking, count: 20 });
  const partly = await me.call('plan_set', plan);
  await me.control.heal();
  expect(partly).toMatchObject({ isError: false, counts: { matched: 1, unmatched: 1, toSend: 1 } });
  const files = (status: string) =>
    listAt(partly, 'data').flatMap((one) => (dig(one, 'status') === status ? [dig(one, 'file')] : []));
  expect(files('matched')).toEqual([names[1]]);
  expect(files('unmatched')).toEqual([names[0]]);
  expect(listAt(partly, 'warnings')).toHaveLength(1);
  const missing = listAt(partly, 'data').filter((one) => dig(one, 'status') === 'missing');
  expect(JSON.stringify(missing)).not.toContain(cardName({ season: lost.season, number: 2 }).slice(0, 3));

  const whole = await me.call('plan_set', plan);
  expect(whole).toMatchObject({ counts: { matched: 2, unmatched: 0 } });
  expect(dig(whole, 'warnings')).toBeUndefined();
});

it('of many files the counts and what a person decides come first, and no row is lost', async () => {
  const me = await owner();
  const { showId, episodes } = await someShow(me);
  const cards = episodes.slice(0, 6).map(cardName);
  const folder = await folderOf(me, [...cards, 'holiday.png']);
  await writeFile(path.join(folder, 'notes.txt'), 'x');
  const first = await me.call('plan_set', { folder, entryTargetKind: 'show', entryTargetId: showId });
  const members = Object.keys(first);
  expect(members.indexOf('counts')).toBeLessThan(members.indexOf('matched'));
  expect(members.indexOf('matched')).toBeLessThan(members.indexOf('data'));
  const matched = listAt(first, 'matched').map((one) => numberAt(one, 'count'));
  expect(matched.reduce((sum, count) => sum + count, 0)).toBe(6);
  const opened = listAt(first, 'data');
  const files = opened.flatMap((row) => dig(row, 'file') ?? []);
  expect(files).toEqual(['holiday.png', 'notes.txt']);
  // The pictures are small: that is said once of all.
  expect(opened.filter((row) => dig(row, 'status') === 'warned')).toMatchObject([{ count: 6 }]);
  // The pictures are named once, in the call that shows them.
  const seen = listAt(first, 'view', 0, 'arguments', 'items').map((item) => dig(item, 'file'));
  expect(seen.sort()).toEqual([...cards, 'holiday.png'].sort());

  const args = dig(first, 'omitted', 0, 'next', 'arguments') as Record<string, unknown>;
  const rest = await me.call('plan_set', args);
  const rows = listAt(rest, 'data').map((row) => [dig(row, 'file'), dig(row, 'status')]);
  expect(rows.sort()).toEqual(cards.map((card) => [card, 'matched']).sort());
  expect([rest.view, rest.nextCursor]).toEqual([undefined, null]);
});

/** A show with several seasons that can be read. */
async function showOfSeasons(me: Owner) {
  const all = listAt(await me.call('list_episodes', { limit: 200 }), 'data');
  for (const showId of new Set(all.map((one) => numberAt(one, 'show', 'id')))) {
    const shown = await me.call('get_entity', { kind: 'show', id: showId, include: ['seasons'] });
    const seasons = listAt(shown, 'data', 'seasons').map((one) => {
      return { id: numberAt(one, 'id'), season: numberAt(one, 'seasonNumber') };
    });
    const usual = seasons.filter(({ season }) => season > 0);
    if (usual.length > 1) return { showId, seasons: usual };
  }
  throw new Error('No show of the first page has two seasons.');
}

it('a Set whose server is killed among its files is finished by another one, when its folder is gone', async () => {
  const me = await newOwner();
  const { showId, folder, files } = await someCards(me, 6);
  const args = await setOfShow(me, showId, { declaredFiles: files });
  const pictures = await bytesOf(files);
  const seen = await watchFrom(me);
  const path = '/me/set-uploads/*/assets';
  const unanswered = { do: 'silence', when: 'received', milliseconds: 60_000 } as const;
  await me.control.fail({ method: 'POST', path, skip: 2, count: 4, ...unanswered });
  await killedWhen(
    me,
    args,
    async () => takenFiles(await seen.posts()).length === 2 && (await me.control.left(path)) < 4,
  );
  await rm(folder, { recursive: true });

  const other = await me.again(hurried());
  const { clientMutationId } = args;
  const left = await other.call('get_mutation_status', { clientMutationId });
  expect(left).toMatchObject({ isError: false, clientMutationId, next: { tool: 'resume_mutation' } });
  const last = await toEnd(other, await other.follow(left));
  expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId });
  await isWhole(me, other, args, pictures, seen);
});

it('a Set whose server is killed before its first word to the service is made by the same call', async () => {
  const me = await newOwner();
  const { showId, files } = await someCards(me, 2);
  const args = await setOfShow(me, showId, { declaredFiles: files });
  const fresh: Owner = { ...me, ...(await me.again()) };
  const seen = await watchFrom(me);
  // All that is read before a claim stays without an answer.
  const reads = '/*/*';
  await me.control.fail({ method: 'GET', path: reads, count: 50, do: 'silence', when: 'before' });
  await killedWhen(fresh, args, async () => (await me.control.left(reads)) < 50);
  expect(await seen.posts()).toEqual([]);

  const other = await me.again();
  const made = await toEnd(other, await other.call('create_media_set', args));
  expect(made).toMatchObject({ outcome: 'succeeded' });
  await isWhole(me, other, args, await bytesOf(files), seen);
});

it('a Set whose admission was never answered is admitted once, by whichever server asks again', async () => {
  const me = await newOwner();
  const { showId, files } = await someCards(me, 2);
  const args = await setOfShow(me, showId, { declaredFiles: files });
  const seen = await watchFrom(me);
  const unanswered = { do: 'silence', when: 'after', milliseconds: 60_000 } as const;
  await me.control.fail({ method: 'POST', path: '/me/set-uploads', ...unanswered });
  await killedWhen(me, args, async () => (await seen.effects()).length > 0);

  const other = await me.again();
  const { clientMutationId } = args;
  const asked: Answer = await other.call('get_mutation_status', { clientMutationId });
  const last = await toEnd(other, asked);
  expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId });
  const admissions = (await seen.posts()).filter(({ path }) => path === '/me/set-uploads');
  expect(admissions).toHaveLength(2);
  await isWhole(me, other, args, await bytesOf(files), seen);
});
