import type { Entity } from '../../catalogue/records/kinds.ts';
import type { ArtworkError } from '../../errors.ts';
import { isFileUri } from '../../files/roots.ts';
import { paths } from '../../machine.ts';
import { assetIdIn, assetsInSlot, imagesOf, type ownAssetOf } from '../../model/asset.ts';
import { type Holding, holdingsOf, inState } from '../../model/holdings.ts';
import { isGroupKind, type Kind, kindWords, slotsOf } from '../../model/kinds.ts';
import type { OwnPicture, OwnSet } from '../../model/own-set.ts';
import type { ArtworkSet, SetPlace } from '../../model/set.ts';
import { allSlots, isSlot, listOfSlot, slotNamed, slotWords } from '../../model/slots.ts';
import {
  codeOf,
  isSameTarget,
  joinRuns,
  seasonWords,
  shortLine,
  type Target,
  type TargetReference,
} from '../../model/target.ts';
import { targetOf } from '../../model/work.ts';
import { cleanText } from '../../text.ts';
import { findFile, type Plan, pathOf } from '../plan/plan.ts';

// What is drawn on a contact sheet is read by a model as the picture's own: names and numbers alone, no other text of
// the catalogue.

interface Labelled {
  /** As a person says it: `Season 2 · poster 1 · saltprint`. */
  readonly label: string;
  /** The same with the title of its Set, which data may tell. A title is other people's writing, so it is not drawn. */
  readonly titled?: string | undefined;
}

/** Something that can be fetched and shown. */
export interface Picture extends Labelled {
  /** A root-relative path or an absolute URL, as the catalogue gave it; a file, as the caller named it. */
  readonly ref: string;
  /** Of a file on this machine: its path or URI. */
  readonly file?: string;
  /** Its language. */
  readonly note?: string | undefined;
  /** A word for it; tells its proportions until it has been read. */
  readonly slot?: string | undefined;
  /** Where the record or the path tells it. */
  readonly assetId?: string | undefined;
  /** Of an animation that is one's own: the frame that stands for it. */
  readonly frame?: number | undefined;
  /** It was saved, and public reads do not show it yet. */
  readonly isPending?: boolean;
  /** The account's own, so that its Asset's id is enough to see it again. */
  readonly isOwn?: true;
  /** Where it stands for an entity that has more of its slot: which list they are in, and how many of it this is. */
  readonly others?:
    | {
        readonly kind: Kind;
        readonly id: number;
        readonly slot: string;
        readonly total: number;
        readonly returned: number;
      }
    | undefined;
  /** The entity whose `metadataImages` hold the URL. */
  readonly seenIn?: { readonly kind: Kind; readonly id: number } | undefined;
}

/** A picture that there is, and that can't be shown. */
export interface Withheld extends Labelled {
  readonly error: ArtworkError;
}

/** Places of a Set that lack their picture: one, or several that follow one another. */
export interface Lacking extends Labelled {
  readonly slot: string;
  readonly missing: number;
}

/** What something that can be looked at turns out to have. */
export type Found = Picture | Withheld | Lacking;

function labelOf(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

/** Whose a picture is as a label says it; empty for what a work has by itself. */
function holderWords(target: Target): string {
  if (target.kind === 'season' && target.season !== null) return seasonWords(target.season);
  return codeOf(target) || idWords(target);
}

/** What has no number that is known. An id must not look like one. */
function idWords({ kind, id }: TargetReference): string {
  return kind === 'season' || kind === 'episode' ? `${kind} of id ${id}` : `${kindWords(kind)} ${id}`;
}

/** A creator's name, where it is one word and no sentence: other people's writing that gets drawn. */
function nameOf(createdBy: string | null): string | null {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,23}$/u.test(createdBy ?? '') ? createdBy : null;
}

function noteOf(language: string | null | undefined): string | undefined {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/i.test(language ?? '') ? (language ?? '') : undefined;
}

/** Whose pictures are, as their labels say it beside pictures of other things; empty: it needs no words, or has none. */
export interface Whose {
  readonly words: string;
  readonly title: string;
}

export function whoseOfSet({ kind, id, title }: TargetReference & { readonly title: string }): Whose {
  return { words: `${kindWords(kind)} ${id}`, title: shortLine(title) };
}

export function whoseOfEntity({ kind, id, record }: NamedEntity): Whose {
  // The pictures of seasons and episodes say themselves whose they are.
  const target = isPart(kind) ? null : targetOf(kind, { ...record, id });
  return { words: target === null ? '' : holderWords(target), title: '' };
}

function isPart(kind: string | undefined): boolean {
  return kind === 'season' || kind === 'episode';
}

