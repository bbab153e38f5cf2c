import type { ArtworkPhrase } from '../slots.ts';
import { type Explained, explainWords, hasDoubt, type Role } from './explain.ts';
import { releaseTags } from './known-words.ts';
import { editionsIn, idsIn, languageNamed, type NamedEdition, type NamedId } from './marks.ts';
import { codesIn, daysIn, episodesIn, type NamedDay, type Numbers, seasonsIn } from './numbers.ts';
import { abbreviates, type FoundTitle, type TitleForms, titleAt } from './titles.ts';
import { isSmallWord, outsideOf, plain, type Span, type Word, wordsOf } from './words.ts';

/** A file's or folder's name, read as far as it can be without the catalogue's numbers. */
export interface Name {
  /** What `plain` answered. */
  readonly text: string;
  /** The same, as long, with blanks where the work's title and year stood. */
  readonly rest: string;
  /** Whether it names the work. */
  readonly title: FoundTitle['as'] | null;
  /** Where it does, in `text`. */
  readonly span: Span | null;
  /** The year that it gives to the work, null where it gives none. */
  readonly year: number | null;
  /** It holds characters that turn what follows around, so that it does not show what it says. */
  readonly turned: boolean;
}

/** Right behind the title, where no day and no number follows. */
const following =
  /^(?:[\s._]*|[\s._-]*[([])((?:19|20)\d{2})(?![\p{L}\p{N}])(?![-._]\d|\s-\s\d{1,2}\s-\s\d|\s\d{1,2}\s\d{1,2}(?!\d))[)\]]?/u;
const inBrackets = /\(((?:19|20)\d{2})\)/u;

/** Reads a file's name: the work's title in it, its year, and what remains. */
export function readName(raw: string, forms: TitleForms): Name {
  const text = textOfName(raw);
  const found = workTitleIn(text, forms);
  const untitled = found === null ? text : blank(text, found.start, found.end);
  const year = yearIn(untitled, found?.end ?? null);
  return {
    text,
    rest: year === null ? untitled : blank(untitled, year.start, year.end),
    title: found?.as ?? null,
    span: found === null ? null : { start: found.start, end: found.end },
    year: year?.value ?? null,
    turned: isTurned(raw),
  };
}

/** Whether it holds characters that turn what follows around, so that it does not show what it says. */
export function isTurned(raw: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069]/.test(raw);
}

