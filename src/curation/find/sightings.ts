import type { AnySet, CatalogueReading, Entity, EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import { changeShownBy, targetShownBy } from '../../model/feed-item.ts';
import { isSetKind, isWorkKind } from '../../model/kinds.ts';
import { setOf } from '../../model/set.ts';
import type { Target } from '../../model/target.ts';
import { episodeTargetOf, idOf, partOf, setsListedBy, targetsShownBy, yearOf } from '../../model/work.ts';
import type { Sighting } from './titles.ts';

/**
 * Everything that a reading shows of titles (interface document, Resources and their fields): the record itself and
 * what it refers to by name. A record without a usable id shows nothing.
 */
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
      return reading.items.flatMap((item) => {
        const { kind, setId, changedAt } = changeShownBy(item);
        const changed = Date.parse(changedAt ?? '') || 0;
        const isSet = kind !== null && setId !== null && isSetKind(kind);
        return [
          ...(isSet ? [{ kind, id: setId, updated: changedAt }] : []),
          ...ofTargets([targetShownBy(item)]).map((one) =>
            isWorkKind(one.kind) ? { ...one, changed } : one,
          ),
        ];
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
    ...ofTargets([own], inShow).map((one) => ({ ...one, whole: true })),
    ...ofTargets([...listed, show, season, collection, company], inShow),
    ...setsListedBy(record).flatMap((set) => ofSetFacts(set, [own])),
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
    ...ofSetFacts(set, work === null ? [...shown, ...held] : [work]),
    ...ofTargets([work, ...shown, ...held], work?.kind === 'show' ? work.id : undefined),
    ...members.flatMap((member) =>
      member.kind === null
        ? []
        : ofSetFacts({ ...member, kind: member.kind }, member.work === null ? [] : [member.work]),
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
function ofSetFacts(
  { kind, id, title, createdBy, updated }: SetFacts,
  targets: readonly Target[],
): Sighting[] {
  const creator = nameOf(createdBy ?? '');
  const references = targets.map((target) => ({ kind: target.kind, id: target.id }));
  return [
    { kind, id, name: nameOf(title), creator, updated, targets: references },
    ...(creator === null ? [] : [{ kind: 'creator' as const, id: creator, name: creator }]),
  ];
}

/** @param show the id of the one that seasons and episodes among them are of */
function ofTargets(targets: readonly (Target | null)[], show?: number): Sighting[] {
  return targets.flatMap((target) => {
    if (target === null) return [];
    const { kind, id, title, date } = target;
    const named = { kind, id, name: nameOf(title) };
    if (target.kind === 'season') return [{ ...named, show, year: yearOf(date), season: target.season }];
    if (target.kind === 'episode') {
      return [{ ...named, show, year: yearOf(date), season: target.season, episode: target.episode }];
    }
    return [{ ...named, year: target.year }];
  });
}

const longestName = 500;

function nameOf(title: string): string | null {
  return title === '' ? null : [...title].slice(0, longestName).join('');
}
