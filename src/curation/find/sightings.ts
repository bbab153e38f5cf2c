import type { AnySet, CatalogueReading, Entity, EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import { changeShownBy, targetShownBy } from '../../model/feed-item.ts';
import { isSetKind, isWorkKind } from '../../model/kinds.ts';
import { setOf } from '../../model/set.ts';
import type { Target } from '../../model/target.ts';
import { episodeTargetOf, idOf, partOf, setsListedBy, targetsShownBy, yearOf } from '../../model/work.ts';
import type { Sighting } from './titles.ts';

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
        return ofTargets([targetShownBy(item)]).map((seen) => (isWork(seen) ? { ...seen, changed } : seen));
      });
    case 'gone':
      return [];
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
  const { work, group, members, places } = set;
  const shown = [...new Set(places.map(({ target }) => target))];
  const held = members.flatMap((member) => member.work ?? []);
  return [
    ofSetFacts(set, work === null ? [...shown, ...held] : [work]),
    ...ofTargets([work, ...shown, ...held], work?.kind === 'show' ? work.id : undefined),
    ...members.flatMap(({ kind: of, work: its, ...member }) =>
      of === null ? [] : [ofSetFacts({ ...member, kind: of }, its === null ? [] : [its])],
    ),
    ...(group === null ? [] : [{ kind: group.kind, id: group.id, name: nameOf(group.title) }]),
  ];
}

interface SetFacts {
  readonly kind: SetKind;
  readonly id: number;
  readonly title: string;
  readonly createdBy: string | null;
  readonly updated: string | null;
}

/** @param targets what it is for, the chief one first */
function ofSetFacts({ kind, id, title, createdBy, updated }: SetFacts, targets: readonly Target[]): Sighting {
  const references = targets.map((target) => ({ kind: target.kind, id: target.id }));
  return { kind, id, name: nameOf(title), creator: nameOf(createdBy ?? ''), updated, targets: references };
}

/** @param show the id of the one that seasons and episodes among them are of */
function ofTargets(targets: readonly (Target | null)[], show?: number): Sighting[] {
  return targets.flatMap((target): Sighting[] => {
    if (target === null) return [];
    const named = { kind: target.kind, id: target.id, name: nameOf(target.title) };
    if (target.kind !== 'season' && target.kind !== 'episode') return [{ ...named, year: target.year }];
    const part = { ...named, show, year: yearOf(target.date), season: target.season };
    return [target.kind === 'season' ? part : { ...part, episode: target.episode }];
  });
}

const longestName = 500;

function nameOf(title: string): string | null {
  return title === '' ? null : [...title].slice(0, longestName).join('');
}