/** What it is called beside pictures of other things. */
export function amongOthers({ label }: Labelled, { words, title }: Whose): Labelled {
  return { label: labelOf(words, label), titled: title === '' ? undefined : labelOf(title, label) };
}

/**
 * The pictures of a Set, and the places that lack theirs among those that it was meant to have.
 * @param slot a word for the only one; null: all
 * @returns none where it has no picture there
 */
export function picturesOfSet(set: ArtworkSet, slot: string | null): (Picture | Lacking)[] {
  const listed = new Set(set.places.map((place) => place.slot));
  const listedSlots = allSlots.filter((one) => listed.has(one));
  const wanted = slot === null ? null : slotNamed(slot, listedSlots);
  const places = set.places.filter((place) => slot === null || place.slot === wanted);
  const holdings = holdingsOf(places, { has: ({ path }) => path !== null });
  if (inState(holdings, 'has').length === 0) return [];
  return joinGaps(inState(holdings, 'has', 'lacks')).map(([first, ...others]): Picture | Lacking => {
    const { target, slot: own, path } = first;
    const isItself = isSameTarget(target, set.work ?? set) || isSameTarget(target, set);
    const codes = [first, ...others].map((one) => codeOf(one.target));
    const holder = others.length > 0 ? joinRuns(codes).join() : isItself ? '' : holderWords(target);
    const place = labelOf(holder, slotWords(own));
    if (path === null) return { label: place, slot: own, missing: codes.length };
    return {
      ref: path,
      label: labelOf(place, nameOf(set.createdBy)),
      note: noteOf(set.language),
      slot: own,
      assetId: assetIdIn(path) ?? undefined,
    };
  });
}

type Held = SetPlace & Holding;

/** Episodes that lack their picture one after the other are one place: S01E04–E07. */
function joinGaps(places: readonly Held[]): [Held, ...Held[]][] {
  const joined: [Held, ...Held[]][] = [];
  const isGap = ({ target, path }: Held) => target.kind === 'episode' && path === null;
  for (const place of places) {
    const run = joined.at(-1);
    const before = run?.at(-1);
    const pair = before === undefined ? [] : [before, place];
    const follows =
      before?.slot === place.slot &&
      pair.every(isGap) &&
      joinRuns(pair.map(({ target }) => codeOf(target))).length === 1;
    if (follows) run?.push(place);
    else joined.push([place]);
  }
  return joined;
}

/**
 * What a Set or group of one's own holds, whether public reads show it or not; of a slot alone where a word for it is given.
 */
export function picturesOfOwnSet(
  own: OwnSet,
  slot: string | null,
  nameOfTarget: NameOfTarget,
): (OwnPicture & Labelled & { readonly note: string | undefined })[] {
  const listed = own.pictures.flatMap((picture) => (isSlot(picture.slot) ? [picture.slot] : []));
  const wanted = slot === null ? null : (slotNamed(slot, listed) ?? slot);
  const times = new Map<string, number>();
  return own.pictures
    .filter((picture) => wanted === null || picture.slot === wanted)
    .map((picture) => {
      const { target } = picture;
      const isItself =
        target === null || (own.work !== null && isSameTarget(target, own.work)) || isGroupKind(target.kind);
      const holder = isItself ? '' : ownHolderWords(target, nameOfTarget);
      const name = labelOf(holder, slotWords(picture.slot));
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      const named = time === 1 ? name : `${name} ${time}`;
      const label = labelOf(named, nameOf(own.createdBy));
      return { ...picture, label, note: noteOf(picture.language ?? own.language) };
    });
}

/** Whose a picture is, by what reads have shown of its target: records of one's own tell its kind and id alone. */
function ownHolderWords(target: TargetReference, nameOfTarget: NameOfTarget): string {
  const name = nameOfTarget(target.kind, target.id) ?? '';
  const [, season, episode] = /^S(\d+)(E\d+)?(?: ·|$)/.exec(name) ?? [];
  if (season === undefined) return idWords(target);
  return episode === undefined ? seasonWords(Number(season)) : `S${season}${episode}`;
}

/** A label that a read has shown, by kind and id: it begins with the number of a season or episode. */
type NameOfTarget = (kind: string, id: number | string) => string | null;

/** An Asset of one's own, of whose Set or list nothing is known. */
export function labelOfOwnAsset(
  { id, target, slot }: NonNullable<ReturnType<typeof ownAssetOf>>,
  among: boolean,
  nameOfTarget: NameOfTarget,
): string {
  if (slot === null) return labelOfAsset(id);
  if (target === null || !(isPart(target.kind) || among)) return slotWords(slot);
  const holder = codeOf(target) === '' ? ownHolderWords(target, nameOfTarget) : holderWords(target);
  return labelOf(holder, slotWords(slot));
}

