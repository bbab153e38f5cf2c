import { randomUUID } from 'node:crypto';
import { storeAsset } from '../../src/sandbox/artwork/assets.ts';
import { type NewSet, storeSet } from '../../src/sandbox/artwork/sets.ts';
import type { Database } from '../../src/sandbox/store/database.ts';

export interface PlantedPicture {
  readonly kind: string;
  readonly id: number;
  readonly slot: string;
  readonly languageCode?: string | null;
  readonly width?: number;
  readonly height?: number;
}

export interface PlantedSet {
  readonly kind: NewSet['kind'];
  readonly target: { readonly kind: string; readonly id: number };
  readonly title: string;
  readonly ownerId?: number;
  /** ISO 8601. */
  readonly at?: string;
  readonly pictures: readonly PlantedPicture[];
}

const sizes: Readonly<Record<string, readonly [number, number]>> = {
  titlecard: [1920, 1080],
  backdrop: [1920, 1080],
  thumb: [1920, 1080],
  poster: [1000, 1500],
  squareArt: [1000, 1000],
};

/** Puts a Set with its pictures into a catalogue, as if it had been there for long. Answers its id. */
export function plantSet(database: Database, set: PlantedSet): number {
  const { kind, target, title, ownerId = 1, at = '2026-01-02T03:04:05.678Z', pictures } = set;
  return database.transaction(() => {
    const setId = storeSet(database, {
      ...{ kind, target, title, ownerId },
      members: [],
      description: null,
      languageCode: 'en',
      editionId: null,
      finalised: false,
      createdAt: at,
      publicFrom: at,
    });
    for (const { kind: targetKind, id, slot, languageCode = 'en', width, height } of pictures) {
      const [usualWidth, usualHeight] = sizes[slot] ?? [800, 600];
      storeAsset(database, {
        id: randomUUID(),
        ...{ slot, targetKind, setId, ownerId, languageCode },
        targetId: id,
        editionId: null,
        format: 'png',
        uploadedFile: null,
        width: width ?? usualWidth,
        height: height ?? usualHeight,
        createdAt: at,
        publicFrom: at,
      });
    }
    return setId;
  });
}

/** The episodes of a show, in their order. */
export function episodesOf(database: Database, showId: number) {
  return database
    .all('SELECT * FROM episodes WHERE show_id = ? ORDER BY season_number, episode_number, id', showId)
    .map((row) => ({
      id: row.integer('id'),
      season: row.integer('season_number'),
      number: row.integer('episode_number'),
      airDate: row.textOrNull('air_date'),
    }));
}
