import type { Database } from '../store/database.ts';

/** Something that an Asset can be for: an entity, or a Boxset or Loadout. */
export interface FoundTarget {
  readonly title: string;
  /** A second line for pictures: a season's title, an episode's show and number, a movie's year. */
  readonly subtitle: string | null;
  readonly year: number | null;
}

/** By kind and id alone, never as a join: SQLite would put together the whole view for that. */
export function findTarget(database: Database, kind: string, id: number): FoundTarget | undefined {
  const target = database.first('SELECT * FROM targets WHERE kind = ? AND id = ?', kind, id);
  return (
    target && {
      title: target.text('title'),
      subtitle: target.textOrNull('subtitle'),
      year: target.integerOrNull('year'),
    }
  );
}
