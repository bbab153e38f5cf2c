import { type ArtworkPhrase, artworkPhrase } from '../slots.ts';
import { besideReleases, isCopy, releases, roleOfWords } from './known-words.ts';
import { codesIn, daysIn, episodesIn, seasonsIn } from './numbers.ts';
import { type FoundTitle, type TitleForms, titleAt, type WordRange } from './titles.ts';
import { blanked, outsideOf, plain, type Span, textOf, type Word, wordsOf } from './words.ts';

/** What a word is there for; null where that can't be told: then it may be the name of anything. */
export type Role = 'slot' | 'noise' | 'version' | 'doubt' | 'language' | null;

export interface SlotPhrase {
  readonly phrase: ArtworkPhrase;
  /** Its first word. */
  readonly at: number;
}

/** Words of a name, and what each is there for. */
export interface Said {
  readonly words: readonly Word[];
  /** One for each word. */
  readonly roles: readonly Role[];
  /** What the words with the role `slot` mean. */
  readonly slots: readonly SlotPhrase[];
}

const longestPhrase = 3;

/**
 * Tells what words are there for, as far as they and those beside them tell: noise is noise in company alone.
 * @param text the whole name that the words stand in
 */
export function explain(words: readonly Word[], text: string): Said {
  const roles: Role[] = [];
  const slots: SlotPhrase[] = [];
  const all = ` ${textOf(words)} `;
  const ofRecording = releases.some((word) => all.includes(` ${word} `));
  // Behind who made it, and behind what is said of a recording alone, nothing else follows.
  let isTail = false;
  while (roles.length < words.length) {
    const at = roles.length;
    const { role, length, said, phrase } = phraseAt(words, at);
    if (phrase !== null) slots.push({ phrase, at });
    const isMaker = said === 'by' && (roles[at - 1] ?? null) !== null;
    isTail ||= isMaker || releases.includes(said);
    const isNoise = isTail || (ofRecording && besideReleases.has(said));
    const own = role ?? (isNoise ? 'noise' : countAt(words, at, roles[at - 1] ?? null, text));
    for (let index = 0; index < length; index += 1) roles.push(own);
  }
  return { words, roles: withGroup(words, roles, text), slots };
}

/** The longest words from words[at] on that are there for something, or else that word. */
function phraseAt(words: readonly Word[], at: number) {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const said = textOf(words.slice(at, at + length));
    const phrase = artworkPhrase(said);
    const role = phrase === null ? roleOfWords(said) : 'slot';
    if (role !== null || length === 1) return { role, length, said, phrase };
  }
  return { role: null, length: 1, said: '', phrase: null };
}

/** A number that counts copies, or pictures, or tells one of the maker's sets; null for any other word. */
function countAt(words: readonly Word[], at: number, roleBefore: Role, text: string): Role {
  const [before, word] = [words[at - 1], words[at]];
  if (word === undefined || !/^\d+$/.test(word.text)) return null;
  const [left, right] = [text.slice(before?.end ?? 0, word.start), text.slice(word.end)];
  const isShort = word.text.length <= 2;
  // (2) at the end counts copies; (3-5) says something.
  if (isShort && word.within === '(' && /\($/.test(left) && /^\)\s*$/.test(right)) return 'noise';
  if (isShort && roleBefore === 'slot' && left === '-') return 'noise';
  const isSet = before !== undefined && (/^(?:set|v|version)$/.test(before.text) || isCopy(before.text));
  return isSet ? 'noise' : null;
}

/** Words in brackets in front of all others name who released it. */
function withGroup(words: readonly Word[], roles: readonly Role[], text: string): Role[] {
  const title = wordsOf(text).find(({ within }) => within !== '[' && within !== '{');
  const isBefore = (word: Word | undefined) =>
    word !== undefined && title !== undefined && word.end <= title.start;
  return roles.map((role, at) => (role === null && isBefore(words[at]) ? 'noise' : role));
}

/** The words whose purpose is unknown. */
export function unknownIn({ words, roles }: Said): Word[] {
  return words.filter((_, index) => roles[index] === null);
}

/** The words for artwork in a name, without those that are its title: "Poster" can be an episode's. */
export function phrasesOutside(said: Said, title: WordRange | null): readonly ArtworkPhrase[] {
  return said.slots.filter(({ at }) => isOutside(at, title)).map(({ phrase }) => phrase);
}

/** Whether a word says that the picture may not be meant to be used; a title may hold such words. */
export function hasDoubt(said: Said, title: WordRange | null = null): boolean {
  return said.roles.some((role, at) => role === 'doubt' && isOutside(at, title));
}

function isOutside(at: number, title: WordRange | null): boolean {
  return title === null || at < title.from || at >= title.to;
}

/** Whether it holds characters that turn what follows around, so that it does not show what it says. */
export function isTurned(raw: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069]/.test(raw);
}

