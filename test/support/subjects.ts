import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Effect, SeenRequest } from './catalogue-control.ts';
import type { Answer, Host } from './host.ts';
import { at, dig, listAt, madeId, numberAt, type Owner, type Person } from './person.ts';
import { writePoster, writeWide } from './unique-pictures.ts';

/** What is one's own, at the revision that a change of it has to name. */
export interface Subject {
  readonly id: string | number;
  readonly updatedAt: string;
}

/** Makes a change under a new id, and holds it to its success. */
export async function succeed(me: Person, tool: string, args: Record<string, unknown>): Promise<Answer> {
  const call = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none', ...args };
  const answer = await me.call(tool, call);
  if (answer.outcome !== 'succeeded') throw new Error(`${tool} ended otherwise: ${answer.text}`);
  return answer;
}

/** What is one's own, as it stands now. */
export async function ownedNow(me: Person, type: 'asset' | 'set' | 'group', id: string | number) {
  const record = await me.call('get_owned', { type, id });
  return { id, updatedAt: at(record, 'updatedAt'), data: dig(record, 'data') };
}

/** A work that the feed of Assets names. */
export async function someWork(me: Person, targetKind: string) {
  const feed = await me.call('read_feed', { feed: 'assets', targetKind, limit: 1 });
  return { targetKind, targetId: numberAt(feed, 'data', 0, 'target', 'id') };
}

/** A show of the index that has enough episodes for every journey, in the order of the index. */
export async function someShow(me: Person) {
  const all = listAt(await me.call('list_episodes', { limit: 200 }), 'data');
  const episodes = all.map((one) => ({
    showId: numberAt(one, 'show', 'id'),
    id: numberAt(one, 'id'),
    season: numberAt(one, 'seasonNumber'),
    number: numberAt(one, 'episodeNumber'),
  }));
  const ofOne = (id: number) => episodes.filter(({ showId }) => showId === id);
  const showId = episodes.find((one) => ofOne(one.showId).length >= 6)?.showId;
  if (showId === undefined) throw new Error('No show of the first page has six episodes.');
  return { showId, episodes: ofOne(showId) };
}

/** The arguments of an upload of a new picture. */
export const posterFor = async (me: Person, target: Record<string, unknown>) => ({
  operation: 'add',
  slot: 'poster',
  ...target,
  file: await writePoster(me.uploads),
});

/** A poster of a category, in no Set; of a picture of one's own if `file` names one. */
export async function newAsset(me: Person, file?: string): Promise<Subject> {
  const poster = await posterFor(me, await someWork(me, 'category'));
  const made = await succeed(me, 'upload_asset', file === undefined ? poster : { ...poster, file });
  return ownedNow(me, 'asset', madeId(made));
}

export async function newGroup(me: Person, more: Record<string, unknown> = {}): Promise<Subject> {
  const made = await succeed(me, 'create_group', {
    kind: 'boxset',
    title: `Boxset ${randomUUID()}`,
    ...more,
  });
  return ownedNow(me, 'group', Number(madeId(made)));
}

/** The arguments of a Category Set without a picture. */
export async function categorySet(me: Person) {
  const { targetKind: entryTargetKind, targetId: entryTargetId } = await someWork(me, 'category');
  return { setKind: 'category_set', titleBase: `Set ${randomUUID()}`, entryTargetKind, entryTargetId };
}

export async function newSet(me: Person): Promise<Subject> {
  const made = await succeed(me, 'create_grouping_set', await categorySet(me));
  return ownedNow(me, 'set', Number(madeId(made)));
}

/** Follows what answers name as the next call, until one names none or nothing is open any more. */
export async function toEnd(host: Host, answer: Answer): Promise<Answer> {
  let last = answer;
  for (let steps = 0; steps < 12; steps += 1) {
    const isOpen = ['unresolved', 'processing', 'interrupted'].includes(last.outcome ?? '');
    if (!isOpen || last.next?.tool === undefined) return last;
    last = await host.follow(last);
  }
  throw new Error(`It came to no end: ${last.text}`);
}

