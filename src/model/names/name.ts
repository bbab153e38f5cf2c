import { type ArtworkPhrase, artworkPhrase } from '../slots.ts';
import {
  besideReleases,
  copyAt,
  doubtPhrases,
  doubts,
  hashes,
  isCopy,
  languages,
  measures,
  noisePhrases,
  releasePhrases,
  releases,
  technical,
  titleLike,
  versions,
} from './known-words.ts';
import { editionsIn, idsIn, isEdition, type NamedId } from './marks.ts';
import { codesIn, daysIn, episodesIn, type Numbers, seasonsIn } from './numbers.ts';
import { type FoundTitle, type TitleForms, titleAt, type WordRange } from './titles.ts';
import { blanked, outsideOf, plain, type Span, type Word, wordsOf } from './words.ts';

/**
 * What a word is there for; null where that can't be told: then it may be the name of anything. `own` is the work's title
 * where it stands elsewhere than in front, `group` a word in brackets in front of everything: who released it.
 */
export type Role =
  | 'slot'
  | 'noise'
  | 'version'
  | 'doubt'
  | 'copy'
  | 'language'
  | 'own'
  | 'group'
  | 'pictogram'
  | null;

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
const pictograms = /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{M}]*$/u;

/**
 * Tells what words are there for, as far as they and those beside them tell: noise is noise in company alone.
 * @param text the whole name that the words stand in
 */
export function explain(words: readonly Word[], text: string): Said {
  const roles: Role[] = [];
  const slots: SlotPhrase[] = [];
  const release = firstRelease(words);
  while (roles.length < words.length) {
    const at = roles.length;
    const found = phraseAt(words, at);
    if (found?.phrase != null) slots.push({ phrase: found.phrase, at });
    if (found === null) roles.push(roleOf(words, at, roles, text, release));
    else for (let index = 0; index < found.length; index += 1) roles.push(found.role);
  }
  return { words, roles: withGroup(words, roles, text), slots };
}

/** The first word that only a recording's name has. */
function firstRelease(words: readonly Word[]): number {
  const at = words.findIndex(
    ({ text }, index) => releases.has(text) || releasePhrases.has(`${text} ${words[index + 1]?.text}`),
  );
  return at < 0 ? words.length : at;
}

interface FoundPhrase {
  readonly role: Role;
  readonly length: number;
  readonly phrase?: ArtworkPhrase | null;
}

function phraseAt(words: readonly Word[], at: number): FoundPhrase | null {
  const copy = copyAt(words, at);
  if (copy > 0) return { role: 'noise', length: copy };
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length -= 1) {
    const text = words
      .slice(at, at + length)
      .map((word) => word.text)
      .join(' ');
    const phrase = artworkPhrase(text);
    if (phrase !== null) return { role: 'slot', length, phrase };
    if (noisePhrases.has(text) || (length > 1 && isEdition(text))) return { role: 'noise', length };
    if (doubtPhrases.has(text)) return { role: 'doubt', length };
  }
  return null;
}

function roleOf(
  words: readonly Word[],
  at: number,
  roles: readonly Role[],
  text: string,
  release: number,
): Role {
  const [word, before, role] = [words[at], words[at - 1], roles[at - 1]];
  if (word === undefined) return null;
  if (doubts.has(word.text)) return 'doubt';
  if (pictograms.test(word.text)) return 'pictogram';
  if (versions.has(word.text) || isCopy(word.text)) return 'version';
  if (technical.has(word.text) || releases.has(word.text)) return 'noise';
  if (measures.test(word.text) || hashes.test(word.text)) return 'noise';
  if (languages.has(word.text)) return 'language';
  // What follows: who made a recording, and how.
  if (at > release || (release < words.length && besideReleases.has(word.text))) return 'noise';
  if (/^\d{1,2}$/.test(word.text) && word.within === '(' && words[at + 1] === undefined) {
    return counts(word, text) ? 'copy' : null;
  }
  if (before === undefined || role === null || role === undefined) return null;
  if (/^\d{1,2}$/.test(word.text) && role === 'slot' && text.slice(before.end, word.start) === '-')
    return 'copy';
  // "set 12345", "cards by NAME": what follows is about the set and its maker.
  if (/^\d+$/.test(word.text) && (/^(?:set|v|version)$/.test(before.text) || isCopy(before.text)))
    return 'noise';
  if (word.text === 'by') return 'noise';
  const by = words.findIndex((earlier, index) => earlier.text === 'by' && roles[index] === 'noise');
  return by >= 0 && by < at ? 'noise' : null;
}

/** (2) at the end counts copies; (3-5) says something. */
function counts(word: Word, text: string): boolean {
  return /^\s*\)\s*$/.test(text.slice(word.end)) && /\(\s*$/.test(text.slice(0, word.start));
}

/** Words in brackets in front of all others name who released it; where all stand in brackets, those in the first. */
function withGroup(words: readonly Word[], roles: readonly Role[], text: string): Role[] {
  if (words[0]?.within !== '[' && words[0]?.within !== '{') return [...roles];
  const all = wordsOf(text);
  const free = all.find(({ within }) => within !== '[' && within !== '{');
  const closed = text.search(/[\]}]/);
  const title = free ?? all.find(({ start }) => start > closed);
  return roles.map((role, at) => {
    const { end = 0 } = words[at] ?? {};
    return role === null && title !== undefined && end <= title.start ? 'group' : role;
  });
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

