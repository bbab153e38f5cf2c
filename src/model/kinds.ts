import type { EntityKind, SetKind } from '../catalogue/records/kinds.ts';
import type { Slot } from './slots.ts';

export type { EntityKind as Kind, SetKind } from '../catalogue/records/kinds.ts';

/** The word of the admissions for a Set (interface document, Endpoints). */
export type AdmissionKind = 'media_set' | 'talent_set' | 'brand_set' | 'category_set';

/** A Boxset holds Sets of films and shows, a Loadout those of games. */
export type GroupKind = 'boxset' | 'loadout';

interface KindFacts {
  /** As people say it of one and of several. */
  readonly words: string;
  readonly plural: string;
  /** What else people call it, without blanks; in the singular. */
  readonly otherWords: readonly string[];
  /** What it is a part of. */
  readonly parent: EntityKind | null;
  /** What its record lists under `assets` (interface document, Resources), the usual one first. */
  readonly slots: readonly Slot[];
  /** The Sets that may have pictures of it, as public reads have them. */
  readonly sets: readonly SetKind[];
  /** What `/me` calls a Set that is for it. */
  readonly admission: AdmissionKind;
  /** How often people ask for this kind by name. If two titles are alike, a search puts the greater one first. */
  readonly asked: number;
  /** How files of this machine write it: no number is used twice in both tables and `otherCodes` of the index of titles. */
  readonly storedAs: number;
}

/** The metadata entities (interface document, Resources). One line tells all that the program knows of a kind; its record's schema is in `catalogue/records`. */
export const kinds: Readonly<Record<EntityKind, KindFacts>> = {
  show: {
    words: 'show',
    plural: 'shows',
    storedAs: 0,
    asked: 0.05,
    parent: null,
    sets: ['show_set'],
    admission: 'media_set',
    otherWords: [
      'tv',
      'tvshow',
      'series',
      'tvseries',
      'program',
      'programme',
      'sitcom',
      'miniseries',
      'anime',
    ],
    slots: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
  },
  season: {
    words: 'season',
    plural: 'seasons',
    storedAs: 1,
    asked: 0.02,
    parent: 'show',
    sets: ['show_set'],
    admission: 'media_set',
    otherWords: [],
    slots: ['poster', 'backdrop'],
  },
  episode: {
    words: 'episode',
    plural: 'episodes',
    storedAs: 2,
    asked: 0.02,
    parent: 'season',
    sets: ['show_set'],
    admission: 'media_set',
    otherWords: ['ep'],
    slots: ['titlecard'],
  },
  movie: {
    words: 'movie',
    plural: 'movies',
    storedAs: 3,
    asked: 0.045,
    parent: 'collection',
    admission: 'media_set',
    otherWords: ['film', 'flick', 'feature', 'featurefilm', 'motionpicture'],
    slots: ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'],
    sets: ['movie_set', 'collection_set'],
  },
  collection: {
    words: 'collection',
    plural: 'collections',
    storedAs: 4,
    asked: 0.035,
    parent: null,
    admission: 'media_set',
    otherWords: ['franchise', 'saga', 'trilogy', 'filmseries', 'movieseries'],
    slots: ['poster', 'backdrop', 'logo', 'squareArt'],
    sets: ['collection_set'],
  },
  game: {
    words: 'game',
    plural: 'games',
    storedAs: 5,
    asked: 0.035,
    parent: null,
    sets: ['game_set'],
    admission: 'media_set',
    otherWords: ['videogame'],
    slots: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
  },
  company: {
    words: 'company',
    plural: 'companies',
    storedAs: 6,
    asked: 0.025,
    parent: null,
    sets: ['brand_set'],
    admission: 'brand_set',
    otherWords: ['studio', 'productioncompany', 'publisher', 'developer'],
    slots: ['poster', 'thumb', 'logo'],
  },
  network: {
    words: 'network',
    plural: 'networks',
    storedAs: 7,
    asked: 0.028,
    parent: null,
    sets: ['brand_set'],
    admission: 'brand_set',
    otherWords: ['channel', 'tvnetwork', 'broadcaster'],
    slots: ['poster', 'thumb', 'logo'],
  },
  person: {
    words: 'person',
    plural: 'people',
    storedAs: 8,
    asked: 0.03,
    parent: null,
    sets: [],
    admission: 'talent_set',
    otherWords: ['actor', 'actress', 'director', 'talent', 'artist'],
    slots: ['poster'],
  },
  category: {
    words: 'category',
    plural: 'categories',
    storedAs: 9,
    asked: 0.015,
    parent: null,
    sets: [],
    admission: 'category_set',
    otherWords: ['genre', 'tag'],
    slots: ['poster', 'thumb'],
  },
};

/** All kinds of entities, in the order of the table. */
export const allKinds = Object.keys(kinds) as readonly EntityKind[];