/** What reaches the catalogue from now on. */
export async function watchFrom({ control }: Owner) {
  const [requests, effects] = [(await control.requests()).length, (await control.effects()).length];
  return {
    /** The requests that ask for a change. */
    posts: async (): Promise<SeenRequest[]> =>
      (await control.requests()).slice(requests).filter(({ method }) => method === 'POST'),
    effects: async (): Promise<Effect[]> => (await control.effects()).slice(effects),
  };
}

/** The name that people give to a picture of an episode. */
export const cardName = ({ season, number }: { season: number; number: number }) =>
  `S${String(season).padStart(2, '0')}E${String(number).padStart(2, '0')}.png`;

/** A new folder below the person's uploads with a picture for each name. */
export async function folderOf(me: Person, names: readonly string[]): Promise<string> {
  const folder = path.join(me.uploads, randomUUID());
  await mkdir(folder);
  for (const name of names) await rename(await writeWide(me.uploads), path.join(folder, name));
  return folder;
}

/** Which items' files the catalogue has taken: each one as often as it did. */
export const takenFiles = (requests: readonly SeenRequest[]) =>
  requests
    .filter(({ path, status }) => path.endsWith('/assets') && status !== null && status < 300)
    .map(({ query }) => new URLSearchParams(query).get('itemId'));

/** The arguments of a new Set of a show, of files that a call names or of a plan. */
export async function setOfShow(me: Person, showId: number, more: Record<string, unknown>) {
  return {
    clientMutationId: await me.newId(),
    expectedUpdatedAt: 'none',
    entryTargetKind: 'show',
    entryTargetId: showId,
    titleBase: `Cards ${randomUUID()}`,
    languageCode: 'en',
    finalised: false,
    ...more,
  };
}

/** A folder with a card for each of the first episodes of some show, and what a Set of them declares. */
export async function someCards(me: Person, count: number) {
  const { showId, episodes } = await someShow(me);
  const first = episodes.slice(0, count);
  const folder = await folderOf(me, first.map(cardName));
  const files = first.map((episode) => ({
    file: path.join(folder, cardName(episode)),
    targetKind: 'episode',
    targetId: episode.id,
    slot: 'titlecard',
  }));
  return { showId, episodes, folder, files };
}

/** The Assets of a Set of one's own in one slot. */
export async function assetsOf(me: Person, setId: string | number, slot = 'titlecard') {
  const record = await me.call('get_owned', { type: 'set', id: Number(setId), slot, limit: 200 });
  return listAt(record, 'data', 'assets').map((one) => ({
    id: at(one, 'id'),
    updatedAt: at(one, 'updatedAt'),
    targetId: numberAt(one, 'target', 'id'),
    path: at(one, 'path'),
  }));
}

/** A Set of a film with one poster. */
export async function newFilmSet(me: Person): Promise<number> {
  const { targetKind, targetId } = await someWork(me, 'movie');
  const file = await writePoster(me.uploads);
  const made = await succeed(me, 'create_media_set', {
    entryTargetKind: targetKind,
    entryTargetId: targetId,
    titleBase: `Film ${randomUUID()}`,
    languageCode: 'en',
    finalised: true,
    declaredFiles: [{ file, targetKind, targetId, slot: 'poster' }],
  });
  return Number(madeId(made));
}

/** A relationship of the account: any, or that to one other. Where there is none, a creator is followed first. */
export async function someRelationship(me: Person, targetId?: unknown) {
  const find = async () =>
    listAt(await me.call('list_relationships'), 'data').find(
      (one) => targetId === undefined || dig(one, 'targetId') === targetId,
    );
  const one = (await find()) ?? ((await followSomebody(me)) ? await find() : undefined);
  return {
    targetId: dig(one, 'targetId'),
    relationship: dig(one, 'relationship'),
    updatedAt: at(one, 'updatedAt'),
  };
}

async function followSomebody(me: Person): Promise<boolean> {
  const feed = await me.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 25 });
  for (const entry of listAt(feed, 'data')) {
    const set = await me.call('get_set', { kind: 'movie_set', id: dig(entry, 'setId') });
    // Nobody follows themselves.
    const follow = { targetKind: 'user', targetId: dig(set, 'data', 'createdBy'), relationship: 'follow' };
    const guard = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none' };
    if ((await me.call('change_relationship', { ...guard, ...follow })).outcome === 'succeeded') return true;
  }
  return false;
}