/** What `plain` answered, with blanks where ids and tags of editions stood: they say nothing of what a picture is of. */
export function textOfName(raw: string): string {
  const text = plain(raw);
  if (!/[[({]|tt\d|[tm]v?dbid/.test(text)) return text;
  return [...idsIn(text), ...editionsIn(text).filter(({ tagged }) => tagged)].reduce(blanked, text);
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

/** Reads a name: the work's title in it, its year, and what remains. */
export function readName(raw: string, forms: TitleForms): Name {
  const text = textOfName(raw);
  const found = titleInFront(text, forms);
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
}

/** At the beginning, or behind what says nothing about a work. */
function titleInFront(text: string, forms: TitleForms): FoundTitle | null {
  const said = explain(wordsOf(text), text);
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
export function leadOf({ words, roles }: Said, at: number, text: string): Word | null {
  const [before, word, role] = [words[at - 1], words[at], roles[at - 1]];
  if (before === undefined || word === undefined || before.within !== word.within) return null;
  const isOwn = role === 'version' || role === 'language' || titleLike.has(before.text);
  return isOwn && /^[\s._]*$/.test(text.slice(before.end, word.start)) ? before : null;
}

const following = /^[\s.,_-]*[([]?(?:19|20)\d{2}(?:(?![\p{L}\p{N}])|(?=s\d{1,4}e\d))[)\]]?/u;
const bracketed = /[([](?:19|20)\d{2}[)\]]/u;

/** Right behind the title, where it is not the beginning of a day or of other numbers; or else in brackets. */
function yearOf(text: string, after: number | null): Span | null {
  const behind = after === null ? null : following.exec(text.slice(after));
  if (behind !== null && after !== null) {
    const span = { start: after, end: after + behind[0].length };
    const goesOn = /^(?:[-._]\d+(?!\d*x)|\s\d{1,2}(?!\d|[x.]))/.test(text.slice(span.end));
    const isFree = outsideOf([span], [...daysIn(text), ...codesIn(text)]).length > 0;
    if (isFree && !goesOn) return span;
  }
  const found = bracketed.exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

/** A name of a file or folder, or what a person typed, read as far as it can be without knowing any work. */
export interface Reading {
  /** Folded, with single blanks: what stands before everything else that is read here. Empty where nothing does. */
  readonly title: string;
  /** The same with a year that stands bare behind it, which may be its last word: Blade Runner 2049. Null where there is none. */
  readonly titleWithYear: string | null;
  readonly year: number | null;
  readonly ids: readonly NamedId[];
  /** Seasons and episodes together; seasons alone and episodes alone, where there is no such code. */
  readonly codes: readonly Numbers[];
  readonly seasons: readonly Numbers[];
  readonly episodes: readonly Numbers[];
  readonly artwork: readonly ArtworkPhrase[];
}

/** Reads any name: title, year, ids, season and episode numbers, words for artwork. */
export function readText(raw: string): Reading {
  const whole = plain(raw);
  const text = textOfName(raw);
  const codes = codesIn(text);
  const days = codes.length > 0 ? [] : daysIn(text);
  const episodes = codes.length > 0 ? [] : outsideOf(episodesIn(text), days);
  const seasons = codes.length > 0 ? [] : outsideOf(seasonsIn(text), [...days, ...episodes]);
  const words = wordsOf(text);
  const said = explain(words, text);
  const editions = editionsIn(whole);
  const taken = [...codes, ...days, ...episodes, ...seasons, ...editions];
  const years = outsideOf(words, taken).filter(
    ({ text: word, within }, at) => /^(?:19|20)\d{2}$/.test(word) && (within !== '' || at > 0),
  );
  const found = years.findLast(({ within }) => within !== '') ?? years.at(-1) ?? null;
  const release = words.slice(1).find(({ text: word }) => releases.has(word));
  const stops = [...taken, ...(found === null ? [] : [found]), ...(release === undefined ? [] : [release])];
  const title = titleBefore(said, Math.min(text.length, ...stops.map(({ start }) => start)));
  return {
    title,
    titleWithYear: found === null || found.within !== '' ? null : `${title} ${found.text}`.trim(),
    year: found === null ? null : Number(found.text),
    ids: idsIn(whole),
    ...{ codes, episodes, seasons },
    artwork: said.slots.map(({ phrase }) => phrase),
  };
}

/** Without what stands before the title (a group in brackets) and words at its end that are said of the picture. */
function titleBefore({ words, roles }: Said, end: number): string {
  const before = words.flatMap((word, at) => (word.end <= end ? [{ word, role: roles[at] ?? null }] : []));
  const from = before.findIndex(({ word }) => word.within !== '[' && word.within !== '{');
  const isSaid = (role: Role) =>
    role === 'noise' || role === 'language' || role === 'slot' || role === 'copy';
  const to = before.findLastIndex(({ role }) => !isSaid(role));
  return from < 0
    ? ''
    : before
        .slice(from, to + 1)
        .map(({ word }) => word.text)
        .join(' ');
}
