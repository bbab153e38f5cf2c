import type { Call, Catalogue } from '../../catalogue/client.ts';
import { type AnySet, type SetKind, sets } from '../../catalogue/records/index.ts';
import type { ShowSet } from '../../catalogue/records/sets.ts';
import { allSlots } from '../../catalogue/slots.ts';

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
  call: Call,
): Promise<SetContents> {
  switch (kind) {
    case 'movie_set': {
      const set = await catalogue.readSet(kind, id, call);
      return contents(factsOf(kind, id, set, set.language), ofWorks('movie', [set.movie]));
    }
    case 'show_set': {
      const set = await catalogue.readSet(kind, id, call);
      return contents(factsOf(kind, id, set, set.language), set.show == null ? [] : ofShow(set.show));
    }
    case 'game_set': {
      const set = await catalogue.readSet(kind, id, call);
      return contents(factsOf(kind, id, set, set.language), ofWorks('game', [set.game]));
    }
    case 'collection_set': {
      const set = await catalogue.readSet(kind, id, call);
      const held = [...ofWorks('collection', [set.collection]), ...ofWorks('movie', set.collection?.movies)];
      return contents(factsOf(kind, id, set, set.language), held);
    }
    case 'brand_set': {
      const set = await catalogue.readSet(kind, id, call);
      const held = [...ofWorks('network', set.networks), ...ofWorks('company', set.companies)];
      return contents(factsOf(kind, id, set, null), held);
    }
    case 'boxset': {
      const set = await catalogue.readSet(kind, id, call);
      const children = (set.sets ?? []).map((child) => childOf(child, child.kind ?? null));
      return contents(factsOf(kind, id, set, set.language), ofWorks('boxset', [set]), children);
    }
    case 'loadout': {
      const set = await catalogue.readSet(kind, id, call);
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
  return { kind: isSetKind(kind) ? kind : null, id: id ?? 'unknown', title: title ?? null };
}

function isSetKind(kind: string | null): kind is SetKind {
  return kind !== null && Object.hasOwn(sets, kind);
}
