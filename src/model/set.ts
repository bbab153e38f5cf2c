import type { AnySet } from '../catalogue/records/kinds.ts';
import { isRecord, type JsonRecord, listAt, recordAt, textAt } from '../catalogue/records/members.ts';
import { isGroupKind, isWorkKind, listsOf, type SetKind, setKinds, slotsOf } from './kinds.ts';
import type { Slot } from './slots.ts';
import { lineOf, type Place, type Target } from './target.ts';
import { idOf, seasonTargetOf, targetOf, workTargetOf } from './work.ts';

/** A slot that a Set lists, with its picture or without. */
export interface SetPlace extends Place {
  /** Root-relative; null where the Set has no picture there. */
  readonly path: string | null;
}

/** A Set that a group holds. */
export type SetMember = NonNullable<ReturnType<typeof memberOf>>;

/** A Set or group as public reads show it (interface document, Resources): the same shape whatever its kind. */
export type ArtworkSet = ReturnType<typeof setOf>;

/**
 * A Set as the model has it, from the record that public reads show. Its texts are other people's writing.
 * @param id that it was read by
 */
export function setOf(kind: SetKind, id: number, record: AnySet) {
  const json: JsonRecord = record;
  const { of } = setKinds[kind];
  const work = of === null ? {} : recordAt(json, of);
  return {
    kind,
    ...factsIn(kind, id, json),
    language: textAt(json, 'language'),
    /** Of a show: those that it lists. */
    seasons: listAt(work, 'seasons').flatMap((season) => seasonTargetOf(season) ?? []),
    /** Every slot that it lists, in its order. What it does not list, it does not have. */
    places: placesIn(kind, id, json),
    /** Of a group. */
    members: listAt(json, 'sets').flatMap((member) => memberOf(kind, member) ?? []),
  };
}

/** The pictures that a Set has, in its order. */
export function picturesOf({ places }: ArtworkSet): (SetPlace & { readonly path: string })[] {
  return places.flatMap((place) => (place.path === null ? [] : [{ ...place, path: place.path }]));
}

/** What a Set shows wherever it is named. */
function factsIn(kind: SetKind | null, id: number, json: JsonRecord) {
  const of = kind === null ? null : setKinds[kind].of;
  return {
    id,
    /** Empty where the record shows none. */
    title: lineOf(json.title),
    createdBy: lineOf(json.createdBy) || null,
    /** It moves with every change, so the same value is the same Set. */
    updated: textAt(json, 'dateUpdated'),
    /** What it is for; null for Brand Sets and groups, which are of several. */
    work: of === null || !isWorkKind(of) ? null : workTargetOf(of, json[of]),
  };
}

function placesIn(kind: SetKind, id: number, json: JsonRecord): SetPlace[] {
  if (isGroupKind(kind)) return placesOf(workTargetOf(kind, { ...json, id }), json, ['poster']);
  const { of, lists } = setKinds[kind];
  const listed = lists.flatMap(([member, part]) =>
    listAt(json, member).flatMap((one) => placesOfPart(part, one)),
  );
  return of === null ? listed : [...placesOfPart(of, recordAt(json, of)), ...listed];
}

/** The places of a part of a Set, and of what that lists. */
function placesOfPart(kind: Target['kind'], json: JsonRecord, season: number | null = null): SetPlace[] {
  const target = targetOf(kind, json, season);
  const within = target?.kind === 'season' ? target.season : null;
  const lists = listsOf(kind).flatMap(([member, part]) =>
    listAt(json, member).flatMap((one) => placesOfPart(part, one, within)),
  );
  return [...placesOf(target, json, slotsOf(kind) ?? []), ...lists];
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

/** A Set of a group; of which kind tells its own word, or what it is for. A Loadout holds one kind alone. */
function memberOf(group: SetKind, json: JsonRecord) {
  const id = idOf(json.id);
  const { holds } = setKinds[group];
  const isShown = (one: SetKind) => one === json.kind || isRecord(json[setKinds[one].of ?? '']);
  const [kind = null] = holds.length === 1 ? holds : holds.filter(isShown);
  return id === null ? null : { kind, ...factsIn(kind, id, json) };
}

// A Show Set's record is handed on as the service showed it. It may be long, so it can be shown without its episodes,
// or with those of one season.

/** A Show Set's record with the episodes of each season only counted, how many that are, and the first season's number. */
export function withEpisodesCounted(set: AnySet) {
  const { show, ...facts } = set;
  const seasons = (show?.seasons ?? []).map(({ episodes, ...season }) => {
    return { ...season, episodeCount: episodes?.length ?? 0 };
  });
  const filled = seasons.filter(({ episodeCount }) => episodeCount > 0);
  return {
    record: { ...facts, show: { ...show, seasons } },
    episodes: filled.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
    first: filled.find(({ seasonNumber }) => seasonNumber != null)?.seasonNumber ?? null,
  };
}

/** A Show Set's record with the seasons of one number alone, and their episodes; null where the Set lists none. */
export function withOneSeason(set: AnySet, number: number): AnySet | null {
  const seasons = (set.show?.seasons ?? []).filter(({ seasonNumber }) => seasonNumber === number);
  return set.show == null || seasons.length === 0 ? null : { ...set, show: { ...set.show, seasons } };
}
