import { randomUUID } from 'node:crypto';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import { picture } from '../../sandbox/me-pictures.ts';
import { plantShow } from '../../sandbox/me-works.ts';
import type { Artist } from '../artist.ts';
import type { Studio } from '../studio.ts';

/** New Sets count up from the highest id: shows count down. */
let lastShow = 910_000;

/** A show of a test's own, and what an artist needs to make a Set of title cards for it. */
export interface Show {
  readonly showId: number;
  /** A Set of account 1 for it, without artwork. */
  readonly setId: number;
  readonly episodes: readonly number[];
  /** A call that makes a Set with one card for each of the first so many episodes. */
  creation(
    artist: Artist,
    cards: number,
    changes?: Partial<Arguments<'create_media_set'>>,
  ): Promise<Arguments<'create_media_set'>>;
}

export function plantShowOf(studio: Studio, episodes: number): Show {
  lastShow -= 1;
  const showId = lastShow;
  const planted = plantShow(studio.catalogue.database, showId, episodes);
  return {
    showId,
    ...planted,
    async creation(artist, cards, changes = {}) {
      const declaredFiles = await Promise.all(
        planted.episodes.slice(0, cards).map(async (targetId, index) => ({
          file: await artist.file(await card(), `${showId}-${index}-${randomUUID().slice(0, 8)}.png`),
          targetKind: 'episode',
          targetId,
          slot: 'titlecard',
        })),
      );
      return {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: null,
        entryTargetKind: 'show',
        entryTargetId: showId,
        titleBase: `Cards of ${showId}`,
        languageCode: 'en',
        finalised: true,
        declaredFiles,
        ...changes,
      };
    },
  };
}

export const card = () => picture(640, 360);
