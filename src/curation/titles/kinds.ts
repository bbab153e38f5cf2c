import { type TitleKind, titleKinds } from './title.ts';

/** Kinds stand in the file as their places in the list of all; one is only ever added at its end. */
export function codeOfKind(kind: TitleKind): number {
  return titleKinds.indexOf(kind);
}

/** The kind that a code of the index stands for; null for none. */
export function kindOfCode(code: unknown): TitleKind | null {
  return typeof code === 'number' ? (titleKinds[code] ?? null) : null;
}

export const titleSetKinds: readonly TitleKind[] = [
  'movie_set',
  'show_set',
  'game_set',
  'collection_set',
  'brand_set',
  'talent_set',
  'category_set',
  'boxset',
  'loadout',
];

/** Found by what they belong to as much as by their own words. */
const parts: ReadonlySet<TitleKind> = new Set<TitleKind>(['season', 'episode', 'asset', ...titleSetKinds]);

/** Whether titles of this kind belong to a work, as seasons, episodes, Assets and Sets do. */
export function isPartKind(kind: TitleKind): boolean {
  return parts.has(kind);
}
