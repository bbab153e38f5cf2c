import { randomUUID } from 'node:crypto';
import { addAsset, createSet, type NewSet } from '../../src/sandbox/artwork.ts';
import type { Store } from '../../src/sandbox/store.ts';

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
export function plantSet(store: Store, set: PlantedSet): number {
  const { kind, target, title, ownerId = 1, at = '2026-01-02T03:04:05.678Z', pictures } = set;
  return store.transaction(() => {
    const setId = createSet(store, {
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
      addAsset(store, {
        id: randomUUID(),
        ...{ slot, targetKind, setId, ownerId, languageCode },
        targetId: id,
        editionId: null,
        format: 'png',
        file: null,
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
export function episodesOf(store: Store, showId: number) {
  return store
    .all(
      `SELECT e.id, e.number, e.date, s.number AS season FROM entities e
       JOIN entities s ON s.kind = 'season' AND s.id = e.parent_id
       WHERE e.kind = 'episode' AND s.parent_id = ? ORDER BY s.number, e.number, e.id`,
      showId,
    )
    .map((row) => ({
      id: row.integer('id'),
      season: row.integer('season'),
      number: row.integer('number'),
      airDate: row.textOrNull('date'),
    }));
}
