import type { Database } from '../store/database.ts';
import type { Target } from './sets.ts';
import type { Slot } from './slots.ts';

/** The slots of an entity: those that its record in the interface document lists under `assets`. */
export const slotsOf = {
  show: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  season: ['poster', 'backdrop'],
  episode: ['titlecard'],
  movie: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  collection: ['poster', 'backdrop', 'logo', 'squareArt'],
  game: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  company: ['poster', 'thumb', 'logo'],
  network: ['poster', 'thumb', 'logo'],
  person: ['poster'],
  category: ['poster', 'thumb'],
} as const satisfies Record<string, readonly Slot[]>;

export type EntityKind = keyof typeof slotsOf;

/** The `metadataImages` of an entity; episodes and categories have none. */
export const metadataImagesOf = {
  show: ['poster', 'backdrop', 'logo'],
  season: ['poster'],
  movie: ['poster', 'backdrop', 'logo'],
  collection: ['poster', 'backdrop', 'logo'],
  game: ['poster', 'backdrop', 'logo'],
  company: ['logo'],
  network: ['logo'],
  person: ['profile'],
} as const satisfies Partial<Record<EntityKind, readonly (Slot | 'profile')[]>>;

export type PicturedKind = keyof typeof metadataImagesOf;

/** What an Asset can be for: an entity, or a Boxset or Loadout. */
interface FoundTarget extends Target {
  readonly title: string;
  /** A second line for pictures: a season's title, an episode's show and number, a movie's year. */
  readonly subtitle: string | null;
  readonly year: number | null;
}

/** Looked up by kind and id alone, never joined: SQLite would build the whole view for a join. */
export function findTarget(database: Database, kind: string, id: number): FoundTarget | undefined {
  const target = database.first('SELECT * FROM targets WHERE kind = ? AND id = ?', kind, id);
  return (
    target && {
      kind,
      id,
      title: target.text('title'),
      subtitle: target.textOrNull('subtitle'),
      year: target.integerOrNull('year'),
    }
  );
}
