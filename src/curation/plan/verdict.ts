import { hasOtherOrientation, hasRatioOfSlot } from '../../files/picture.ts';
import type { Slot } from '../../model/slots.ts';
import { shapeOfSlot } from '../../model/slots.ts';
import { isSameTarget, keyOfPlace, type Place } from '../../model/target.ts';
import { distinctPlaces, slotsFor } from './places.ts';

/** Why a file is not matched. */
export type Why =
  // Nothing here is what it names.
  | 'other_work'
  | 'no_such_season'
  | 'no_such_episode'
  | 'no_such_movie'
  | 'no_slot'
  | 'says_nothing'
  | 'wrong_type'
  // One or more may be meant.
  | 'several_at_once'
  | 'several_of_one_number'
  | 'number_and_title_differ'
  | 'number_and_day_differ'
  | 'names_differ'
  | 'number_alone'
  | 'short_name'
  | 'title_in_part'
  | 'title_alone'
  | 'title_shared'
  | 'year_differs'
  | 'unclear_words'
  | 'slot_unclear'
  | 'shape_differs'
  | 'slot_elsewhere'
  | 'hidden_signs'
  | 'several_files';

/** What a name comes to: one place and sure of it, some to ask about, or none. */
export interface MatchVerdict {
  readonly places: readonly Place[];
  /** Why it is not sure; null: it is, and has exactly one place. */
  readonly why: Why | null;
  /** The name says what the picture is of, and not what it is: its slot is the usual one. */
  readonly usual?: boolean;
  /** Its proportions tell no more than the name does: a `landscape` is wide, and for which slot is not said. */
  readonly byShape?: boolean;
  /** Nothing but an episode's title tells what it is of, and another work may be called so. */
  readonly alone?: boolean;
  /** What it or its folder calls the work, as it is written, where that is all that is doubtful. */
  readonly called?: string;
}

/** Why a file has no verdict: it is not meant to be uploaded. */
export type Ignored = 'junk' | 'other_slot';

/** The verdict on a file that nothing was found for, with the reason. */
export function noMatch(why: Why): MatchVerdict {
  return { places: [], why };
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
export function confirmByShape(verdict: MatchVerdict, shape: Shape | null): MatchVerdict {
  const [first] = verdict.places;
  if (shape === null || first === undefined) return verdict;
  if (!verdict.places.every(({ target }) => isSameTarget(target, first.target))) return verdict;
  if (verdict.why === 'slot_unclear') {
    if (verdict.byShape === true) return verdict;
    const [only, ...others] = verdict.places.filter(({ slot }) => fits(slot, shape));
    return only !== undefined && others.length === 0 ? { ...verdict, places: [only], why: null } : verdict;
  }
  const slots = slotsFor(first.target);
  if (verdict.why !== null || verdict.usual !== true || slots.length === 1 || fits(first.slot, shape))
    return verdict;
  const better = slots.filter((slot) => fits(slot, shape)).map((slot) => ({ ...first, slot }));
  return { ...verdict, places: distinctPlaces([...better, first]), why: 'slot_unclear' };
}

/**
 * Asks about a picture that can hardly be what its name says: an upright one for a place where pictures are wide. A
 * poster of a film may be called as an episode is.
 */
export function doubtByShape(verdict: MatchVerdict, shape: Shape | null): MatchVerdict {
  const [place, ...others] = verdict.places;
  if (shape === null || place === undefined || others.length > 0) return verdict;
  if (verdict.why !== null && verdict.alone !== true) return verdict;
  const usual = shapeOfSlot(place.slot);
  return usual !== null && hasOtherOrientation(shape.width, shape.height, usual)
    ? { ...verdict, why: 'shape_differs' }
    : verdict;
}

/** A slot of any proportions is confirmed by none. */
function fits(slot: string, { width, height }: Shape): boolean {
  const usual = shapeOfSlot(slot);
  return usual !== null && usual.ratios.length > 0 && hasRatioOfSlot(width, height, usual);
}

/**
 * Keeps to one slot, where the folder is for one: a name that leaves the slot open is for it, what is for
 * another slot is left out (no places).
 */
export function keepToSlot(slot: Slot, verdict: MatchVerdict): MatchVerdict {
  const meant = (place: Place): Place[] => {
    if (place.slot === slot) return [place];
    return verdict.usual === true && slotsFor(place.target).includes(slot) ? [{ ...place, slot }] : [];
  };
  const places = distinctPlaces(verdict.places.flatMap(meant));
  // In a folder of title cards a title is an episode's.
  const alone = verdict.alone === true && slot !== 'titlecard';
  const why = verdict.why === 'slot_unclear' && places.length === 1 ? null : verdict.why;
  return { ...verdict, places, why, alone };
}

/** One title may be another work's; several titles of one show's episodes in one folder are hardly. */
const enough = 3;

/**
 * Titles that stand by themselves: sure only in company of others. An episode may be called as another show is,
 * and a single file of that name may as well be that show's poster.
 * @param folders of each verdict's file
 */
export function requireCorroboration(
  verdicts: readonly (MatchVerdict | Ignored)[],
  folders: readonly string[],
): (MatchVerdict | Ignored)[] {
  const episodes = new Map<string, Set<string>>();
  verdicts.forEach((verdict, at) => {
    if (!isAlone(verdict)) return;
    const folder = folders[at] ?? '';
    const known = episodes.get(folder) ?? new Set();
    for (const place of verdict.places) known.add(keyOfPlace(place));
    episodes.set(folder, known);
  });
  return verdicts.map((verdict, at) => {
    if (!isAlone(verdict)) return verdict;
    const company = episodes.get(folders[at] ?? '')?.size ?? 0;
    return company >= enough ? verdict : { ...verdict, why: 'title_alone' };
  });
}

function isAlone(verdict: MatchVerdict | Ignored): verdict is MatchVerdict {
  return typeof verdict !== 'string' && verdict.why === null && verdict.alone === true;
}
