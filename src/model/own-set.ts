import { idAt, isRecord, type JsonRecord, recordAt, textAt } from '../catalogue/records/members.ts';
import type { OwnedGroup, OwnedSet } from '../catalogue/records/owned.ts';
import { revisionOf } from '../catalogue/records/owned.ts';
import { listedAssetOf } from './asset.ts';
import { admissionOf, isKind, isWorkKind } from './kinds.ts';
import { lineOf } from './target.ts';
import { idOf, workTargetOf } from './work.ts';

/** The two that `get_owned` tells apart. */
export type OwnType = 'set' | 'group';

/** A picture in a Set or group of the account's own. */
export type OwnPicture = NonNullable<ReturnType<typeof ownPictureOf>>;

/** A Set or group of the account's own. */
export type OwnSet = ReturnType<typeof ownSetOf>;

/**
 * A Set or group of the account's own, from the record that its read shows. The interface document shows its id and
 * revision alone (Protected-side records); that a Set lists its Assets, and a group its poster, is assumed, in the words
 * of the other records. What is shown nowhere is null.
 */
export function ownSetOf(type: OwnType, id: number, record: OwnedSet | OwnedGroup) {
  const json: JsonRecord = record;
  const setKind = wordIn(json, 'setKind');
  const kind = wordIn(json, 'kind') ?? setKind;
  const target = recordAt(json, 'target');
  const of = wordIn(target, 'kind');
  const assets = Array.isArray(json.assets) ? json.assets : null;
  const poster = isRecord(json.poster) ? [{ slot: 'poster', ...json.poster }] : [];
  const elements: unknown[] = [...(assets ?? []), ...poster];
  const pictures = elements.flatMap((element) => ownPictureOf(element) ?? []);
  const isRead = ({ target: its }: OwnPicture) => its !== null && isKind(its.kind);
  return {
    ...{ type, id },
    /** In the words of public reads or of the admissions. */
    kind,
    admission: admissionOf(kind ?? '') ?? admissionOf(setKind ?? ''),
    title: lineOf(json.title) || lineOf(json.titleBase),
    createdBy: lineOf(json.createdBy) || null,
    revision: revisionOf(json),
    language: wordIn(json, 'languageCode') ?? wordIn(json, 'language'),
    publicationStatus: wordIn(json, 'publicationStatus'),
    /** What it is for. */
    work: of !== null && isWorkKind(of) ? workTargetOf(of, target) : null,
    /** In the order of the service. */
    pictures,
    /** Everything that it lists could be read: only then can be told what it lacks. */
    isComplete: assets !== null && elements.length === pictures.filter(isRead).length,
  };
}

/** The id of a Set as a destination of uploads names it, whose fields the interface document does not show; null without one. */
export function idOfDestination(record: JsonRecord): number | null {
  return idOf(Number(idAt(record, 'id', 'setId') ?? idAt(recordAt(record, 'set'), 'id') ?? Number.NaN));
}

/** The ids of a group's Sets; null where its record does not show them all. */
export function membersOf(record: JsonRecord): readonly number[] | null {
  const list: unknown = record.setIds ?? record.sets;
  if (!Array.isArray(list)) return null;
  const ids = list.map((one) => idOf(isRecord(one) ? (one.id ?? one.setId) : one));
  const known = ids.flatMap((id) => id ?? []);
  return known.length === ids.length ? known : null;
}

/** A picture of the account's own as an element of its Set's `assets` names it. Null where it tells no slot. */
export function ownPictureOf(element: unknown) {
  if (!isRecord(element)) return null;
  const slot = wordIn(element, 'slot');
  if (slot === null) return null;
  const of = isRecord(element.target) ? element.target : { kind: element.targetKind, id: element.targetId };
  const [kind, id] = [wordIn(of, 'kind'), idOf(of.id)];
  const { createdBy: _, setId: __, ...facts } = listedAssetOf(element);
  return {
    ...facts,
    /** A word of the service: one of the model's slots, or another. */
    slot,
    /** What it is of; null where the record does not tell. */
    target: kind === null || id === null ? null : { kind, id },
    /** Public reads, and so pictures, have not caught up. */
    isPending: element.publicationStatus === 'pending',
  };
}

/** Kinds, slots and states are words; other text of the service never gets into a label or a sentence of ours. */
function wordIn(record: JsonRecord, name: string): string | null {
  const word = textAt(record, name);
  return word !== null && /^[\w-]{1,40}$/.test(word) ? word : null;
}
