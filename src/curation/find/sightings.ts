import type { AnySet, Entity, EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import {
  type CatalogueReading,
  type OwnedAsset,
  type OwnReading,
  serviceRevision,
} from '../../catalogue/records/owned.ts';
import { ownAssetOf } from '../../model/asset.ts';
import { changeShownBy, type ShownChange, targetShownBy } from '../../model/feed-item.ts';
import { type OwnSet, type OwnType, ownSetOf } from '../../model/own-set.ts';
import { setOf } from '../../model/set.ts';
import { isSameTarget, type Target } from '../../model/target.ts';
import {
  episodeOfIndex,
  idOf,
  idOfRecord,
  isWorkKind,
  partOf,
  partOfIndexed,
  setsListedBy,
  targetsShownBy,
  yearOf,
} from '../../model/work.ts';
import { isTitleSetKind, type Sighting, type TitleReference, type TitleSetKind } from './title-index.ts';

/**
 * Everything that a reading shows of titles (interface document, Resources and their fields): the record itself and
 * what it refers to by name. A record without a usable id shows nothing.
 */
export function sightingsOf(reading: CatalogueReading | OwnReading): Sighting[] {
  switch (reading.of) {
    case 'entity':
      return ofEntity(reading.kind, reading.record);
    case 'set':
      return ofSet(reading.kind, reading.record);
    case 'gone':
      return [];
    case 'episodes':
      return reading.items.flatMap((item) => {
        const { show, season } = partOfIndexed(item);
        return ofTargets([episodeOfIndex(item), show, season], show?.id);
      });
    case 'feed':
      return reading.items.flatMap((item) => {
        const change = changeShownBy(item);
        const about = [...ofChangedSet(change), ...ofTargets([targetShownBy(item)])];
        const changed = Date.parse(change.changedAt ?? '') || 0;
        return about.map((one) => (isWorkKind(one.kind) ? { ...one, changed } : one));
      });
    case 'own asset':
      return ofOwnAsset(reading.record);
    case 'own set':
      return ofOwn('set', reading.record, true);
    case 'own group':
      return ofOwn('group', reading.record, true);
    case 'own destinations':
      return reading.items.flatMap((item) => ofOwn('set', item, false));
  }
}

function ofEntity(kind: EntityKind, record: Entity): Sighting[] {
  const { show, season, collection, company } = partOf(record);
  const [own, ...listed] = targetsShownBy(kind, record);
  // Without an id of its own the first is something that it lists.
  if (own?.kind !== kind || own.id !== idOfRecord(record)) return [];
  const inShow = kind === 'show' ? own.id : show?.id;
  const sets = setsListedBy(record);
  return [
    ...ofTargets([own], inShow).map((one) => ({ ...one, whole: true })),
    ...ofTargets([...listed, show, season, collection, company], inShow),
    ...sets.flatMap((set) => ofSetFacts(set, [own])),
  ];
}

/** @param show the id of the one that seasons and episodes among them are of */
function ofTargets(targets: readonly (Target | null)[], show?: number): Sighting[] {
  return targets.flatMap((target) => {
    if (target === null) return [];
    const { kind, id, title, date } = target;
    const named = { kind, id, name: nameOf(title), date };
    switch (target.kind) {
      case 'season':
        return [{ ...named, show, year: yearOf(date), season: target.season }];
      case 'episode':
        return [{ ...named, show, year: yearOf(date), season: target.season, episode: target.episode }];
      default:
        return [{ ...named, year: target.year }];
    }
  });
}

function ofSet(kind: SetKind, record: AnySet): Sighting[] {
  const id = idOfRecord(record);
  if (id === null) return [];
  const set = setOf(kind, id, record);
  const { work, group, members, places } = set;
  const shown = [...new Set(places.map(({ target }) => target))].filter(
    (target) => !isSameTarget(target, work ?? set),
  );
  const held = members.flatMap((member) => (member.work === null ? [] : [member.work]));
  return [
    ...ofSetFacts(set, work === null ? [...shown, ...held] : [work]).map((one) => ({ ...one, whole: true })),
    ...ofTargets([work, ...shown], work?.kind === 'show' ? work.id : undefined),
    ...members.flatMap((member) =>
      member.kind === null ? [] : ofSetFacts({ ...member, kind: member.kind }, existing(member.work)),
    ),
    ...ofTargets(held),
    ...(group === null ? [] : [{ kind: group.kind, id: group.id, name: nameOf(group.title) }]),
  ];
}

/** What records of Sets, and those that list Sets, show of one. */
interface SetFacts {
  readonly kind: TitleSetKind;
  readonly id: number;
  readonly title: string;
  readonly createdBy: string | null;
  readonly updated: string | null;
  readonly language?: string | null;
}

/** @param targets what it is for, the chief one first */
function ofSetFacts(set: SetFacts, targets: readonly Target[]): Sighting[] {
  const { kind, id, title, createdBy, updated, language } = set;
  const creator = nameOf(createdBy ?? '');
  const references = referencesTo(targets);
  return [
    {
      ...{ kind, id, name: nameOf(title), creator, updated, language },
      ...(references.length === 0 ? {} : { targets: references }),
    },
    ...(creator === null ? [] : [{ kind: 'creator' as const, id: creator, name: creator }]),
  ];
}

function ofChangedSet({ kind, setId, changedAt }: ShownChange): Sighting[] {
  if (kind === null || setId === null || !isTitleSetKind(kind)) return [];
  return [{ kind, id: setId, updated: changedAt }];
}

function ofOwnAsset(record: OwnedAsset): Sighting[] {
  const asset = ownAssetOf(record);
  if (asset === null) return [];
  const { id, fileName, slot, language, target } = asset;
  const targets = existing(target);
  return [
    {
      ...{ kind: 'asset', id, name: nameOf(fileName || (target?.title ?? '')), slot, language },
      ...{ isOwn: true, whole: true },
      ...(targets.length === 0 ? {} : { targets: referencesTo(targets) }),
    },
    ...ofTargets(targets),
  ];
}

/** A Set or group of one's own. */
function ofOwn(type: OwnType, record: Parameters<typeof ownSetOf>[2], whole: boolean): Sighting[] {
  const id = idOf(record.id);
  if (id === null) return [];
  const own = ownSetOf(type, id, record);
  const works = [own, ...own.members].flatMap(({ work }) => existing(work));
  const members = own.members.flatMap((member) => ofOwnFacts(member, existing(member.work)));
  const itself = ofOwnFacts(own, works).map((one) =>
    one.kind === 'creator' ? one : { ...one, isOwn: true, whole },
  );
  return [...itself, ...members, ...ofTargets(works)];
}

function ofOwnFacts(set: OwnSet, targets: readonly Target[]): Sighting[] {
  const kind = titleKindOf(set);
  return kind === null ? [] : ofSetFacts({ ...set, kind, updated: serviceRevision(set.revision) }, targets);
}

/** In the words of public reads where they have any, whatever words the record has: it may have those of the admissions. */
function titleKindOf({ kind, work }: OwnSet): TitleSetKind | null {
  if (kind !== null && isTitleSetKind(kind)) return kind;
  const ofWork = `${work?.kind}_set`;
  return isTitleSetKind(ofWork) ? ofWork : null;
}

function referencesTo(targets: readonly Target[]): TitleReference[] {
  return targets.map(({ kind, id }) => ({ kind, id }));
}

function existing<Found>(found: Found | null): Found[] {
  return found === null ? [] : [found];
}

const longestName = 500;

function nameOf(title: string): string | null {
  return title === '' ? null : [...title].slice(0, longestName).join('');
}
