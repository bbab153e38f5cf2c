import type { Catalogue } from '../catalogue/client.ts';
import { isRecord, type JsonRecord } from '../catalogue/records/members.ts';
import type { OwnedSet } from '../catalogue/records/owned.ts';
import { type Deadline, noLaterThan } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { numberedByText } from '../model/address.ts';
import { allSetKinds, isSetKind, type SetKind, setKinds } from '../model/kinds.ts';
import { type OwnPicture, type OwnSet, ownSetOf } from '../model/own-set.ts';
import { setOf } from '../model/set.ts';
import { allSlots, isSlot, slotWords } from '../model/slots.ts';
import { codeOf, keyOfTarget, numberCode, shortLabelOf, type Target } from '../model/target.ts';
import { readWork } from './read-work.ts';

/** Which of a Set's Assets are wanted: all that meet what is given. */
export interface WantedAssets {
  readonly slot?: string | undefined;
  readonly targetKind?: string | undefined;
  /** An id, or the code of a season or an episode (`targetCode`). */
  readonly targetId?: number | string | undefined;
}

type Reads = Pick<Catalogue, 'readEntity' | 'readSet'>;

/** Milliseconds that names may take: without them an Asset is labelled by the number of what it is of. */
const patienceMs = 10_000;

/**
 * The record of an own Set with its Assets by season and episode, each with its label (`S02E05 title card`). The
 * interface document does not show that an owned Set lists its Assets: a record that does not stays as it is.
 * @returns the record, and how many Assets it lists in all; null where it lists none
 */
export async function withAssetsInOrder(
  id: number,
  record: OwnedSet,
  wanted: WantedAssets,
  catalogue: Reads,
  deadline: Deadline,
): Promise<{ readonly record: JsonRecord; readonly total: number | null }> {
  const json: JsonRecord = record;
  if (!Array.isArray(json.assets)) return { record, total: null };
  const own = ownSetOf('set', id, record);
  const targets = await targetsOfOwn(own, catalogue, noLaterThan(deadline, patienceMs));
  const ranks = new Map(targets.map((target, rank) => [keyOfTarget(target), { target, rank }]));
  const listed = json.assets.map((element: unknown) => {
    const [picture] = ownSetOf('set', id, { ...record, assets: [element] }).pictures;
    const known = picture?.target == null ? undefined : ranks.get(keyOfTarget(picture.target));
    return { element, picture, target: known?.target, rank: known?.rank ?? targets.length };
  });
  const slotRank = ({ picture }: (typeof listed)[number]) =>
    picture !== undefined && isSlot(picture.slot) ? allSlots.indexOf(picture.slot) : allSlots.length;
  const assets = listed
    .filter(({ picture, target }) => isWanted(picture, target, wanted))
    .sort((one, other) => one.rank - other.rank || slotRank(one) - slotRank(other))
    .map(({ element, picture, target }) =>
      isRecord(element) && picture !== undefined
        ? { label: labelOfAsset(picture, target), ...withoutLabel(element) }
        : element,
    );
  return { record: { ...json, assets }, total: listed.length };
}

/** A label is ours alone. */
function withoutLabel({ label: _, ...element }: JsonRecord): JsonRecord {
  return element;
}

function labelOfAsset({ target, slot }: OwnPicture, known: Target | undefined): string {
  const of = known === undefined ? (target === null ? '' : keyOfTarget(target)) : shortLabelOf(known);
  return `${of} ${slotWords(slot)}`.trim();
}

function isWanted(
  picture: OwnPicture | undefined,
  known: Target | undefined,
  { slot, targetKind, targetId }: WantedAssets,
): boolean {
  if (slot === undefined && targetKind === undefined && targetId === undefined) return true;
  if (picture === undefined) return false;
  const isTarget =
    targetId === undefined ||
    picture.target?.id === targetId ||
    (known !== undefined && codeOf(known) === targetId);
  return (
    isTarget &&
    (slot === undefined || picture.slot === slot) &&
    (targetKind === undefined || picture.target?.kind === targetKind)
  );
}

/** The code of a season or an episode in any spelling: `s2e5` is S02E05. Null for anything else. */
export function targetCode(text: string): string | null {
  const named = numberedByText(text);
  if (named === null) return null;
  const season = numberCode('S', named.season);
  return named.episode === null ? season : season + numberCode('E', named.episode);
}

/** The targets of a Set's Assets in order: the work, then each season before its episodes, then the rest as listed. */
async function targetsOfOwn(own: OwnSet, catalogue: Reads, deadline: Deadline): Promise<readonly Target[]> {
  const wanted = new Set(
    own.pictures.flatMap(({ target }) => (target === null ? [] : [keyOfTarget(target)])),
  );
  const known = new Map<string, Target>();
  const learn = (targets: readonly Target[]) => {
    for (const target of targets) if (wanted.has(keyOfTarget(target))) known.set(keyOfTarget(target), target);
  };
  const kind = publicKindOf(own);
  if (kind !== null) {
    const set = await unlessRefused(async () =>
      setOf(kind, own.id, await catalogue.readSet(kind, own.id, deadline)),
    );
    learn(
      set === null
        ? []
        : [...(set.work === null ? [] : [set.work]), ...set.places.map(({ target }) => target)],
    );
  }
  const { work } = own;
  // Public reads show a Set without what is not published yet.
  if (known.size < wanted.size && work !== null && work.kind !== 'boxset' && work.kind !== 'loadout') {
    const named = { kind: work.kind, id: work.id };
    learn((await unlessRefused(() => readWork(catalogue, named, deadline)))?.targets ?? []);
  }
  return [...known.values()].sort((one, other) => {
    const [first, second] = [orderOf(one), orderOf(other)];
    return first[0] - second[0] || first[1] - second[1];
  });
}

function publicKindOf({ kind, work, admission }: OwnSet): SetKind | null {
  if (kind !== null && isSetKind(kind)) return kind;
  if (admission === 'brand_set') return admission;
  return allSetKinds.find((one) => work !== null && setKinds[one].of === work.kind) ?? null;
}

function orderOf(target: Target): readonly [number, number] {
  switch (target.kind) {
    case 'season':
      return [target.season ?? last, -1];
    case 'episode':
      return [target.season ?? last, target.episode ?? last];
    default:
      return [-1, 0];
  }
}

const last = 1_000_000;

async function unlessRefused<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}
