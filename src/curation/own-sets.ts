import type { Catalogue } from '../catalogue/client.ts';
import type { Owned } from '../catalogue/owned.ts';
import { isRecord, type JsonRecord } from '../catalogue/records/members.ts';
import type { OwnedSet } from '../catalogue/records/owned.ts';
import { type Deadline, noLaterThan } from '../deadline.ts';
import { unlessRefused } from '../errors.ts';
import { allSetKinds, isKind, isSetKind, type SetKind, setKinds } from '../model/kinds.ts';
import { codesIn, seasonsIn } from '../model/names/numbers.ts';
import { plain } from '../model/names/words.ts';
import { type OwnPicture, type OwnSet, type OwnType, ownPictureOf, ownSetOf } from '../model/own-set.ts';
import { setOf } from '../model/set.ts';
import { allSlots, isSlot, slotWords } from '../model/slots.ts';
import { codeOf, keyOfTarget, numberCode, shortLabelOf, type Target } from '../model/target.ts';
import { readWork } from './read-work.ts';

type OwnReads = Pick<Owned, 'readSet' | 'readGroup'>;

/**
 * Reads a Set or group of the connected account's own (interface document, Protected reads).
 * @throws ArtworkError as `readSet` and `readGroup`
 */
export async function readOwnSet(
  owned: OwnReads,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnSet> {
  const record = type === 'set' ? await owned.readSet(id, deadline) : await owned.readGroup(id, deadline);
  return ownSetOf(type, id, record);
}

/**
 * A Set or group of the connected account's own; null where it can't be read, whatever the reason.
 * @throws ArtworkError `cancelled` alone
 */
export function findOwnSet(
  account: () => Promise<{ readonly owned: OwnReads }>,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnSet | null> {
  return unlessRefused(async () => readOwnSet((await account()).owned, type, id, deadline));
}

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
  const listed = json.assets.map((element: unknown) => {
    const picture = ownPictureOf(element);
    const target = picture?.target == null ? undefined : targets.get(keyOfTarget(picture.target));
    return { element, picture, target };
  });
  const assets = listed
    .filter(({ picture, target }) => isWanted(picture, target, wanted))
    .sort((one, other) => rankOf(one.target) - rankOf(other.target) || slotRank(one) - slotRank(other))
    .map(({ element, picture, target }) => {
      if (!isRecord(element) || picture === null) return element;
      // A label is ours alone.
      const { label: _, ...facts } = element;
      return { label: labelOfAsset(picture, target), ...facts };
    });
  return { record: { ...json, assets }, total: listed.length };
}

/** The code of a season or an episode in any spelling: `s2e5`, `2x05`, `S02`. Null for a number alone, and for several. */
export function targetCode(text: string): string | null {
  if (text.length > longestCode || !/\p{L}/u.test(text)) return null;
  const given = plain(text);
  const codes = codesIn(given);
  const [code] = codes;
  if (code === undefined) {
    const [named, ...others] = seasonsIn(given);
    const season = others.length === 0 ? (named?.season ?? null) : null;
    return season === null ? null : numberCode('S', season);
  }
  const [episode, ...more] = code.episodes;
  if (codes.length > 1 || more.length > 0 || episode === undefined || code.season === null) return null;
  return numberCode('S', code.season) + numberCode('E', episode);
}

const longestCode = 40;

function isWanted(picture: OwnPicture | null, known: Target | undefined, wanted: WantedAssets): boolean {
  const { slot, targetKind, targetId } = wanted;
  if (slot === undefined && targetKind === undefined && targetId === undefined) return true;
  if (picture === null) return false;
  const { target } = picture;
  const isOfId = target?.id === targetId || (known !== undefined && codeOf(known) === targetId);
  return (
    (targetId === undefined || isOfId) &&
    (slot === undefined || picture.slot === slot) &&
    (targetKind === undefined || target?.kind === targetKind)
  );
}

function labelOfAsset({ target, slot }: OwnPicture, known: Target | undefined): string {
  const of = known !== undefined ? shortLabelOf(known) : target === null ? '' : keyOfTarget(target);
  return of === '' ? slotWords(slot) : `${of} · ${slotWords(slot)}`;
}

/** The work comes first, then each season before its episodes; what has no number that is known comes last. */
function rankOf(target: Target | undefined): number {
  if (target === undefined) return Number.MAX_VALUE;
  if (!('season' in target)) return -1;
  const season = target.season ?? farOff;
  return season * farOff + (target.kind === 'season' ? 0 : 1 + (target.episode ?? farOff - 2));
}

/** More than any season or episode has for its number. */
const farOff = 1_000_000;

function slotRank({ picture }: { readonly picture: OwnPicture | null }): number {
  return picture !== null && isSlot(picture.slot) ? allSlots.indexOf(picture.slot) : allSlots.length;
}

/** What a Set's Assets are of, by key, as far as reads show it. */
async function targetsOfOwn(
  own: OwnSet,
  catalogue: Reads,
  deadline: Deadline,
): Promise<ReadonlyMap<string, Target>> {
  const wanted = new Set(own.pictures.flatMap(({ target }) => (target === null ? [] : keyOfTarget(target))));
  const known = new Map<string, Target>();
  const learn = (targets: readonly (Target | null)[]) => {
    for (const target of targets) {
      if (target !== null && wanted.has(keyOfTarget(target))) known.set(keyOfTarget(target), target);
    }
  };
  const kind = publicKindOf(own);
  if (kind !== null) {
    const record = await unlessRefused(() => catalogue.readSet(kind, own.id, deadline));
    const set = record === null ? null : setOf(kind, own.id, record);
    learn([set?.work ?? null, ...(set?.places.map(({ target }) => target) ?? [])]);
  }
  const { work } = own;
  // Public reads show a Set without what is not published yet.
  if (known.size < wanted.size && work !== null && isKind(work.kind)) {
    const named = { kind: work.kind, id: work.id };
    learn((await unlessRefused(() => readWork(catalogue, named, deadline)))?.targets ?? []);
  }
  return known;
}

function publicKindOf({ kind, work, admission }: OwnSet): SetKind | null {
  if (kind !== null && isSetKind(kind)) return kind;
  if (admission === 'brand_set') return admission;
  return allSetKinds.find((one) => work !== null && setKinds[one].of === work.kind) ?? null;
}
