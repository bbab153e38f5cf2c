import { type EntityKind, slotsOf } from '../../catalogue/records/kinds.ts';

/** What a picture can be for, as the interface document names it (Resources). */
export type TargetKind = EntityKind;

export interface PlanTarget {
  readonly kind: TargetKind;
  readonly id: number;
  /** Other people's writing; empty where the catalogue shows none. */
  readonly title: string;
}

/** What files can name by its title: a show, a film, a collection, a game. */
export interface Work extends PlanTarget {
  /** Of its first date; null where there is none. */
  readonly year: number | null;
  /** When a film is released, `YYYY-MM-DD`, where that is known. */
  readonly releaseDate?: string | null;
}

export interface EpisodeTarget extends PlanTarget {
  readonly kind: 'episode';
  /** Null where the catalogue shows none: then only its title can name it. */
  readonly number: number | null;
  /** `YYYY-MM-DD`. */
  readonly airDate: string | null;
  readonly season: number | null;
}

export interface SeasonTarget extends PlanTarget {
  readonly kind: 'season';
  /** 0 holds the specials. */
  readonly number: number | null;
  readonly episodes: readonly EpisodeTarget[];
}

/** All that files of one folder may be for: nothing else is ever matched. */
export interface PlanTargets {
  /** What the folder is for: `entryTargetKind` and `entryTargetId`. */
  readonly entry: Work;
  /** Of a show, in the catalogue's order; of a season itself. */
  readonly seasons: readonly SeasonTarget[];
  /** Of a collection. */
  readonly movies: readonly Work[];
}

/** Where a picture goes. */
export interface PlanPlace {
  readonly targetKind: TargetKind;
  readonly targetId: number;
  readonly slot: string;
}

interface Meaning {
  /** The first of these that a kind has is surely meant. */
  readonly sure: readonly string[];
  /** Where it has none of them, one of these may be. */
  readonly perhaps: readonly string[];
}

const meanings = {
  poster: { sure: ['poster'], perhaps: ['cover'] },
  cover: { sure: ['cover', 'poster'], perhaps: [] },
  'key art': { sure: [], perhaps: ['poster', 'cover'] },
  backdrop: { sure: ['backdrop'], perhaps: ['background', 'hero'] },
  background: { sure: ['backdrop', 'background'], perhaps: [] },
  art: { sure: [], perhaps: ['backdrop', 'background'] },
  logo: { sure: ['logo'], perhaps: [] },
  square: { sure: ['squareArt', 'squareCover'], perhaps: [] },
  thumb: { sure: ['thumb', 'titlecard'], perhaps: [] },
  landscape: { sure: [], perhaps: ['thumb', 'backdrop', 'titlecard', 'background'] },
  titlecard: { sure: ['titlecard'], perhaps: [] },
  hero: { sure: ['hero'], perhaps: [] },
  wide: { sure: ['wideCover'], perhaps: [] },
  header: { sure: [], perhaps: ['wideCover', 'hero'] },
  icon: { sure: ['icon'], perhaps: [] },
  grid: { sure: [], perhaps: ['cover', 'wideCover'] },
  other: { sure: [], perhaps: [] },
} as const satisfies Readonly<Record<string, Meaning>>;

/** What a word for artwork means, whatever it is for. `other`: artwork that nothing here has a slot for. */
export type SlotMeaning = keyof typeof meanings;

export interface MeantSlots {
  /** None: the kind has no slot for it. */
  readonly slots: readonly string[];
  /** Whether nothing else can be meant. */
  readonly sure: boolean;
  /** Nothing was said of it: these are what people mean who say nothing. */
  readonly usual?: boolean;
}

/** What is meant by a word for artwork of something of this kind. */
export function slotsMeant(kind: TargetKind, meaning: SlotMeaning): MeantSlots {
  const { sure, perhaps }: Meaning = meanings[meaning];
  const slot = sure.find((name) => slotsOf[kind].includes(name));
  if (slot !== undefined) return { slots: [slot], sure: true };
  return { slots: perhaps.filter((name) => slotsOf[kind].includes(name)), sure: false };
}

/**
 * What is meant by a name that says what a picture is of and not what it is: a poster, an episode's title card.
 * Of a game there are too many pictures for that.
 */
export function slotsUnnamed(kind: TargetKind): MeantSlots {
  const [first = 'poster'] = slotsOf[kind];
  return { slots: [first], sure: kind !== 'game', usual: true };
}

/** The place of a target's slot in a plan. */
export function planPlaceOf({ kind, id }: PlanTarget, slot: string): PlanPlace {
  return { targetKind: kind, targetId: id, slot };
}

/** The places of episodes' title cards. */
export function cardsOf(episodes: readonly EpisodeTarget[]): PlanPlace[] {
  return episodes.map((episode) => planPlaceOf(episode, 'titlecard'));
}

/** A place of a plan as one key, to be compared. */
export function placeKey({ targetKind, targetId, slot }: PlanPlace): string {
  return `${targetKind} ${targetId} ${slot}`;
}

/** Each place of a plan once, in the order in which they came. */
export function distinctPlanPlaces(places: readonly PlanPlace[]): PlanPlace[] {
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}
