import { cleanText, quoted } from '../../text.ts';
import { deepest } from './folder.ts';
import type { Said } from './plan.ts';

/** Why a file is asked about or left out, in words for people; `*` stands for the words or the number that decide. */
const reasons = {
  // Nothing here is what it names, or it can't be sent.
  other_work:
    '* is not this work’s title or year. Where a person knows that it is, plan again with alsoCalled.',
  not_there: 'The catalogue has no * here.',
  no_slot: 'There is no slot here for this kind of artwork.',
  says_nothing: 'Its name does not say what it is for.',
  outside: 'It is for something else of this work than what was asked for.',
  wrong_type: 'Pictures of this type can’t be uploaded: export it as PNG, JPEG or WebP.',
  no_ending: 'The name of this picture lacks the right ending. Rename it, with the ending *.',
  junk: 'It is not a picture.',
  link: 'A link: it is followed only to a file in the folders that are open for uploads.',
  unfit_name: 'Its path is too long, or is not text.',
  unreadable: 'This folder may not be read.',
  too_deep: `This folder is too deep: only ${deepest} folders within each other are looked at. Plan a folder inside it.`,
  // One or more may be meant.
  several_meant: 'Its name may mean several of these, or says different things.',
  slot_unclear: 'Its name does not say which kind of artwork it is.',
  short_name: 'Its name, or its folder’s, is a part of the title, or the title and more.',
  part_of_title: 'Its name holds only a part of a title, or is nearly one.',
  title_alone: 'Its name is a title that another work may have.',
  unclear_words: 'Its name, or its folder’s, also has *, so it may be for something else.',
  several_files: 'Several files are for the same place.',
} as const;

export type Why = keyof typeof reasons;

/** Characters of a name in a sentence. */
const longestAbout = 80;

/**
 * Why a file is not sent, or not without a question, as its code and a sentence.
 * @param about the words or the number that decide: other people's writing
 */
export function reasonOf(code: Why, about = ''): Said {
  const words = cleanText(about.slice(0, longestAbout));
  return { code, message: reasons[code].replace('*', () => (words === '' ? 'other words' : quoted(words))) };
}