/** What a picture is called. */
export interface PictureLabel {
  /** Where it stands by itself. */
  readonly alone: string;
  /** Beside pictures of other things. */
  readonly among: Labelled;
}

/** What pictures are called, by their paths: a later call may name one by its path alone. */
export function labelsOf(found: readonly Found[], whose: Whose): ReadonlyMap<string, PictureLabel> {
  const pictures = found.flatMap((one) => ('ref' in one ? [one] : []));
  return new Map(pictures.map((one) => [one.ref, { alone: one.label, among: amongOthers(one, whose) }]));
}

/** All pictures in the lists of an entity. */
export function listedPicturesOf(entity: NamedEntity): Picture[] {
  return slotsOf(entity.kind).flatMap((slot) => picturesOfEntity(entity, listOfSlot(slot)));
}

interface NamedEntity {
  readonly kind: Kind;
  readonly id: number;
  readonly record: Entity;
}

/**
 * The pictures of an entity: one for a slot, what stands for it where none is named, and all of a slot for a word that
 * names several (`posters`).
 * @returns none where it has no such picture
 */
export function picturesOfEntity({ kind, id, record }: NamedEntity, word: string | null): Picture[] {
  const images = imagesOf(record);
  // A game's poster and a person's profile are images without a slot of that name.
  const isImage = word !== null && images.has(word);
  const target = isPart(kind) ? targetOf(kind, { ...record, id }) : null;
  const holder = target === null ? '' : holderWords(target);
  const listed = (slot: string) =>
    (isSlot(slot) ? assetsInSlot(record, slot) : []).flatMap(({ path, createdBy, language, assetId }, at) =>
      path === null
        ? []
        : [
            {
              path,
              slot,
              at,
              name: nameOf(createdBy),
              note: noteOf(language),
              assetId: assetId ?? undefined,
            },
          ],
    );
  const slot = word === null ? null : slotNamed(word, slotsOf(kind));
  if (word !== null && !isImage && slot !== null && word.toLowerCase().endsWith('s')) {
    const all = listed(slot).map(({ path, at, name, ...one }) => {
      return { ...one, ref: path, label: labelOf(holder, `${slotWords(slot)} ${at + 1}`, name) };
    });
    if (all.length > 0) return all;
  }
  const own = allSlots.filter((one) => slotsOf(kind).includes(one));
  const names = word === null ? ['poster', ...own, ...images.keys()] : isImage ? [word] : [slot ?? word];
  for (const name of names) {
    const [first, ...more] = listed(name);
    const total = first === undefined ? 0 : 1 + more.length;
    const others = (returned: number) =>
      isSlot(name) && total > returned ? { kind, id, slot: listOfSlot(name), total, returned } : undefined;
    const image = images.get(name);
    const label = labelOf(holder, slotWords(name));
    if (image !== undefined) {
      return [{ ref: image, label, slot: name, seenIn: { kind, id }, others: others(0) }];
    }
    if (first !== undefined) {
      const { path, at: _, name: creator, ...one } = first;
      return [{ ...one, ref: path, label: labelOf(label, creator), others: others(1) }];
    }
  }
  return [];
}

/**
 * A picture by its path alone.
 * @param known its label, where an answer has shown whose it is
 */
export function pictureOfPath(path: string, slot: string | undefined, known: Labelled | undefined): Picture {
  const assetId = assetIdIn(path) ?? undefined;
  const unknown =
    slot === undefined ? (assetId === undefined ? 'asset' : labelOfAsset(assetId)) : slotWords(slot);
  return { ref: path, ...(known ?? { label: unknown }), slot, assetId };
}

/** An Asset of which no more is known than its id. */
export function labelOfAsset(assetId: string): string {
  return `asset ${assetId.slice(0, 8)}`;
}

/**
 * A file on this machine, as an item names it, called by its name alone, and by the place that a plan has for it.
 * @param plan whose files may be named as it shows them
 * @throws ArtworkError `invalid_arguments` where the plan has none of that name, or several
 */
export function pictureOfFile(given: string, slot: string | undefined, plan: Plan | null): Picture {
  const isOfPlan = plan !== null && !isFileUri(given) && !paths.syntax.isAbsolute(given);
  const name = slot ?? fileName(given);
  if (!isOfPlan) return { ref: given, file: given, label: name, slot };
  const file = findFile(plan, given, ['items']);
  const entry = plan.entries.find((one) => one.status === 'matched' && pathOf(plan, one) === file);
  if (entry?.status !== 'matched') return { ref: given, file, label: name, slot };
  const { code, slot: planned } = entry.place;
  return { ref: given, file, label: labelOf(name, code, slotWords(planned)), slot: planned };
}

/** The last name of a path of any system. */
export function fileName(path: string): string {
  return cleanText(/[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path);
}
