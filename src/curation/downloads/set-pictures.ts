import type { Catalogue } from '../../catalogue/client.ts';
import {
  type AnySet,
  allSlots,
  isSetKind,
  type SetKind,
  slotMeant,
  slotsOf,
} from '../../catalogue/records/kinds.ts';
import type { ShowSet } from '../../catalogue/records/sets.ts';
import type { Deadline } from '../../deadline.ts';
import { invalidArguments } from '../../errors.ts';

/** A work, or whatever else stands for itself. */
export interface DownloadWork {
  readonly of: 'show' | 'movie' | 'collection' | 'game' | 'network' | 'company' | 'boxset' | 'loadout';
  readonly id: number | string;
  /** As the service has it: other people's writing. */
  readonly title: string | null;
  readonly year: number | null;
}

/** Whose picture it is. Numbers are null where the service tells none. */
export type PictureHolder =
  | DownloadWork
  | {
      readonly of: 'season';
      readonly id: number | string;
      readonly show: DownloadWork;
      readonly number: number | null;
    }
  | {
      readonly of: 'episode';
      readonly id: number | string;
      readonly show: DownloadWork;
      readonly season: number | null;
      readonly number: number | null;
    };

/** A Set or group, as far as its files are named and credited by it. */
export interface DownloadedSet {
  readonly kind: SetKind;
  readonly id: number;
  readonly title: string | null;
  readonly createdBy: string | null;
  readonly language: string | null;
  readonly dateUpdated: string | null;
}

/** One picture of a Set. */
export interface PictureToDownload {
  readonly holder: PictureHolder;
  readonly slot: string;
  /** Root-relative path on the service. */
  readonly ref: string;
  readonly set: DownloadedSet;
}

export interface SetContents {
  readonly set: DownloadedSet;
  readonly pictures: readonly PictureToDownload[];
  /** The Sets of a group, in its order. */
  readonly children: readonly ChildSet[];
}

/** A Set that a group names. Its kind is null where it is none that public reads have. */
export interface ChildSet {
  readonly kind: SetKind | null;
  readonly id: number | string;
  readonly title: string | null;
}

type Reader = Pick<Catalogue, 'readSet'>;

/**
 * What a Set holds (interface document, Resources: Sets and groups); of a group its own poster, and which Sets it has.
 * @throws ArtworkError as `readSet`
 */
export async function readSetContents(
  catalogue: Reader,
  kind: SetKind,
  id: number,
  deadline: Deadline,
): Promise<SetContents> {
  switch (kind) {
    case 'movie_set': {
      const set = await catalogue.readSet(kind, id, deadline);
      return contents(factsOf(kind, id, set, set.language), ofWorks('movie', [set.movie]));
    }
    case 'show_set': {
      const set = await catalogue.readSet(kind, id, deadline);
      return contents(factsOf(kind, id, set, set.language), set.show == null ? [] : ofShow(set.show));
    }
    case 'game_set': {
      const set = await catalogue.readSet(kind, id, deadline);
      return contents(factsOf(kind, id, set, set.language), ofWorks('game', [set.game]));
    }
    case 'collection_set': {
      const set = await catalogue.readSet(kind, id, deadline);
      const held = [...ofWorks('collection', [set.collection]), ...ofWorks('movie', set.collection?.movies)];
      return contents(factsOf(kind, id, set, set.language), held);
    }
    case 'brand_set': {
      const set = await catalogue.readSet(kind, id, deadline);
      const held = [...ofWorks('network', set.networks), ...ofWorks('company', set.companies)];
      return contents(factsOf(kind, id, set, null), held);
    }
    case 'boxset': {
      const set = await catalogue.readSet(kind, id, deadline);
      const children = (set.sets ?? []).map((child) => childOf(child, child.kind ?? null));
      return contents(factsOf(kind, id, set, set.language), ofWorks('boxset', [set]), children);
    }
    case 'loadout': {
      const set = await catalogue.readSet(kind, id, deadline);
      const children = (set.sets ?? []).map((child) => childOf(child, 'game_set'));
      return contents(factsOf(kind, id, set, set.language), ofWorks('loadout', [set]), children);
    }
  }
}

interface Held {
  readonly holder: PictureHolder;
  /** Its members that are named as slots are its pictures. */
  readonly record: object;
}

interface TitledRecord {
  readonly id?: number | string | null | undefined;
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly year?: number | null | undefined;
}

