import { storeAsset } from '../artwork/assets.ts';
import { storeGroup } from '../artwork/groups.ts';
import type { Database } from '../store/database.ts';
import { type Creator, creators } from './creators.ts';
import type { Named } from './names.ts';
import { drawnAsset } from './pictures.ts';
import type { SetPlan } from './plan.ts';
import { StableIds, stableNumber, stableTime, stableUuid } from './stable.ts';

export interface SeededSet {
  readonly id: number;
  readonly plan: SetPlan;
  /** What the Set's work belongs to. */
  readonly belongs: readonly Named[];
}

/**
 * Boxsets of movie and show Sets, Loadouts of Game Sets: each creator groups their Sets of one category. A
 * Set is in one group at most. Some Boxsets have no poster.
 */
export function fillGroups(database: Database, now: Date, sets: readonly SeededSet[]): void {
  const ids = new StableIds(1_000, 9_999);
  const grouped = new Set<number>();
  for (const creator of creators) {
    const own = sets.filter(({ plan }) => plan.creator === creator);
    for (const [kind, members] of [
      ['boxset', ['movie_set', 'show_set']],
      ['loadout', ['game_set']],
    ] as const) {
      for (const category of favourites(own.filter(({ plan }) => members.some((one) => one === plan.kind)))) {
        const chosen = category.sets.filter(({ id }) => !grouped.has(id)).slice(0, 12);
        if (chosen.length < 2) continue;
        for (const { id } of chosen) grouped.add(id);
        fillGroup(database, now, ids, kind, creator, category.name, chosen);
      }
    }
  }
}

/** The three categories with the most Sets. */
function favourites(sets: readonly SeededSet[]): readonly { name: string; sets: readonly SeededSet[] }[] {
  const byCategory = new Map<string, SeededSet[]>();
  for (const set of sets) {
    for (const { kind, name } of set.belongs) {
      if (kind !== 'category') continue;
      const others = byCategory.get(name);
      if (others) others.push(set);
      else byCategory.set(name, [set]);
    }
  }
  return [...byCategory]
    .map(([name, members]) => ({ name, sets: members }))
    .sort((one, other) => other.sets.length - one.sets.length || (one.name < other.name ? -1 : 1))
    .slice(0, 3);
}

function fillGroup(
  database: Database,
  now: Date,
  ids: StableIds,
  kind: 'boxset' | 'loadout',
  creator: Creator,
  subject: string,
  sets: readonly SeededSet[],
): void {
  const name = `${kind} ${creator.name} ${subject}`;
  const id = ids.idOf(name);
  // A group is not older than its newest Set.
  const newest = Math.max(...sets.map((set) => createdOf(database, set.id)));
  const createdAt = new Date(Math.max(newest, Date.parse(stableTime(now, 1, 58, name)))).toISOString();
  // Some groups of fictional works have no owner, some no description.
  const fictional = subject === 'Edge Cases';
  const ownerId = fictional && stableNumber(`orphan ${name}`, 4) === 0 ? null : creator.id;
  const undescribed = fictional && stableNumber(`described ${name}`, 3) === 0;
  storeGroup(database, {
    id,
    kind,
    title: `${subject} · ${creator.manner}`,
    description: undescribed ? null : `What I made for ${subject} so far.`,
    ownerId,
    languageCode: creator.languageCode,
    createdAt,
    setIds: sets.map((set) => set.id),
  });
  if (stableNumber(`poster ${name}`, 4) === 0) return;
  storeAsset(database, {
    id: stableUuid(`${name} poster`),
    slot: 'poster',
    targetKind: kind,
    targetId: id,
    setId: null,
    ownerId,
    languageCode: creator.languageCode,
    editionId: null,
    ...drawnAsset('poster', name),
    createdAt,
    publicFrom: createdAt,
  });
}

function createdOf(database: Database, setId: number): number {
  return Date.parse(database.only('SELECT created_at FROM sets WHERE id = ?', setId).text('created_at'));
}
