import { idAt, isRecord, type JsonRecord, recordAt, textAt } from '../catalogue/records/members.ts';
import type { OwnedGroup, OwnedSet } from '../catalogue/records/owned.ts';
import { type Revision, revisionOf } from '../catalogue/records/owned.ts';
import { type ListedAsset, listedAssetOf } from './asset.ts';
import { type AdmissionKind, admissionOf, isKind, isWorkKind } from './kinds.ts';
import { lineOf, type WorkTarget } from './target.ts';
import { idOf, workTargetOf } from './work.ts';

/** The two that `get_owned` tells apart. */
export type OwnType = 'set' | 'group';

/** A picture in a Set or group of the account's own. */
export interface OwnPicture extends Omit<ListedAsset, 'createdBy' | 'setId'> {
  /** What it is of; null where the record does not tell. */
  readonly target: { readonly kind: string; readonly id: number } | null;
  /** A word of the service: one of the model's slots, or another. */
  readonly slot: string;
  /** Public reads, and so pictures, have not caught up. */
  readonly isPending: boolean;
}

/**
 * A Set or group of the account's own. The interface document shows its id and revision alone (Protected-side
 * records); that a Set lists its Assets, and a group its poster, is assumed, in the words of the other records. What is
 * shown nowhere is null.
 */
export interface OwnSet {
  readonly type: OwnType;
  readonly id: number;
  /** In the words of public reads or of the admissions. */
  readonly kind: string | null;
  readonly admission: AdmissionKind | null;
  readonly title: string;
  readonly createdBy: string | null;
  readonly revision: Revision;
  readonly language: string | null;
  readonly publicationStatus: string | null;
  /** What it is for. */
  readonly work: WorkTarget | null;
  /** In the order of the service. */
  readonly pictures: readonly OwnPicture[];
  /** Everything that it lists could be read: only then can be told what it lacks. */
  readonly isComplete: boolean;
}

/** A Set or group of the account's own, from the record that its read shows. */
export function ownSetOf(type: OwnType, id: number, record: OwnedSet | OwnedGroup): OwnSet {
  const json: JsonRecord = record;
  const setKind = wordIn(json, 'setKind');
  const kind = wordIn(json, 'kind') ?? setKind;
  const target = recordAt(json, 'target');
  const of = wordIn(target, 'kind');
  const assets = Array.isArray(json.assets) ? json.assets : null;
  const elements = [
    ...(assets ?? []),
    ...(isRecord(json.poster) ? [{ slot: 'poster', ...json.poster }] : []),
  ];
  const pictures = elements.flatMap((element) => ownPictureOf(element) ?? []);
  return {
    type,
    id,
    kind,
    admission: admissionOf(kind ?? '') ?? admissionOf(setKind ?? ''),
    title: lineOf(json.title) || lineOf(json.titleBase),
    createdBy: lineOf(json.createdBy) || null,
    revision: revisionOf(json),
    language: wordIn(json, 'languageCode') ?? wordIn(json, 'language'),
    publicationStatus: wordIn(json, 'publicationStatus'),
    work: of !== null && isWorkKind(of) ? workTargetOf(of, target) : null,
    pictures,
    // A picture tells what it is of by a kind of the interface document.
    isComplete:
      assets !== null &&
      elements.length === pictures.filter(({ target: its }) => its !== null && isKind(its.kind)).length,
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
export function ownPictureOf(element: unknown): OwnPicture | null {
  if (!isRecord(element)) return null;
  const slot = wordIn(element, 'slot');
  if (slot === null) return null;
  const of = isRecord(element.target) ? element.target : { kind: element.targetKind, id: element.targetId };
  const [kind, id] = [wordIn(of, 'kind'), idOf(of.id)];
  const target = kind === null || id === null ? null : { kind, id };
  const { createdBy: _, setId: __, ...facts } = listedAssetOf(element);
  return { ...facts, slot, target, isPending: element.publicationStatus === 'pending' };
}

/** Kinds, slots and states are words; other text of the service never gets into a label or a sentence of ours. */
function wordIn(record: JsonRecord, name: string): string | null {
  const word = textAt(record, name);
  return word !== null && /^[\w-]{1,40}$/.test(word) ? word : null;
}
