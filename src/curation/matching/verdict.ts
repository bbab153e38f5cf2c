import type { PlanPlace } from './places.ts';

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
  readonly places: readonly PlanPlace[];
  /** Only with exactly one place. */
  readonly sure: boolean;
  /** Null where it is sure. */
  readonly why: Why | null;
  /** The name says what the picture is of, and not what it is: its slot is the usual one. */
  readonly usual?: boolean;
  /** Nothing but an episode's title tells what it is of, and another work may be called so. */
  readonly alone?: boolean;
  /** What it or its folder calls the work, as it is written, where that is all that is doubtful. */
  readonly called?: string;
}

/** Why a file has no verdict: it is not meant to be uploaded. */
export type Ignored = 'junk' | 'other_slot';

/** The verdict on a file that nothing was found for, with the reason. */
export function noMatch(why: Why): MatchVerdict {
  return { places: [], sure: false, why };
}
