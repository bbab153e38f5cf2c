import { slotsOf } from '../../model/kinds.ts';
import type { Said } from '../../model/names/name.ts';
import { phrasesOutside } from '../../model/names/name.ts';
import type { WordRange } from '../../model/names/titles.ts';
import { type ArtworkPhrase, slotsMeantBy } from '../../model/slots.ts';
import { keyOfPlace, type Place, type Target, type TargetKind } from '../../model/target.ts';
import type { Why } from './reasons.ts';

/** What a name comes to: one place and sure of it, some to ask about with the likeliest first, or none. */
export interface Verdict {
  readonly places: readonly Place[];
  /** Why it is not sure; null: it is, and has exactly one place. */
  readonly why: Why | null;
  /** The words or the number that decide, folded: other people's writing. */
  readonly about?: string;
  /** The name says what the picture is of, and not what it is: its slot is the usual one. */
  readonly usual?: boolean;
}

/** The verdict on a file that nothing was found for. */
export function nothing(why: Why, about?: string): Verdict {
  return { places: [], why, ...(about === undefined ? {} : { about }) };
}

/** A verdict that is asked about, unless it is already. */
export function asked(verdict: Verdict, why: Why | null | false, about?: string): Verdict {
  if (verdict.why !== null || why === null || why === false) return verdict;
  return { ...verdict, why, ...(about === undefined ? {} : { about }) };
}

/** Each place once, in the order in which they came. */
export function distinctPlaces(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [keyOfPlace(place), place])).values()];
}

/** The artwork that the folders around a file are named after. */
export interface FolderSlots {
  /** The nearest one within the chosen folder that says some. */
  readonly within: ArtworkPhrase | null;
  /** The folder that was chosen. A person calls it anything, "Art" too, so that it counts only where it fits surely. */
  readonly chosen: ArtworkPhrase | null;
}

/** The slots that a name and, where it says none, its folders mean for something of this kind. */
function slotsSaid(kind: TargetKind, own: readonly ArtworkPhrase[], { within, chosen }: FolderSlots) {
  const slots = slotsOf(kind) ?? [];
  const said = own.length === 0 && within !== null ? [within] : own;
  if (said.length === 0) {
    const ofChosen = chosen === null ? null : slotsMeantBy(chosen, slots);
    // A poster, an episode's title card. Of a game there are too many pictures for that.
    const unsaid = { slots: slots.slice(0, 1), sure: kind !== 'game', usual: true };
    return ofChosen?.sure === true ? { ...ofChosen, usual: false } : unsaid;
  }
  const meant = said.map((phrase) => slotsMeantBy(phrase, slots));
  if (meant.some((each) => each.slots.length === 0)) return { slots: [], sure: false, usual: false };
  const all = [...new Set(meant.flatMap((each) => each.slots))];
  return { slots: all, sure: all.length === 1 && meant.every(({ sure }) => sure), usual: false };
}

/** What is found of a name, and where in it the title stands that names it. */
export interface Meant {
  readonly target: Target;
  readonly title?: WordRange;
}

/**
 * The pictures of what a name means: sure where that is one, of one slot.
 * @param said the words that may name the artwork; the titles stand among those of the first
 */
export function picturesOf(meant: readonly Meant[], said: readonly Said[], folders: FolderSlots): Verdict {
  if (meant.length === 0) return nothing('says_nothing');
  const found = meant.map(({ target, title }) => {
    const phrases = said.flatMap((one, at) => phrasesOutside(one, (at === 0 && title) || null));
    return { target, ...slotsSaid(target.kind, phrases, folders) };
  });
  const places = distinctPlaces(
    found.flatMap(({ target, slots }) => slots.map((slot) => ({ target, slot }))),
  );
  if (places.length === 0) return nothing('no_slot');
  const isSeveral = new Set(places.map(({ target }) => `${target.kind} ${target.id}`)).size > 1;
  const isSure = found.every(({ sure }) => sure);
  const why = isSeveral ? 'several_meant' : places.length > 1 || !isSure ? 'slot_unclear' : null;
  return { places, why, usual: found.every(({ usual }) => usual) };
}

/** Whether a phrase means the picture of an episode, and of nothing else. */
export function meansCard(phrase: ArtworkPhrase | null): boolean {
  if (phrase === null) return false;
  const isSureOf = (kind: TargetKind) => slotsMeantBy(phrase, slotsOf(kind) ?? []).sure;
  return isSureOf('episode') && !isSureOf('show');
}
