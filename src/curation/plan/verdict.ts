import { hasOtherOrientation, hasRatioOfSlot } from '../../files/picture.ts';
import { groupedBy } from '../../grouped-by.ts';
import type { ArtworkPhrase, MeantSlots, Slot } from '../../model/slots.ts';
import { shapeOfSlot, slotsMeantBy } from '../../model/slots.ts';
import {
  type EpisodeTarget,
  isSameTarget,
  keyOfPlace,
  type Place,
  type Target,
  type TargetKind,
} from '../../model/target.ts';
import { cardsOf, distinctPlaces, slotsFor } from './places.ts';
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
  /** Its proportions tell no more than the name does: a `landscape` is wide, and for which slot is not said. */
  readonly byShape?: boolean;
  /** Nothing but an episode's title tells what it is of, and another work may be called so. */
  readonly alone?: boolean;
  /** What it or its folder calls the work, folded, where that is all that is doubtful. */
  readonly called?: string;
}

/** The verdict on a file that nothing was found for, with the reason. */
export function nothing(why: Why, about?: string): Verdict {
  return { places: [], why, ...(about === undefined || about === '' ? {} : { about }) };
}

/** A question which of some episodes it is. */
export function askFor(episodes: readonly EpisodeTarget[], why: Why): Verdict {
  return episodes.length === 0 ? nothing('says_nothing') : { places: distinctPlaces(cardsOf(episodes)), why };
}

/** The artwork that the folders around a file are named after. */
export interface FolderSlots {
  /** The nearest one within the chosen folder that says some. */
  readonly within: ArtworkPhrase | null;
  /** The folder that was chosen. A person calls it anything, "Art" too, so that it counts only where it fits surely. */
  readonly chosen: ArtworkPhrase | null;
}

interface SaidSlots extends MeantSlots {
  readonly usual?: boolean;
  readonly byShape?: boolean;
}

/** The slots of a kind that a phrase for artwork means. */
export function slotsMeant(kind: TargetKind, phrase: ArtworkPhrase): MeantSlots {
  return slotsMeantBy(phrase, slotsFor({ kind }));
}

/**
 * The slots that a name and, where it says none, its folders mean for something of this kind. None where they
 * mean artwork that it has no slot for.
 */
export function slotsSaid(
  kind: TargetKind,
  own: readonly ArtworkPhrase[],
  { within, chosen }: FolderSlots,
): SaidSlots {
  const said = own.length === 0 && within !== null ? [within] : own;
  if (said.length === 0) {
    const ofChosen = chosen === null ? null : slotsMeant(kind, chosen);
    // A poster, an episode's title card. Of a game there are too many pictures for that.
    const unsaid = { slots: slotsFor({ kind }).slice(0, 1), sure: kind !== 'game', usual: true };
    return ofChosen?.sure === true ? ofChosen : unsaid;
  }
  const meant = said.map((phrase) => slotsMeant(kind, phrase));
  if (meant.some(({ slots }) => slots.length === 0)) return { slots: [], sure: false };
  const slots = [...new Set(meant.flatMap((each) => each.slots))];
  // Programs that read artwork have one of their own for it, which no slot is.
  const byShape = own.some((phrase) => phrase === 'landscape');
  return { slots, sure: slots.length === 1 && meant.every(({ sure }) => sure), byShape };
}

/** The pictures of some targets that a name means by the words for artwork that it has beside each. */
export function picturesOf(
  meant: readonly { readonly target: Target; readonly phrases: readonly ArtworkPhrase[] }[],
  folders: FolderSlots,
) {
  const said = meant.map(({ target, phrases }) => ({ target, ...slotsSaid(target.kind, phrases, folders) }));
  const places = said.flatMap(({ target, slots }) => slots.map((slot) => ({ target, slot })));
  return {
    places: distinctPlaces(places),
    isSure: said.length === 1 && said.every(({ sure }) => sure),
    usual: said.every(({ usual }) => usual === true),
    byShape: said.some(({ byShape }) => byShape === true),
  };
}

/** The first reason that holds. */
export function firstOf(...reasons: readonly (Why | null | false)[]): Why | null {
  return reasons.find((why): why is Why => why !== null && why !== false) ?? null;
}

