import type { AnySet, CatalogueReading, Entity, EntityKind } from '../catalogue/records/kinds.ts';
import { changeShownBy } from './feed-item.ts';
import { allKinds, allSetKinds, isSetKind, isWorkKind, type Kind, type SetKind } from './kinds.ts';
import { type ArtworkSet, setOf } from './set.ts';
import type { Target } from './target.ts';
import {
  episodeTargetOf,
  idOf,
  partOf,
  setsListedBy,
  targetNamedBy,
  targetsShownBy,
  yearOf,
} from './work.ts';

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
 * Names are other people's writing: cleaned, on one line.
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

/** What a reading shows of titles (interface document, Resources): the record itself, and what it names. */
export function sightingsOf(reading: CatalogueReading): Sighting[] {
  switch (reading.of) {
    case 'entity':
      return ofEntity(reading.kind, reading.record);
    case 'set':
      return ofSet(reading.kind, reading.record);
    case 'episodes':
      return reading.items.flatMap((item) => {
        const { show, season } = partOf(item);
        return ofTargets([episodeTargetOf(item), show, season], show?.id);
      });
    case 'feed':
      return reading.items.flatMap((item): Sighting[] => {
        const { kind, setId, changedAt } = changeShownBy(item);
        if (kind !== null && setId !== null && isSetKind(kind))
          return [{ kind, id: setId, updated: changedAt }];
        const changed = Date.parse(changedAt ?? '') || 0;
        const isWork = (seen: Sighting) => isWorkKind(seen.kind);
        return ofTargets([targetNamedBy(item.target)]).map((seen) =>
          isWork(seen) ? { ...seen, changed } : seen,
        );
      });
  }
}

function ofEntity(kind: EntityKind, record: Entity): Sighting[] {
  const { show, season, collection, company } = partOf(record);
  const [own, ...listed] = targetsShownBy(kind, record);
  // Without an id of its own the first is something that it lists.
  if (own?.kind !== kind || own.id !== idOf(record.id)) return [];
  const inShow = kind === 'show' ? own.id : show?.id;
  return [
    ...ofTargets([own], inShow).map((seen) => ({ ...seen, whole: true })),
    ...ofTargets([...listed, show, season, collection, company], inShow),
    ...setsListedBy(record).map((set) => ofSetFacts(set, [own])),
  ];
}

function ofSet(kind: SetKind, record: AnySet): Sighting[] {
  const id = idOf(record.id);
  if (id === null) return [];
  const set = setOf(kind, id, record);
  const { work, members, places } = set;
  const shown = [...new Set(places.map(({ target }) => target))];
  const held = members.flatMap((member) => member.work ?? []);
  return [
    ofSetFacts(set, work === null ? [...shown, ...held] : [work]),
    ...ofTargets([work, ...shown, ...held], work?.kind === 'show' ? work.id : undefined),
  ];
}

type SetFacts = Pick<ArtworkSet, 'kind' | 'id' | 'title' | 'createdBy' | 'updated'>;

/** @param targets what it is for, the chief one first */
function ofSetFacts({ kind, id, title, createdBy, updated }: SetFacts, targets: readonly Target[]): Sighting {
  const references = targets.map((target) => ({ kind: target.kind, id: target.id }));
  return { kind, id, name: title || null, creator: createdBy, updated, targets: references };
}

/** @param show the id of the one that seasons and episodes among them are of */
function ofTargets(targets: readonly (Target | null)[], show?: number): Sighting[] {
  return targets.flatMap((target): Sighting[] => {
    if (target === null) return [];
    const named = { kind: target.kind, id: target.id, name: target.title || null };
    if (target.kind !== 'season' && target.kind !== 'episode') return [{ ...named, year: target.year }];
    const part = { ...named, show, year: yearOf(target.date), season: target.season };
    return [target.kind === 'season' ? part : { ...part, episode: target.episode }];
  });
}
