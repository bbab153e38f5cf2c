import type { EntityKind, SetKind } from '../catalogue/records/kinds.ts';
import type { Slot } from './slots.ts';

export type { EntityKind as Kind, SetKind } from '../catalogue/records/kinds.ts';

export const admissions = ['media_set', 'talent_set', 'brand_set', 'category_set'] as const;

/** The word of the admissions for a Set (interface document, Grouped Set edit). */
export type AdmissionKind = (typeof admissions)[number];

/** A Boxset holds Sets of films and shows, a Loadout those of games. */
export type GroupKind = 'boxset' | 'loadout';

/** Records in a record: the member that lists them, and their kind. */
type Lists = readonly (readonly [member: string, kind: EntityKind])[];

interface KindFacts {
  readonly plural: string;
  /** What else people call one, in words without blanks. */
  readonly called?: string;
  /** What its record lists under `assets` (interface document, Resources), the usual one first. */
  readonly slots: readonly Slot[];
  readonly lists?: Lists;
  /** What `/me` calls a Set that is for it, where public reads have no such Set. */
  readonly admission?: AdmissionKind;
  /** How often people ask for this kind by name: of two titles that are alike a search puts the greater first. */
  readonly asked: number;
}

const screen = ['poster', 'backdrop', 'logo', 'squareArt', 'thumb'] as const;
const brand = ['poster', 'thumb', 'logo'] as const;

/**
 * The metadata entities (interface document, Resources). One line tells all that the program knows of a kind. Its path
 * and the fields of its record are in `catalogue/records/kinds.ts`.
 */
export const kinds: Readonly<Record<EntityKind, KindFacts>> = {
  show: {
    plural: 'shows',
    asked: 0.05,
    slots: screen,
    lists: [['seasons', 'season']],
    called: 'tv tvshow series tvseries program programme sitcom miniseries anime',
  },
  season: { plural: 'seasons', asked: 0.02, slots: ['poster', 'backdrop'], lists: [['episodes', 'episode']] },
  episode: { plural: 'episodes', asked: 0.02, slots: ['titlecard'], called: 'ep' },
  movie: {
    plural: 'movies',
    asked: 0.045,
    slots: screen,
    called: 'film flick feature featurefilm motionpicture',
  },
  collection: {
    plural: 'collections',
    asked: 0.035,
    slots: ['poster', 'backdrop', 'logo', 'squareArt'],
    lists: [['movies', 'movie']],
    called: 'franchise saga trilogy filmseries movieseries',
  },
  game: {
    plural: 'games',
    asked: 0.035,
    slots: ['cover', 'hero', 'logo', 'wideCover', 'background', 'squareCover', 'icon'],
    lists: [['relatedGames', 'game']],
    called: 'videogame',
  },
  company: {
    plural: 'companies',
    asked: 0.025,
    slots: brand,
    called: 'studio productioncompany publisher developer',
  },
  network: { plural: 'networks', asked: 0.028, slots: brand, called: 'channel tvnetwork broadcaster' },
  person: {
    plural: 'people',
    asked: 0.03,
    slots: ['poster'],
    admission: 'talent_set',
    called: 'actor actress director talent artist',
  },
  category: {
    plural: 'categories',
    asked: 0.015,
    slots: ['poster', 'thumb'],
    admission: 'category_set',
    called: 'genre tag',
  },
};

interface SetKindFacts {
  /** What it is for; null where it is for several, or holds Sets. */
  readonly of: EntityKind | null;
  /** What its own record lists. */
  readonly lists: Lists;
  /** What `/me` calls it; null for a group, which is no Set there. */
  readonly admission: AdmissionKind | null;
  /** The Sets that a group holds. */
  readonly holds: readonly SetKind[];
}

const brands: Lists = [
  ['networks', 'network'],
  ['companies', 'company'],
];
const ofMedia = ['show_set', 'movie_set', 'collection_set'] as const;

/** The Sets and groups of public reads (interface document, Resources). */
export const setKinds: Readonly<Record<SetKind, SetKindFacts>> = {
  movie_set: { of: 'movie', lists: [], admission: 'media_set', holds: [] },
  show_set: { of: 'show', lists: [], admission: 'media_set', holds: [] },
  game_set: { of: 'game', lists: [], admission: 'media_set', holds: [] },
  collection_set: { of: 'collection', lists: [], admission: 'media_set', holds: [] },
  brand_set: { of: null, lists: brands, admission: 'brand_set', holds: [] },
  boxset: { of: null, lists: [], admission: null, holds: ofMedia },
  loadout: { of: null, lists: [], admission: null, holds: ['game_set'] },
};

