import { idAt, isRecord, type JsonRecord, listAt, recordAt } from '../catalogue/records/members.ts';
import type { OwnedGroup, OwnedSet } from '../catalogue/records/owned.ts';
import { type Revision, revisionOf } from '../catalogue/records/owned.ts';
import { type ListedAsset, listedAssetOf } from './asset.ts';
import {
  type AdmissionKind,
  admissionOf,
  allSetKinds,
  isKind,
  isSetKind,
  type SetKind,
  setKinds,
} from './kinds.ts';
import { type SetPlace, setIn } from './set.ts';
import { lineOf, shortLine, type WorkTarget } from './target.ts';
import { idOf, isWorkKind, workTargetOf } from './work.ts';

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
  /** Of a group: the Sets that it lists. */
  readonly members: readonly OwnSet[];
  /** Everything that it lists could be read: only then can be told what it lacks. */
  readonly isComplete: boolean;
}

/** A Set or group of the account's own, from the record that its read shows. */
export function ownSetOf(type: OwnType, id: number, record: OwnedSet | OwnedGroup): OwnSet {
  const json: JsonRecord = record;
  const kind = wordOf(json.kind) ?? wordOf(json.setKind);
  const target: JsonRecord = isRecord(json.target) ? json.target : {};
  const of = wordOf(target.kind);
  const elements = [
    ...(Array.isArray(json.assets) ? json.assets : []),
    ...(isRecord(json.poster) ? [{ slot: 'poster', ...json.poster }] : []),
  ];
  const pictures = elements.flatMap(pictureOf);
  const listsAssets = pictures.length > 0 || Array.isArray(json.assets);
  return {
    type,
    id,
    kind,
    admission: (kind === null ? null : admissionOf(kind)) ?? admissionOf(wordOf(json.setKind) ?? ''),
    title: lineOf(json.title) || lineOf(json.titleBase),
    createdBy: lineOf(json.createdBy) || null,
    revision: revisionOf(json),
    language: textOf(json.languageCode, 35) ?? textOf(json.language, 35),
    publicationStatus: wordOf(json.publicationStatus),
    work: of !== null && isWorkKind(of) ? workTargetOf(of, target) : null,
    pictures: listsAssets ? pictures : listedAsPublic(type, kind, id, record),
    members: membersOf(json),
    isComplete: Array.isArray(json.assets) && elements.length === pictures.filter(isPlaced).length,
  };
}

/** A Set as a destination of uploads names it, whose fields the interface document does not show; null without a usable id. */
export function setOfDestination(record: JsonRecord): { readonly id: number; readonly title: string } | null {
  const id = Number(idAt(record, 'id', 'setId') ?? idAt(recordAt(record, 'set'), 'id') ?? Number.NaN);
  return idOf(id) === null ? null : { id, title: shortLine(record.title) };
}

function membersOf(record: JsonRecord): OwnSet[] {
  return listAt(record, 'sets').flatMap((member) => {
    const id = idOf(member.id);
    return id === null ? [] : [ownSetOf('set', id, { ...member, id })];
  });
}

/** Whether a picture tells what it is of, by a kind of the interface document. */
function isPlaced({ target }: OwnPicture): boolean {
  return target !== null && isKind(target.kind);
}

function pictureOf(element: unknown): OwnPicture[] {
  if (!isRecord(element)) return [];
  const slot = wordOf(element.slot);
  if (slot === null) return [];
  const of: JsonRecord = isRecord(element.target)
    ? element.target
    : { kind: element.targetKind, id: element.targetId };
  const [kind, id] = [wordOf(of.kind), idOf(of.id)];
  const { createdBy: _, setId: __, ...facts } = listedAssetOf(element);
  const isPending = element.publicationStatus === 'pending';
  return [{ ...facts, slot, target: kind === null || id === null ? null : { kind, id }, isPending }];
}

/** A record that names its pictures as public Sets do, whatever it calls its kind. */
function listedAsPublic(type: OwnType, kind: string | null, id: number, record: OwnedSet | OwnedGroup) {
  const json: JsonRecord = record;
  const isLike = (one: SetKind) => {
    const { of, lists } = setKinds[one];
    return of === null ? lists.some(([member]) => Array.isArray(json[member])) : isRecord(json[of]);
  };
  const shown =
    kind !== null && isSetKind(kind) ? kind : type === 'group' ? 'boxset' : allSetKinds.find(isLike);
  if (shown === undefined) return [];
  return setIn(shown, id, record).places.flatMap(({ target, slot, path }: SetPlace): OwnPicture[] => {
    if (path === null) return [];
    const { createdBy: _, setId: __, ...facts } = listedAssetOf(path);
    return [{ ...facts, slot, target: { kind: target.kind, id: target.id }, isPending: false }];
  });
}

/** Kinds, slots and states are words; other text of the service never gets into a label or a sentence of ours. */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : null;
}

function textOf(value: unknown, longest: number): string | null {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : null;
}
