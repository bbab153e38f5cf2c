import { randomInt, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createSet } from '../../src/sandbox/artwork.ts';
import { addWorks } from '../../src/sandbox/seed/fill.ts';
import type { Effect } from '../support/catalogue-control.ts';
import { withCatalogue } from '../support/filled.ts';
import { marked, withText } from '../support/unique-pictures.ts';

/** A show of the embedded catalogue that nobody else has a Set for, and an empty Set of the first account. */
export interface LongShow {
  readonly showId: number;
  readonly setId: number;
  readonly episodes: readonly number[];
}

/** Puts a show of one season with so many episodes into a household's running catalogue. */
export function plantLongShow(home: string, count: number): LongShow {
  const id = randomInt(500_000, 900_000);
  const episodes = Array.from({ length: count }, (_, index) => id * 1_000 + index);
  const at = '2026-01-02T03:04:05.678Z';
  withCatalogue(home, (store) =>
    store.transaction(() => {
      addWorks(store, 'shows', [{ id, title: `Planted Show ${id}`, overview: '', status: 'ended' }]);
      addWorks(store, 'seasons', [{ id, show_id: id, title: 'Season 1', season_number: 1 }]);
      const rows = episodes.map((episode, index) => ({
        ...{ id: episode, season_id: id, episode_number: index + 1, title: `Episode ${index + 1}` },
      }));
      addWorks(store, 'episodes', rows);
      createSet(store, {
        ...{ id, kind: 'show_set', target: { kind: 'show', id }, members: [], title: 'Planted Set' },
        ...{ description: null, ownerId: 1, languageCode: 'en', editionId: null, finalised: false },
        ...{ createdAt: at, publicFrom: at },
      });
    }),
  );
  return { showId: id, setId: id, episodes };
}

/** One title card on the disk, and what it is for. */
export interface TitleCard {
  readonly itemId: string;
  readonly file: string;
  readonly bytes: Buffer;
  readonly targetKind: 'episode';
  readonly targetId: number;
  readonly slot: 'titlecard';
}

/** A new folder with a card for each of the episodes, no two alike, each as long as `length` says at least. */
export async function writeCards(
  folder: string,
  episodes: readonly number[],
  length: (index: number) => number = () => 0,
): Promise<TitleCard[]> {
  const directory = path.join(folder, randomUUID());
  await mkdir(directory);
  return Promise.all(
    episodes.map(async (targetId, index) => {
      const file = path.join(directory, `card ${index}.png`);
      const bytes = withText(await plainCard, `${randomUUID()}${'x'.repeat(length(index))}`);
      await writeFile(file, bytes);
      return { itemId: randomUUID(), file, bytes, targetKind: 'episode', targetId, slot: 'titlecard' };
    }),
  );
}

/** What a call says of a card. */
export function declarationOf({ itemId, file, targetKind, targetId, slot }: TitleCard) {
  return { itemId, file, targetKind, targetId, slot };
}

/** A call that makes a Set of the cards. */
export function creationOf({ showId }: Pick<LongShow, 'showId'>, cards: readonly TitleCard[]) {
  return {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: null,
    entryTargetKind: 'show',
    entryTargetId: showId,
    titleBase: `Cards of ${showId}`,
    languageCode: 'en',
    finalised: true,
    declaredFiles: cards.map(declarationOf),
  };
}

/** How often each kind of change was made under an identity. */
export function countEffects(effects: readonly Effect[], clientMutationId: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const effect of effects) {
    if (effect.clientMutationId !== clientMutationId) continue;
    counts[effect.operation] = (counts[effect.operation] ?? 0) + 1;
  }
  return counts;
}

const plainCard = marked({ width: 400, height: 225, colour: [32, 64, 96] })
  .png()
  .toBuffer();
