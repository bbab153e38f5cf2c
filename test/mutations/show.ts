import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { deadlineIn } from '../../src/deadline.ts';
import type { Arguments } from '../../src/mutations/operations/find-operation.ts';
import { keptFilesOf } from '../support/kept-files.ts';
import { type Artist, storeOfArtists } from './artist.ts';
import { card } from './pictures.ts';
import { type Told, told } from './told.ts';

export type Creation = Arguments<'create_media_set'>;

let lastShow = 100;

/** The title card of an episode of a show. */
export const placeOf = (showId: number, episode: number) => ({
  targetKind: 'episode',
  targetId: showId * 1000 + episode + 1,
  slot: 'titlecard',
});

/** A call that makes a Set of a show of its own, with so many title cards. */
export async function creationOf(
  artist: Artist,
  cards: number,
  changes: Partial<Creation> = {},
): Promise<Creation> {
  lastShow += 1;
  const showId = lastShow;
  const declaredFiles = await Promise.all(
    Array.from({ length: cards }, async (_, index) => ({
      ...{ ...placeOf(showId, index), file: await artist.file(await card(), `${showId}-${index}.png`) },
      itemId: randomUUID(),
    })),
  );
  return {
    ...{ clientMutationId: randomUUID(), expectedUpdatedAt: null, titleBase: `Cards of ${showId}` },
    ...{ entryTargetKind: 'show', entryTargetId: showId, languageCode: 'en', finalised: true },
    ...{ declaredFiles, ...changes },
  };
}

/** A call that is waited for as long as it takes, however busy the machine is and however fast the clock. */
export const patient = { deadline: deadlineIn(1_000_000_000) };

export function create({ mutations }: Artist, args: Creation, call = patient): Promise<Told> {
  return told(mutations.perform('create_media_set', args, call));
}

export function resume({ mutations }: Artist, { clientMutationId }: Creation): Promise<Told> {
  return told(mutations.resume({ clientMutationId, expectedUpdatedAt: null }, patient));
}

/** Asks how it stands until nobody works on it any more. */
export async function untilSettled({ mutations }: Artist, clientMutationId: string): Promise<Told> {
  for (;;) {
    const answer = await told(mutations.status(clientMutationId));
    if (answer.next?.tool !== 'get_mutation_status') return answer;
  }
}

/** Where copies are kept below the artist's data directory. */
export function keptRoot({ home }: Artist): string {
  return path.join(keptFilesOf(path.join(home, 'data')), storeOfArtists);
}

/** What is kept there: one folder for each keeper, and the names in it. */
export async function keptFolders(artist: Artist): Promise<string[]> {
  const names = await readdir(keptRoot(artist), { recursive: true }).catch(() => []);
  return names.map(String);
}