type ShowOfSet = NonNullable<ShowSet['show']>;

function ofShow(record: ShowOfSet): Held[] {
  const show = workOf('show', record);
  const seasons = record.seasons ?? [];
  return [
    { holder: show, record },
    ...seasons.flatMap((season): Held[] => {
      const number = counted(season.seasonNumber);
      const episodes = season.episodes ?? [];
      return [
        { holder: { of: 'season', id: season.id ?? 'unknown', show, number }, record: season },
        ...episodes.map((episode): Held => {
          const numbers = { season: number, number: counted(episode.episodeNumber) };
          return {
            holder: { of: 'episode', id: episode.id ?? 'unknown', show, ...numbers },
            record: episode,
          };
        }),
      ];
    }),
  ];
}

function contents(
  set: DownloadedSet,
  held: readonly Held[],
  children: readonly ChildSet[] = [],
): SetContents {
  const pictures = held.flatMap(({ holder, record }) =>
    allSlots.flatMap((slot) => {
      const ref: unknown = Reflect.get(record, slot);
      return typeof ref === 'string' && ref !== '' ? [{ holder, slot, ref, set }] : [];
    }),
  );
  return { set, pictures, children };
}

function factsOf(kind: SetKind, id: number, set: AnySet, language: string | null | undefined): DownloadedSet {
  return {
    kind,
    id,
    title: set.title ?? null,
    createdBy: set.createdBy ?? null,
    language: language ?? null,
    dateUpdated: set.dateUpdated ?? null,
  };
}

function ofWorks(
  of: DownloadWork['of'],
  records: readonly (TitledRecord | null | undefined)[] | null | undefined,
): Held[] {
  return (records ?? []).flatMap((record) =>
    record == null ? [] : [{ holder: workOf(of, record), record }],
  );
}

function workOf(of: DownloadWork['of'], { id, title, name, year }: TitledRecord): DownloadWork {
  return { of, id: id ?? 'unknown', title: title ?? name ?? null, year: year ?? null };
}

/** A number that can stand in a name. */
function counted(number: number | null | undefined): number | null {
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < 100_000
    ? number
    : null;
}

function childOf({ id, title }: TitledRecord, kind: string | null): ChildSet {
  return { kind: kind !== null && isSetKind(kind) ? kind : null, id: id ?? 'unknown', title: title ?? null };
}

/** What programs and people call the slots of works that are no games. */
const otherWords: Readonly<Partial<Record<string, string>>> = {
  fanart: 'backdrop',
  background: 'backdrop',
  art: 'backdrop',
  clearlogo: 'logo',
  album: 'squareArt',
  square: 'squareArt',
  landscape: 'thumb',
  card: 'titlecard',
  episode: 'titlecard',
  seasonposter: 'poster',
};

const gameKinds: ReadonlySet<SetKind> = new Set(['game_set', 'loadout']);

/**
 * The slots that words mean: by their own names, those of their lists (`posters`), or what layouts call them (`fanart`,
 * `clearlogo`). Null: all.
 * @throws ArtworkError `invalid_arguments`
 */
export function wantedSlots(words: readonly string[] | undefined, kind: SetKind): ReadonlySet<string> | null {
  if (words === undefined) return null;
  const meant = words.map((word) => wantedSlot(word, kind));
  const issues = words.flatMap((word, index) =>
    meant[index] === null
      ? [{ code: 'slot', message: `"${word.slice(0, 60)}" is no slot`, path: ['slots', String(index)] }]
      : [],
  );
  if (issues.length === 0) return new Set(meant.filter((slot) => slot !== null));
  const slots = gameKinds.has(kind) ? slotsOf.game : allSlots.filter((slot) => !onlyOfGames.has(slot));
  throw invalidArguments(`slots are any of ${slots.join(', ')}`, issues);
}

const onlyOfGames: ReadonlySet<string> = new Set(slotsOf.game.filter((slot) => !slotsOf.show.includes(slot)));

/** The slot that a word means for a Set of this kind; null for none. */
export function wantedSlot(word: string, kind: SetKind): string | null {
  if (gameKinds.has(kind)) return slotMeant(word);
  const plain = word.toLowerCase().replace(/[\s_-]/g, '');
  const other = otherWords[plain] ?? otherWords[plain.replace(/s$/, '')];
  return other ?? slotMeant(word);
}
