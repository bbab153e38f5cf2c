import { allKinds, allSetKinds, isWorkKind, type Kind, type SetKind } from '../../model/kinds.ts';

/** What the index holds: entities, Sets and groups, and creators, in the words of calls and answers. */
export type TitleKind = Kind | SetKind | 'creator';

export const titleKinds: readonly TitleKind[] = [...allKinds, ...allSetKinds, 'creator'];

export function isTitleKind(word: string): word is TitleKind {
  return titleKinds.some((kind) => kind === word);
}

/** What a reading of the catalogue goes to by itself: works, whose records name their Sets, seasons and films. */
export const readKinds: readonly Kind[] = allKinds.filter(isWorkKind);

/** An entity, Set or group by its number, a creator by name. */
export type TitleId = number | string;

export interface TitleReference {
  readonly kind: TitleKind;
  readonly id: TitleId;
}

/**
 * What one record has shown of a title. What is left out or null is not known, and takes away nothing that is.
 * Names are other people's writing: cleaned, one line, 500 characters at most.
 */
export interface Sighting extends TitleReference {
  readonly name?: string | null | undefined;
  readonly year?: number | null | undefined;
  /** Of a season or an episode: the show's id. */
  readonly show?: number | null | undefined;
  /** Of a season or an episode; 0 for specials. */
  readonly season?: number | null | undefined;
  readonly episode?: number | null | undefined;
  /** Of a Set: who made it. */
  readonly creator?: string | null | undefined;
  /** Of a Set: what it is for; of a group: what its Sets are for. The chief one first. */
  readonly targets?: readonly TitleReference[] | undefined;
  /** ISO 8601, when the service says that a Set was last changed. */
  readonly updated?: string | null | undefined;
  /** The record itself was read, not one that mentions it. */
  readonly whole?: boolean | undefined;
  /** When a feed says that something of it was changed, ms; 0 where it doesn't say when. */
  readonly changed?: number | undefined;
}

/** What is asked: at least one of the words, the creator and the target. */
export interface TitleQuestion {
  readonly query?: string | undefined;
  /** A kind, or any Set or group. */
  readonly kind?: TitleKind | 'set' | undefined;
  readonly createdBy?: string | undefined;
  readonly target?: TitleReference | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface Hit {
  readonly kind: TitleKind;
  readonly id: TitleId;
  /** Null where only its number was seen, as of episodes in Sets. */
  readonly name: string | null;
  readonly year: number | null;
  readonly show: { readonly id: number; readonly name: string | null } | null;
  readonly season: number | null;
  readonly episode: number | null;
  readonly creator: string | null;
  readonly target: (TitleReference & { readonly name: string | null }) | null;
  readonly updated: string | null;
  /** 1 for exactly what was asked; below 0.6 it only resembles it. */
  readonly likeness: number;
}

export interface Findings {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** How many are like it, among those that were looked at. */
  readonly total: number;
}

/** How much the index has seen. */
export interface Seen {
  /** Everything with a name, of any kind. */
  readonly titles: number;
  readonly shows: number;
  readonly films: number;
  /** Whether one reading has been through the whole catalogue since the index was begun. */
  readonly complete: boolean;
  /** Of the whole reading where there was one, else of the latest record; ISO 8601, null for an empty index. */
  readonly asOf: string | null;
}

/** What tools search: the titles that public reads have shown. */
export interface TitleSearch {
  search(question: TitleQuestion): Promise<Findings>;
  seen(): Promise<Seen>;
  /** Whether it has reached its bound: nothing is learnt any more. */
  isFull(): Promise<boolean>;
}

/** For a person, where `complete`: public reads have no list of films, games or people (interface document, Endpoints). */
export const listedWords =
  'the service lists its episodes and what changed lately. A film, game or person that nothing of this names is found by its id alone, and a Set where its show lists it or it was read.';

/** For a person, where the index has its largest size. */
export const fullWords =
  'The index of titles has its largest size, 1 GiB, and learns no more. A person can remove the folder "titles" in the data directory (ARTWORK_HOME): then it is begun anew.';
