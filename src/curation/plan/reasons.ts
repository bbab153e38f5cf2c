import { warningsOf } from '../../files/check.ts';
import { shapeOfSlot, slotWords } from '../../model/slots.ts';
import { cleanText, quoted } from '../../text.ts';
import { deepest, type InspectedPicture, type Passed } from './folder.ts';
import type { Ignored } from './match.ts';
import type { PlannedPicture, PlannedPlace, Said } from './plan.ts';

/** Why a file is not matched, in words for people; `*` stands for the words or the number that decide. */
const reasonsOfNames = {
  // Nothing here is what it names.
  other_work: '* is not this work’s title. Where a person knows that it is, plan again with alsoCalled.',
  other_year: 'The year * belongs to another work with this title.',
  no_such_season: 'The catalogue has no season * here.',
  no_such_episode: 'The catalogue has no episode * here.',
  no_such_movie: 'The catalogue has no film * here.',
  no_slot: 'There is no slot here for this kind of artwork.',
  says_nothing: 'Its name does not say what it is for.',
  wrong_type: 'Pictures of this type can’t be uploaded: export it as PNG, JPEG or WebP.',
  no_ending: 'The name of this picture lacks the right ending. Rename it, with the ending *.',
  // One or more may be meant.
  several_at_once: 'Its name means several episodes at once.',
  several_of_one_number: 'The catalogue has several with this number.',
  between_episodes: 'Its number is between two episodes.',
  number_and_title_differ: 'Its number and its title, *, mean different ones.',
  number_and_day_differ: 'Its number and its date, *, mean different ones.',
  names_differ: 'Its name and its folder’s say different things.',
  number_alone: 'Its name is a number that can be read in more than one way.',
  short_name: 'Its name, or its folder’s, is a part of the title, or the title and more.',
  title_in_part: 'Its name holds only a part of the title.',
  title_misspelt: 'Its name is nearly the title.',
  title_alone: 'Its name is a title that another work may have.',
  title_shared: 'Several have this title.',
  year_differs: 'The year in its name is not the catalogue’s.',
  unclear_words: 'Its name also has *, so it may be for something else.',
  shape_differs: 'A picture of this shape is rarely what its name says.',
  slot_unclear: 'Its name does not say which kind of artwork it is.',
  hidden_signs:
    'Its name has signs that turn the reading direction, so it may look different from what it is.',
  several_files: 'Several files are for the same place.',
} as const;

export type Why = keyof typeof reasonsOfNames;

type Reason = Why | Ignored | Passed | 'outside_entry' | 'no_picture';

const reasons: Readonly<Record<Reason, string>> = {
  ...reasonsOfNames,
  junk: 'It is not a picture.',
  no_picture: 'It is not a picture.',
  other_slot: 'It is not for the slot that was asked for.',
  link: 'A link: it is followed only to a file in the folders that are open for uploads.',
  unfit_name: 'Its path is too long, or is not text.',
  unreadable: 'This folder may not be read.',
  too_deep: `This folder is too deep: only ${deepest} folders within each other are looked at. Plan a folder inside it.`,
  outside_entry: 'It is not for what was planned.',
};

/** What stands in a sentence where nothing is known that decides. */
const unnamed: Readonly<Partial<Record<Reason, string>>> = {
  other_work: 'Its name, or its folder’s,',
  other_year: 'in its name',
  no_ending: 'of its type',
  unclear_words: 'other words',
};

/**
 * Why a file is not sent, as its code and a sentence.
 * @param about the words or the number that decide: other people's writing
 */
export function reasonNotSent(code: Reason, about?: string): Said {
  const words =
    about === undefined ? (unnamed[code] ?? 'words') : quoted(cleanText(about.slice(0, longestAbout)));
  const sentence = reasons[code].replace('*', () => words);
  return { code, message: sentence };
}

/** Characters of a name in a sentence. */
const longestAbout = 80;

/**
 * Artwork without a slot, and the words that were read so: they may be meant otherwise.
 * @param elsewhere what of the work has a slot for it, with that slot
 */
export function reasonOfNoSlot(words: readonly string[], elsewhere: readonly string[]): Said {
  const { code, message } = reasonNotSent('no_slot');
  const named = [...new Set(words)].map(quoted).join(', ');
  const whole = named === '' ? message : `${message.replace(/\.$/, '')}: ${named}.`;
  return { code, message: elsewhere.length === 0 ? whole : `${whole} There is ${elsewhere.join(', ')}.` };
}

/**
 * Which of its places a file is for.
 * @param taker the file that is surely for a place; null: none is
 */
export function askForPlace(
  path: string,
  places: readonly PlannedPlace[],
  more: number,
  taker: (place: PlannedPlace) => string | null,
): string {
  const names = places.map((place) => {
    const taken = taker(place);
    return taken === null ? nameOf(place) : `${nameOf(place)} (in the place of ${quoted(taken)})`;
  });
  const [only = ''] = names;
  if (names.length === 1) return `Is ${quoted(path)} the ${only}?`;
  const others = more === 0 ? '' : `, or one of ${more} more`;
  return `Which one is ${quoted(path)}: ${names.join('; ')}${others}?`;
}

/** Which of several files a place gets. */
export function askForFile(place: PlannedPlace, paths: readonly string[], same: boolean): string {
  const named = paths.slice(0, 5).map(quoted).join('; ');
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  const bytes = same ? ' They are the same to the byte, so either will do.' : '';
  return `Which one is for the ${nameOf(place)}: ${named}${more}?${bytes}`;
}

function nameOf({ slot, label }: PlannedPlace): string {
  return `${slotWords(slot)} of ${quoted(label)}`;
}

/** What a file is, and what speaks against sending it. */
interface Checked {
  readonly picture: PlannedPicture | null;
  readonly problem: Said | null;
  readonly warnings: Said[];
}

/**
 * Tells what is wrong with a picture of the folder, or should be known of it, before it is planned for a slot.
 * @param slot what it is for
 */
export function checkPicture(looked: InspectedPicture | undefined, slot: string): Checked {
  if (looked === undefined) {
    const message = 'It was not looked at.';
    return { picture: null, problem: { code: 'not_looked_at', message }, warnings: [] };
  }
  if ('refused' in looked) {
    const { details, failure, message } = looked.refused;
    const code = typeof details?.reason === 'string' ? details.reason : failure;
    return { picture: null, problem: { code, message }, warnings: [] };
  }
  const { filename, contentType, contentLength, sha256, picture } = looked.facts;
  const told = warningsOf(looked.facts, { slot, usual: shapeOfSlot(slot) });
  const { width, height } = picture ?? { width: null, height: null };
  return {
    picture: { filename, contentType, contentLength, sha256, width, height },
    problem: null,
    warnings: told.map((warning): Said => ({ ...warning })),
  };
}