/** All kinds of entities, in the order of the table. */
export const allKinds = Object.keys(kinds) as readonly EntityKind[];
/** All kinds of Sets and groups that public reads have. */
export const allSetKinds = Object.keys(setKinds) as readonly SetKind[];

/** Whether a word is the kind of an entity that public reads have. */
export function isKind(word: string): word is EntityKind {
  return Object.hasOwn(kinds, word);
}

/** Whether a word is the kind of a Set or group that public reads have. */
export function isSetKind(word: string): word is SetKind {
  return Object.hasOwn(setKinds, word);
}

/** Whether a kind is that of a Boxset or a Loadout. */
export function isGroupKind(kind: string): kind is GroupKind {
  return kind === 'boxset' || kind === 'loadout';
}

/** Whether a word is the kind of a work that stands for itself. */
export function isWorkKind(kind: string): kind is Exclude<EntityKind, 'season' | 'episode'> {
  return isKind(kind) && kind !== 'season' && kind !== 'episode';
}

/** Every word for a kind that people use of one or of several: its own first, then the plural. */
export function wordsFor(kind: EntityKind): string[] {
  const { plural, called } = kinds[kind];
  return [kind, plural, ...(called?.split(' ') ?? [])];
}

/** All kinds in words: show, season … or category. */
export const kindsInWords = `${allKinds.slice(0, -1).join(', ')} or ${allKinds.at(-1)}`;

/** The kind that a word names, in any case, in the singular or the plural; null for any other. */
export function kindNamed(word: string): EntityKind | null {
  const named = word.trim().toLowerCase();
  return allKinds.find((kind) => named === kind || named === kinds[kind].plural) ?? null;
}

/** A kind as people say it: `show_set` is a Show Set, `movie` a Movie. */
export function kindWords(kind: string): string {
  return kind.replace(/(?:^|_)(.)/g, (_, first: string) => ` ${first.toUpperCase()}`).trim();
}

/** The slots of a kind; null for one that the interface document does not name. */
export function slotsOf(kind: EntityKind): readonly Slot[];
export function slotsOf(kind: string): readonly Slot[] | null;
export function slotsOf(kind: string): readonly Slot[] | null {
  return isKind(kind) ? kinds[kind].slots : null;
}

/** What a record of this kind lists of other records; nothing of a group, whose Sets are no parts. */
export function listsOf(kind: EntityKind | GroupKind): Lists {
  return isGroupKind(kind) ? [] : (kinds[kind].lists ?? []);
}

/** A kind, and those of what its record lists, of what those list, and so on. */
function withParts(kind: EntityKind): readonly EntityKind[] {
  return [kind, ...listsOf(kind).flatMap(([, part]) => (part === kind ? [] : withParts(part)))];
}

/** What a Set of this kind may have pictures of. */
function targetKindsOf(set: SetKind): readonly EntityKind[] {
  const { of, lists } = setKinds[set];
  return of === null ? lists.map(([, kind]) => kind) : withParts(of);
}

/** The Sets, as public reads have them, that may have pictures of a target of this kind. */
export function setKindsOf(kind: string): readonly SetKind[] {
  return isKind(kind) ? allSetKinds.filter((set) => targetKindsOf(set).includes(kind)) : [];
}

/** What `/me` calls a Set that is for a kind, where its record does not say it. */
export function admissionFor(kind: string): AdmissionKind {
  const own = isKind(kind) ? kinds[kind].admission : undefined;
  const [set] = setKindsOf(kind);
  return own ?? (set === undefined ? null : setKinds[set].admission) ?? 'media_set';
}

/** What `/me` calls a Set, by a kind of public reads or of its own; null for a word that is neither. */
export function admissionOf(word: string): AdmissionKind | null {
  if (isSetKind(word)) return setKinds[word].admission;
  return admissions.find((kind) => kind === word) ?? null;
}

/** What there are media Sets for (interface document, What the service does). */
export const mediaSetTargets: readonly EntityKind[] = allSetKinds.flatMap((kind) => setKinds[kind].of ?? []);

/**
 * The slots that something can have pictures in, each once: an entity, or a Set in the words of public reads or of the
 * admissions, or a group with its Sets. None for a word that is none of these.
 */
export function slotsWithin(word: string): readonly Slot[] {
  if (isKind(word)) return slotsOf(word);
  const own = isGroupKind(word) ? (['poster'] as const) : [];
  const held = isSetKind(word) ? setKinds[word].holds.flatMap(slotsWithin) : [];
  const its = isSetKind(word) ? targetKindsOf(word) : allKinds.filter((kind) => admissionFor(kind) === word);
  return [...new Set<Slot>([...own, ...its.flatMap((kind) => kinds[kind].slots), ...held])];
}