/** What `plain` answered, as long, with blanks where ids and tags of editions stood: they say nothing of what a picture is of. */
export function textOfName(raw: string): string {
  const text = plain(raw);
  if (!/[[({]|tt\d|[tm]v?dbid/.test(text)) return text;
  const tags = editionsIn(text).filter(({ start }) => text[start] === '{');
  return [...idsIn(text), ...tags].reduce((rest, { start, end }) => blank(rest, start, end), text);
}

/** A name of a file or folder, or what a person typed, read as far as it can be without knowing any work. */
export interface Reading {
  /** Folded, with single blanks: what stands before everything else that is read here. Empty where nothing does. */
  readonly title: string;
  /** The same with a year that stands bare behind it, which may be its last word: Blade Runner 2049. Null where there is none. */
  readonly titleWithYear: string | null;
  readonly year: number | null;
  readonly ids: readonly NamedId[];
  readonly editions: readonly NamedEdition[];
  /** An ISO 639 code. */
  readonly language: string | null;
  /** Seasons and episodes together; seasons alone, episodes alone, days, where there is no such code. */
  readonly codes: readonly Numbers[];
  readonly seasons: readonly Numbers[];
  readonly episodes: readonly Numbers[];
  readonly days: readonly NamedDay[];
  readonly artwork: readonly ArtworkPhrase[];
  /** A word says that it may not be meant to be used. */
  readonly doubtful: boolean;
}

/** Reads any name: title, year, ids, season and episode numbers, words for artwork, language, edition. */
export function readText(raw: string): Reading {
  const whole = plain(raw);
  const text = textOfName(raw);
  const codes = codesIn(text);
  const days = codes.length > 0 ? [] : daysIn(text);
  const episodes = codes.length > 0 ? [] : outsideOf(episodesIn(text), days);
  const seasons = codes.length > 0 ? [] : outsideOf(seasonsIn(text), [...days, ...episodes]);
  const numbers = [...codes, ...days, ...episodes, ...seasons];
  const words = wordsOf(text);
  const said = explainWords(words, text);
  const edition = editionsIn(whole);
  const found = yearsOf(text, [...numbers, ...edition], words[0]?.start ?? 0);
  const stops = [...numbers, ...edition, ...(found === null ? [] : [found])].map(({ start }) => start);
  const release = words.find(({ text: word }, at) => at > 0 && releaseTags.has(word))?.start;
  const titled = titleBefore(said, Math.min(text.length, ...stops, release ?? text.length));
  const title = titled.join(' ');
  const tells = words.filter((_, at) => said.roles[at] !== null && said.roles[at] !== 'slot');
  return {
    title,
    titleWithYear: found === null || found.bracketed ? null : `${title} ${found.value}`.trim(),
    year: found?.value ?? null,
    ids: idsIn(whole),
    editions: edition,
    language: tells.map(({ text: word }) => languageNamed(word)).find((one) => one !== null) ?? null,
    ...{ codes, days, episodes, seasons },
    artwork: said.slots.map(({ phrase }) => phrase),
    doubtful: hasDoubt(said),
  };
}

/** The last year that stands in brackets, or else bare and not first. */
function yearsOf(text: string, taken: readonly Span[], first: number) {
  const years = [
    ...text.matchAll(/(?<![\p{L}\p{N}])(?<open>[([]?)(?<year>(?:18|19|20)\d{2})(?![\p{L}\p{N}])/gu),
  ]
    .map(({ index, 0: { length }, groups }) => ({
      ...{ value: Number(groups?.year), bracketed: groups?.open !== '', start: index, end: index + length },
    }))
    .filter((one) => outsideOf([one], taken).length > 0 && (one.bracketed || one.start > first));
  return years.findLast(({ bracketed }) => bracketed) ?? years.at(-1) ?? null;
}

/** Without what stands before the title (a group in brackets) and words at its end that are said of the picture. */
function titleBefore({ words, roles }: Explained, end: number): string[] {
  const before = words.flatMap((word, at) => (word.end <= end ? [{ word, role: roles[at] ?? null }] : []));
  const from = before.findIndex(({ word }) => word.within !== '[' && word.within !== '{');
  const isSaid = (role: Role) => role === 'noise' || role === 'slot' || role === 'copy';
  const to = before.findLastIndex(({ role }) => !isSaid(role));
  return from < 0 ? [] : before.slice(from, to + 1).map(({ word }) => word.text);
}

/** A name that was read, where a part of it is now taken for a part of the work's title. */
export function withTitlePart(name: Name, span: Span): Name {
  return { ...name, rest: blank(name.rest, span.start, span.end), title: 'part', span };
}

/** At the beginning, or behind what says nothing about a work. */
function workTitleIn(text: string, forms: TitleForms): FoundTitle | null {
  const words = wordsOf(text);
  const { roles } = explainWords(words, text);
  for (let at = 0; at < words.length; at += 1) {
    const found = titleAt(words, at, forms);
    if (found !== null) return found;
    if (roles[at] === null) return null;
  }
  return null;
}

function yearIn(text: string, after: number | null): (Span & { readonly value: number }) | null {
  const behind = after === null ? null : following.exec(text.slice(after));
  const found = behind ?? inBrackets.exec(text);
  if (found === null) return null;
  const start = behind === null ? found.index : (after ?? 0);
  return { value: Number(found[1]), start, end: start + found[0].length };
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** What tells no title from another: small words and numbers. */
function isFiller(word: string): boolean {
  return isSmallWord(word) || /^\d+$/.test(word);
}

/**
 * What a name has in the place of the work's title that holds nothing but words of it, or is short for it:
 * "Wexmoor" of "The Doors of Wexmoor". Another work may be called so. Null where it has nothing of the kind.
 */
export function shortNameIn({ rest, span }: Name, forms: TitleForms): Span | null {
  const numbers = [...codesIn(rest), ...episodesIn(rest), ...seasonsIn(rest), ...daysIn(rest)];
  const until = Math.min(rest.length, ...numbers.map(({ start }) => start));
  const said = explainWords(
    wordsOf(rest).filter(({ end }) => end <= until),
    rest,
  );
  const run = runOf(said, forms);
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { start: span?.start ?? first.start, end: last.end };
}

/** The words from the first that nothing explains to the title's last, and an article that stands at the end. */
function runOf({ words, roles }: Explained, forms: TitleForms): Word[] {
  const from = roles.indexOf(null);
  const word = words[from];
  if (word === undefined) return [];
  if (abbreviates(word.text, forms)) return [word];
  const initials = forms.words.map((each) => each.slice(0, 1)).join('');
  const isOwn = ({ text }: Word, role: Role) =>
    !isFiller(text) &&
    (forms.words.includes(text) || (role === null && text.length > 1 && initials.includes(text)));
  let to = from;
  words.slice(from).every((one, at) => {
    const role = roles[from + at] ?? null;
    const own = isOwn(one, role);
    if (own) to = from + at + 1;
    return own || (role === null && isFiller(one.text));
  });
  const behind = words.filter((_, at) => at >= to && roles[at] === null);
  const isSmall = ({ text }: Word) => isSmallWord(text);
  return words.slice(
    from,
    to > from && behind.every(isSmall) ? Math.max(to, roles.lastIndexOf(null) + 1) : to,
  );
}

/** Whether a part of the title could be a work's name at all: "The" and "Title Cards" are none. */
export function isTelling({ text }: Name, { start, end }: Span): boolean {
  const { words, roles } = explainWords(
    wordsOf(text).filter((word) => word.start >= start && word.end <= end),
    text,
  );
  return words.some((word, at) => roles[at] === null && !isFiller(word.text));
}
