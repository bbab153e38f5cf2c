import type { Entity } from '../../catalogue/records/kinds.ts';
import { assetsInSlot, imagesOf } from '../../model/asset.ts';
import { type Holding, holdingsOf, inState } from '../../model/holdings.ts';
import { type Kind, slotsOf } from '../../model/kinds.ts';
import { drawnLabelOfOwn, type OwnPicture, type OwnSet } from '../../model/own-set.ts';
import type { ArtworkSet, SetPlace } from '../../model/set.ts';
import { allSlots, isSlot, listOfSlot, namesSeveral, type Slot, slotMeant } from '../../model/slots.ts';
import { codeOf, drawnLabelOf, isSameTarget, joinRuns, type Target } from '../../model/target.ts';
import { creditOf, type Lacking, type Picture } from './picture.ts';

/**
 * The pictures of a Set, and the places that lack theirs among those that it was meant to have.
 * @param slot a word for the only one; null: all
 * @param among whether other things stand beside it, so that labels must tell whose picture it is
 * @returns none where it has no picture there
 */
export function picturesOfSet(set: ArtworkSet, slot: string | null, among: boolean): (Picture | Lacking)[] {
  const listed = new Set(set.places.map((place) => place.slot));
  const wanted =
    slot === null
      ? null
      : slotMeant(
          slot,
          allSlots.filter((one) => listed.has(one)),
        );
  const places = set.places.filter((place) => slot === null || place.slot === wanted);
  const holdings = holdingsOf(places, { has: ({ path }) => path !== null });
  if (inState(holdings, 'has').length === 0) return [];
  const whose = among ? `${set.kind} ${set.id}` : '';
  const credit = creditOf(set.createdBy, set.language);
  return joinGaps(inState(holdings, 'has', 'lacks')).map(([first, ...others]): Picture | Lacking => {
    const holder =
      others.length === 0
        ? holderOf(set, first.target)
        : joinRuns([first, ...others].map(({ target }) => codeOf(target))).join();
    const label = labelled(whose, holder, first.slot);
    if (first.path !== null) return { ref: first.path, label, credit };
    return { label, slot: first.slot, missing: 1 + others.length };
  });
}

/** What it is of, as it may be drawn; what the Set is for is told by its kind alone, and the group itself by nothing. */
function holderOf({ kind, id, work }: ArtworkSet, target: Target): string {
  if (isSameTarget(target, { kind, id })) return '';
  return work !== null && isSameTarget(target, work) ? target.kind : drawnLabelOf(target);
}

type Held = SetPlace & Holding;

/** Episodes that lack their picture one after the other are one place: S01E04–E07. */
function joinGaps(places: readonly Held[]): [Held, ...Held[]][] {
  const joined: [Held, ...Held[]][] = [];
  for (const place of places) {
    const last = joined.at(-1);
    const isGap = ({ target, path }: Held) => target.kind === 'episode' && path === null;
    const follows =
      last !== undefined &&
      last[0].slot === place.slot &&
      [...last, place].every(isGap) &&
      joinRuns([...last, place].map(({ target }) => codeOf(target))).length === 1;
    if (follows) last.push(place);
    else joined.push([place]);
  }
  return joined;
}

function labelled(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/** A picture of one's own, and what it is called. */
export interface LabelledOwn extends OwnPicture {
  readonly label: string;
}

/** What a Set or group of one's own holds, whether public reads show it or not; of a slot alone where a word for it is given. */
export function picturesOfOwnSet(own: OwnSet, slot: string | null, among: boolean): LabelledOwn[] {
  const listed = own.pictures.flatMap((picture) => (isSlot(picture.slot) ? [picture.slot] : []));
  const wanted = slot === null ? null : (slotMeant(slot, listed) ?? slot);
  const whose = among ? `${own.kind ?? own.type} ${own.id}` : '';
  const times = new Map<string, number>();
  return own.pictures
    .filter((picture) => wanted === null || picture.slot === wanted)
    .map((picture) => {
      const name = labelled(whose, drawnLabelOfOwn(picture), picture.slot);
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return { ...picture, label: time === 1 ? name : `${name} (${time})` };
    });
}

/**
 * The pictures of an entity: one for a slot, what stands for it where none is named, and all of a slot for a word that
 * names several (`posters`).
 * @returns none where it has no such picture
 */
export function picturesOfEntity(kind: Kind, id: number, record: Entity, word: string | null): Picture[] {
  const images = imagesOf(record);
  // A game's poster and a person's profile are images without a slot of that name.
  const isImage = word !== null && images.has(word);
  const slot = word === null ? null : slotMeant(word, slotsOf(kind));
  if (word !== null && !isImage && slot !== null && namesSeveral(word, slot)) {
    const all = allOf(record, slot);
    if (all.length > 0)
      return all.map((one, index) => ({ ...one, label: `${kind} ${id} ${listOfSlot(slot)} ${index + 1}` }));
  }
  const own = allSlots.filter((one) => slotsOf(kind).includes(one));
  const names = word === null ? ['poster', ...own, ...images.keys()] : isImage ? [word] : [slot ?? word];
  for (const name of names) {
    const label = `${kind} ${id} ${name}`;
    const listed = isSlot(name) ? allOf(record, name) : [];
    const others = (returned: number) =>
      isSlot(name) && listed.length > returned
        ? { kind, id, slot: listOfSlot(name), total: listed.length, returned }
        : undefined;
    const image = images.get(name);
    if (image !== undefined) return [{ ref: image, label, seenIn: { kind, id }, others: others(0) }];
    const [first] = listed;
    if (first !== undefined) return [{ ...first, label, others: others(1) }];
  }
  return [];
}

function allOf(record: Entity, slot: Slot): Omit<Picture, 'label'>[] {
  return assetsInSlot(record, slot).flatMap(({ path, createdBy, language }) =>
    path === null ? [] : [{ ref: path, credit: creditOf(createdBy, language) }],
  );
}