/** Whether a phrase means the picture of an episode, and of nothing else. */
export function meansCard(phrase: ArtworkPhrase | null): boolean {
  return phrase !== null && slotsMeant('episode', phrase).sure && !slotsMeant('show', phrase).sure;
}

/** Pixels, as the picture is meant to be seen. */
export interface Shape {
  readonly width: number;
  readonly height: number;
}

/**
 * Lets a picture's proportions have the last word where its name left open what it is: they choose among the
 * slots that are possible, and speak against one that was only the usual one. They never decide what it is of.
 */
export function confirmByShape(verdict: Verdict, shape: Shape | null): Verdict {
  const [first] = verdict.places;
  if (shape === null || first === undefined) return verdict;
  if (!verdict.places.every(({ target }) => isSameTarget(target, first.target))) return verdict;
  if (verdict.why === 'slot_unclear') {
    const [only, ...others] = verdict.places.filter(({ slot }) => fits(slot, shape));
    const decides = verdict.byShape !== true && only !== undefined && others.length === 0;
    return decides ? { ...verdict, places: [only], why: null } : verdict;
  }
  const slots = slotsFor(first.target);
  const isOpen = verdict.why === null && verdict.usual === true && slots.length > 1;
  if (!isOpen || fits(first.slot, shape)) return verdict;
  const better = slots.filter((slot) => fits(slot, shape)).map((slot) => ({ ...first, slot }));
  return { ...verdict, places: distinctPlaces([...better, first]), why: 'slot_unclear' };
}

/**
 * Asks about a picture that can hardly be what its name says: an upright one for a place where pictures are wide. A
 * poster of a film may be called as an episode is.
 */
export function doubtByShape(verdict: Verdict, shape: Shape | null): Verdict {
  const [place, ...others] = verdict.places;
  if (shape === null || place === undefined || others.length > 0) return verdict;
  if (verdict.why !== null && verdict.alone !== true) return verdict;
  const usual = shapeOfSlot(place.slot);
  const isOther = usual !== null && hasOtherOrientation(shape.width, shape.height, usual);
  return isOther ? { ...verdict, why: 'shape_differs' } : verdict;
}

/** A slot of any proportions is confirmed by none. */
function fits(slot: Slot, { width, height }: Shape): boolean {
  const usual = shapeOfSlot(slot);
  return usual !== null && usual.ratios.length > 0 && hasRatioOfSlot(width, height, usual);
}

/** Keeps to one slot: a name that leaves the slot open is for it, what is for another slot is left out (no places). */
export function keepToSlot(slot: Slot, verdict: Verdict): Verdict {
  const places = verdict.places.flatMap((place): Place[] => {
    if (place.slot === slot) return [place];
    return verdict.usual === true && slotsFor(place.target).includes(slot) ? [{ ...place, slot }] : [];
  });
  const kept = distinctPlaces(places);
  // In a folder of title cards a title is an episode's.
  const alone = verdict.alone === true && slot !== 'titlecard';
  const why = verdict.why === 'slot_unclear' && kept.length === 1 ? null : verdict.why;
  return { ...verdict, places: kept, why, alone };
}

/** One title may be another work's; several titles of one show's episodes in one folder are hardly. */
const enough = 3;

/**
 * Titles that stand by themselves: sure only in company of others. An episode may be called as another show is,
 * and a single file of that name may as well be that show's poster.
 * @param folders of each verdict's file; null verdicts are not asked about
 */
export function requireCompany(
  verdicts: readonly (Verdict | null)[],
  folders: readonly string[],
): (Verdict | null)[] {
  const isAlone = (verdict: Verdict | null) => verdict?.why === null && verdict.alone === true;
  const alone = verdicts.flatMap((verdict, at) => {
    const [place] = verdict?.places ?? [];
    return isAlone(verdict) && place !== undefined ? [{ folder: folders[at], key: keyOfPlace(place) }] : [];
  });
  const company = new Map(
    [...groupedBy(alone, ({ folder }) => folder)].map(([folder, own]) => {
      return [folder, new Set(own.map(({ key }) => key)).size];
    }),
  );
  return verdicts.map((verdict, at) => {
    const isAsked = verdict !== null && isAlone(verdict) && (company.get(folders[at]) ?? 0) < enough;
    return isAsked ? { ...verdict, why: 'title_alone' } : verdict;
  });
}