/** For programs that read names: {tmdb-123}, [tvdbid-123], [imdbid=tt1234567], tmdbid=123, tt1234567, {edition-Final Cut}. */
const tags =
  /(?<![\p{L}\p{N}])(?:[[({]\s?)?(?:(?:tmdb|tvdb|imdb)(?:id)?\s?[-=:_]\s?(?:tt)?\d{1,9}|tt\d{7,9})(?![\p{L}\p{N}])(?:\s?[\])}])?|\{\s?edition[-= ][^{}]+\}/gu;

/** What `plain` answered, with blanks where tags stood: they say nothing of what a picture is of. */
function textOfName(raw: string): string {
  return plain(raw).replace(tags, (tag) => ' '.repeat(tag.length));
}

/** A file's or folder's name, read as far as it can be with a work's title and without its numbers. */
export interface Name {
  /** What `textOfName` answered. */
  readonly text: string;
  /** The same, as long, with blanks where the work's title and year stood. */
  readonly rest: string;
  /** Whether it names the work. */
  readonly title: FoundTitle['as'] | null;
  /** Where it does, in `text`. */
  readonly span: Span | null;
  /** The year that it gives to the work, null where it gives none. */
  readonly year: number | null;
  /** That stands behind words behind an episode's number, which it may belong to: S01E01 - Pilot (2002). */
  readonly isYearBehind: boolean;
  readonly turned: boolean;
}

/** Reads a name, which can then be held against any number of titles: which is in it, its year, and what remains. */
export function readName(raw: string): (forms: TitleForms) => Name {
  const text = textOfName(raw);
  const said = explain(wordsOf(text), text);
  const without = (found: FoundTitle | null): Name => {
    const untitled = found === null ? text : blanked(text, found);
    const year = yearOf(untitled, found?.end ?? null);
    const isBehind = ({ end }: Span) => /\p{L}/u.test(untitled.slice(end, year?.start ?? 0));
    return {
      text,
      rest: year === null ? untitled : blanked(untitled, year),
      title: found?.as ?? null,
      span: found,
      year: year === null ? null : Number(untitled.slice(year.start, year.end).replace(/\D/g, '')),
      isYearBehind: codesIn(untitled).some(isBehind),
      turned: isTurned(raw),
    };
  };
  const untitled = without(null);
  return (forms) => {
    const found = titleInFront(said, text, forms);
    return found === null ? untitled : without(found);
  };
}

/** At the beginning, or behind what says nothing about a work. */
function titleInFront(said: Said, text: string, forms: TitleForms): FoundTitle | null {
  for (let at = 0; at < said.words.length; at += 1) {
    const found = titleAt(said.words, at, forms);
    const lead = found === null ? null : leadOf(said, at, text);
    if (found !== null) return lead === null ? found : { as: 'part', start: lead.start, end: found.end };
    if (said.roles[at] === null) return null;
  }
  return null;
}

/**
 * The word in front of words[at] that may belong to what they name: "Final" makes "Space" another show. What a dash or
 * a bracket sets apart does not.
 */
function leadOf({ words, roles }: Said, at: number, text: string): Word | null {
  const [before, word, role] = [words[at - 1], words[at], roles[at - 1]];
  if (before === undefined || word === undefined || before.within !== word.within) return null;
  const isOwn = role === 'version' || role === 'language';
  return isOwn && /^[\s._]*$/.test(text.slice(before.end, word.start)) ? before : null;
}

const following = /^[\s.,_-]*[([]?(?:19|20)\d{2}(?![\p{L}\p{N}])[)\]]?/u;
const bracketed = /[([](?:19|20)\d{2}[)\]]/u;

/** Right behind the title, where it is not the beginning of a day or of other numbers; or else in brackets. */
function yearOf(text: string, after: number | null): Span | null {
  const behind = after === null ? null : following.exec(text.slice(after));
  if (behind !== null && after !== null) {
    const span = { start: after, end: after + behind[0].length };
    const goesOn = /^(?:[-._]\d+(?!\d*[xpi])|\s\d{1,2}(?!\d|[x.]))/.test(text.slice(span.end));
    const isFree = outsideOf([span], [...daysIn(text), ...codesIn(text)]).length > 0;
    if (isFree && !goesOn) return span;
  }
  const found = bracketed.exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

/** What a name says without anybody knowing the work: a year, and the numbers of seasons and episodes. */
export function numbersIn(raw: string) {
  const text = textOfName(raw);
  const codes = codesIn(text);
  const episodes = codes.length > 0 ? [] : outsideOf(episodesIn(text), daysIn(text));
  const seasons = codes.length > 0 ? [] : outsideOf(seasonsIn(text), [...daysIn(text), ...episodes]);
  // A title may begin with one: 2001.
  const year = /(?<=[^\p{L}\p{N}])(?:19|20)\d{2}(?![\p{L}\p{N}]|[-._ ]\d{1,2}[-._ ]\d{1,2})/u.exec(text);
  return { year: year === null ? null : Number(year[0]), codes, seasons, episodes };
}
