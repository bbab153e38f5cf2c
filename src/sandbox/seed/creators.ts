import { type Database, insert } from '../store/database.ts';
import { stableTime } from './stable.ts';

/** A fictional account that owns artwork. */
export interface Creator {
  readonly id: number;
  readonly name: string;
  readonly languageCode: string;
  /** What their Sets have in common; part of the titles. */
  readonly manner: string;
}

const accounts: readonly (readonly [name: string, languageCode: string, manner: string])[] = [
  ['lanternroom', 'en', 'Lantern Slides'],
  ['halftone-hare', 'en', 'Halftone'],
  ['papiertiger', 'de', 'Papierschnitt'],
  ['encre-de-nuit', 'fr', 'Encre'],
  ['saltprint', 'en', 'Salt Prints'],
  ['tinta_china', 'es', 'Tinta'],
  ['kumo_iro', 'ja', '雲の色'],
  ['quiet.reel', 'en', 'Quiet Minimal'],
  ['azulejo', 'pt', 'Azulejos'],
  ['Zażółć', 'pl', 'Linoryt'],
];

export const creators: readonly Creator[] = accounts.map(([name, languageCode, manner], index) => ({
  id: index + 1,
  name,
  languageCode,
  manner,
}));

/** The first one is shown for a Set without an edition. */
const editions = [
  { id: 1, name: 'Theatrical' },
  { id: 2, name: 'IMAX' },
  { id: 3, name: 'Extended' },
] as const;

export type EditionName = (typeof editions)[number]['name'];

export function editionIdOf(name: EditionName): number {
  const edition = editions.find((one) => one.name === name);
  if (!edition) throw new Error(`No edition ${name}`);
  return edition.id;
}

export function fillCreators(database: Database, now: Date): void {
  for (const { id, name } of creators) {
    insert(database, 'accounts', { id, name, created_at: stableTime(now, 1_400, 1_800, name) });
  }
  for (const { id, name } of editions) insert(database, 'editions', { id, name });
}
