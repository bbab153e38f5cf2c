import type { AnySet } from '../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord, listAt, recordAt } from '../catalogue/records/members.ts';
import { type GroupKind, isGroupKind, type SetKind, setKinds, slotsOf } from './kinds.ts';
import type { Slot } from './slots.ts';
import { lineOf, type Place, type SeasonTarget, type Target, type WorkTarget } from './target.ts';
import { episodeTargetOf, idOf, isWorkKind, seasonTargetOf, workTargetOf } from './work.ts';

/** A slot that a Set lists, with its picture or without. */
export interface SetPlace extends Place {
  /** Root-relative; null where the Set has no picture there. */
  readonly path: string | null;
}

/** A Set that a group holds. */
export interface SetMember {
  /** Null where it is none that public reads have. */
  readonly kind: SetKind | null;
  readonly id: number;
  readonly title: string;
  readonly createdBy: string | null;
  readonly updated: string | null;
  readonly work: WorkTarget | null;
}

/** A Set or group as public reads show it (interface document, Resources): the same shape whatever its kind. */
export interface ArtworkSet {
  readonly kind: SetKind;
  readonly id: number;
  /** Other people's writing, as all its texts: cleaned, on one line; empty where the record shows none. */
  readonly title: string;
  readonly description: string | null;
  readonly createdBy: string | null;
  readonly created: string | null;
  /** `dateUpdated`: it moves with every change, so the same value is the same Set. */
  readonly updated: string | null;
  readonly language: string | null;
  readonly edition: string | null;
  /** What it is for; null for Brand Sets and groups, which are of several. */
  readonly work: WorkTarget | null;
  /** The Boxset or Loadout that it is in. */
  readonly group: { readonly kind: GroupKind; readonly id: number; readonly title: string } | null;
  /** Of a show: those that it lists. */
  readonly seasons: readonly SeasonTarget[];
  /** Every slot that it lists, in its order. What it does not list, it does not have. */
  readonly places: readonly SetPlace[];
  /** Of a group. */
  readonly members: readonly SetMember[];
}

/**
 * A Set as the model has it, from the record that public reads show.
 * @param id that it was read by
 */
export function setOf(kind: SetKind, id: number, record: AnySet): ArtworkSet {
  return setIn(kind, id, record);
}

/** The same from a record of another read that names its pictures as public Sets do. */
export function setIn(kind: SetKind, id: number, json: JsonRecord): ArtworkSet {
  const { of, group } = setKinds[kind];
  const work = of === null || !isWorkKind(of) ? null : workTargetOf(of, json[of]);
  return {
    kind,
    id,
    title: lineOf(json.title),
    description: textOf(json.description),
    createdBy: lineOf(json.createdBy) || null,
    created: textOf(json.dateCreated),
    updated: textOf(json.dateUpdated),
    language: textOf(json.language),
    edition: textOf(json.edition),
    work,
    group: groupIn(group, json),
    seasons: listAt(of === null ? {} : recordAt(json, of), 'seasons').flatMap(
      (one) => seasonTargetOf(one) ?? [],
    ),
    places: placesIn(kind, id, json),
    members: setKinds[kind].holds.length === 0 ? [] : membersIn(kind, json),
  };
}

/** The pictures that a Set has, in its order. */
export function picturesOf({ places }: ArtworkSet): (SetPlace & { readonly path: string })[] {
  return places.flatMap((place) => (place.path === null ? [] : [{ ...place, path: place.path }]));
}

function placesIn(kind: SetKind, id: number, json: JsonRecord): SetPlace[] {
  if (isGroupKind(kind)) {
    return placesOf({ kind, id, title: lineOf(json.title), date: null, year: null }, json, ['poster']);
  }
  const { of, lists } = setKinds[kind];
  const work = of === null ? json : recordAt(json, of);
  const own = of === null || !isWorkKind(of) ? [] : placesOf(workTargetOf(of, work), work, slotsOf(of));
  const parts = listAt(work, 'seasons').flatMap((season) => {
    const target = seasonTargetOf(season);
    const episodes = listAt(season, 'episodes').flatMap((episode) =>
      placesOf(episodeTargetOf(episode, target?.season ?? null), episode, slotsOf('episode')),
    );
    return [...placesOf(target, season, slotsOf('season')), ...episodes];
  });
  const listed = lists.flatMap(([member, holder]) =>
    listAt(work, member).flatMap((one) =>
      isWorkKind(holder) ? placesOf(workTargetOf(holder, one), one, slotsOf(holder)) : [],
    ),
  );
  return [...own, ...parts, ...listed];
}

/** A path is there or null; a slot that the record does not list is not the Set's to fill. */
function placesOf(target: Target | null, record: JsonRecord, slots: readonly Slot[]): SetPlace[] {
  if (target === null) return [];
  return slots.flatMap((slot): SetPlace[] => {
    const path = Object.hasOwn(record, slot) ? record[slot] : undefined;
    if (path === null || path === '') return [{ target, slot, path: null }];
    return typeof path === 'string' ? [{ target, slot, path }] : [];
  });
}

function membersIn(kind: SetKind, json: JsonRecord): SetMember[] {
  const { holds } = setKinds[kind];
  const [only, ...others] = holds;
  return listAt(json, 'sets').flatMap((member): SetMember[] => {
    const id = idOf(member.id);
    if (id === null) return [];
    // A Loadout's are of games, and say no kind.
    const shown =
      holds.find((one) => one === member.kind) ??
      holds.find((one) => isRecord(member[setKinds[one].of ?? '']));
    const own = shown ?? (others.length === 0 && member.kind == null ? only : undefined) ?? null;
    const of = own === null ? null : setKinds[own].of;
    return [
      {
        kind: own,
        id,
        title: lineOf(member.title),
        createdBy: lineOf(member.createdBy) || null,
        updated: textOf(member.dateUpdated),
        work: of === null || !isWorkKind(of) ? null : workTargetOf(of, member[of]),
      },
    ];
  });
}

function groupIn(kind: GroupKind | null, json: JsonRecord): ArtworkSet['group'] {
  if (kind === null) return null;
  const record = recordAt(json, kind);
  const id = idOf(record.id);
  return id === null ? null : { kind, id, title: lineOf(record.title) };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