/** Whether a word is the kind of an entity that public reads have. */
export function isKind(word: string): word is EntityKind {
  return Object.hasOwn(kinds, word);
}

/** The slots of a kind; null for one that the interface document does not name. */
export function slotsOf(kind: EntityKind): readonly Slot[];
export function slotsOf(kind: string): readonly Slot[] | null;
export function slotsOf(kind: string): readonly Slot[] | null {
  return isKind(kind) ? kinds[kind].slots : null;
}

interface SetKindFacts {
  /** What it is for; null where it is for several, or holds Sets. */
  readonly of: EntityKind | null;
  /** Whose pictures it has, beside those of what it is for: the member that lists them, and their kind. */
  readonly lists: readonly (readonly [member: string, kind: EntityKind])[];
  /** What `/me` calls it; null for a group, which is no Set there. */
  readonly admission: AdmissionKind | null;
  /** The kinds of Sets that a group holds. */
  readonly holds: readonly SetKind[];
  /** The group that a Set of this kind may be in. */
  readonly group: GroupKind | null;
  /** How files of this machine write it, as for entities. */
  readonly storedAs: number;
}

/** The Sets and groups of public reads (interface document, Resources). */
export const setKinds: Readonly<Record<SetKind, SetKindFacts>> = {
  movie_set: { of: 'movie', lists: [], admission: 'media_set', holds: [], group: 'boxset', storedAs: 10 },
  show_set: { of: 'show', lists: [], admission: 'media_set', holds: [], group: 'boxset', storedAs: 11 },
  game_set: { of: 'game', lists: [], admission: 'media_set', holds: [], group: 'loadout', storedAs: 12 },
  collection_set: {
    of: 'collection',
    storedAs: 13,
    admission: 'media_set',
    holds: [],
    group: 'boxset',
    lists: [['movies', 'movie']],
  },
  brand_set: {
    of: null,
    storedAs: 14,
    admission: 'brand_set',
    holds: [],
    group: null,
    lists: [
      ['networks', 'network'],
      ['companies', 'company'],
    ],
  },
  boxset: {
    of: null,
    lists: [],
    admission: null,
    holds: ['show_set', 'movie_set'],
    group: null,
    storedAs: 17,
  },
  loadout: { of: null, lists: [], admission: null, holds: ['game_set'], group: null, storedAs: 18 },
};

/** All kinds of Sets and groups that public reads have. */
export const allSetKinds = Object.keys(setKinds) as readonly SetKind[];

/** What there are media Sets for (interface document, What the service does). */
export const mediaSetTargets: readonly EntityKind[] = allSetKinds.flatMap((kind) => {
  const { of, admission } = setKinds[kind];
  return of !== null && admission === 'media_set' ? [of] : [];
});

/** Whether a word is the kind of a Set or group that public reads have. */
export function isSetKind(word: string): word is SetKind {
  return Object.hasOwn(setKinds, word);
}

/** Whether a kind is that of a Boxset or a Loadout. */
export function isGroupKind(kind: string): kind is GroupKind {
  return kind === 'boxset' || kind === 'loadout';
}

/** The Sets, as public reads have them, that may have pictures of a target of this kind. */
export function setKindsOf(kind: string): readonly SetKind[] {
  return isKind(kind) ? kinds[kind].sets : [];
}

/** The slots that a Set of this kind can have pictures in, or a group's Sets, each once. */
export function slotsOfSet(kind: SetKind): readonly Slot[] {
  const own = allKinds.filter((one) => kinds[one].sets.includes(kind)).flatMap((one) => kinds[one].slots);
  const held = setKinds[kind].holds.flatMap(slotsOfSet);
  return [...new Set<Slot>([...(isGroupKind(kind) ? (['poster'] as const) : []), ...own, ...held])];
}

/** The same by any word for a Set or an entity, in those of the admissions too; none for a word that is none of these. */
export function slotsWithin(word: string): readonly Slot[] {
  if (isSetKind(word)) return slotsOfSet(word);
  if (isKind(word)) return slotsOf(word);
  const its = allKinds.filter((kind) => kinds[kind].admission === word);
  return [...new Set(its.flatMap((kind) => kinds[kind].slots))];
}

/** What `/me` calls a Set, by a kind of public reads or of its own; null for a word that is neither. */
export function admissionOf(word: string): AdmissionKind | null {
  if (isSetKind(word)) return setKinds[word].admission;
  return admissions.find((kind) => kind === word) ?? null;
}

export const admissions: readonly AdmissionKind[] = ['media_set', 'talent_set', 'brand_set', 'category_set'];

/** The kind that a word names, in any case, in the singular or the plural; null for any other. */
export function kindNamed(word: string): EntityKind | null {
  const named = word.trim().toLowerCase();
  return allKinds.find((kind) => named === kind || named === kinds[kind].plural) ?? null;
}

/** A kind as people say it: `show_set` is a Show Set, `movie` a Movie. */
export function kindWords(kind: string): string {
  return kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
