import { explain, type Name, readName, type Said, unknownIn } from '../../model/names/name.ts';
import { codesIn, daysIn, episodesIn, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import { inFigures } from '../../model/names/numerals.ts';
import { abbreviates, type TitleForms } from '../../model/names/titles.ts';
import { isSmallWord, outsideOf, rawTextOf, type Span, type Word, wordsOf } from '../../model/names/words.ts';
import type { Counting, ShowIndex } from './show-index.ts';
import type { FolderSlots } from './verdict.ts';

/** One file of a show's folder, with all that tells about it. */
export interface ShowFile {
  readonly stem: string;
  readonly name: Name;
  readonly folders: FoldersSay;
  readonly index: ShowIndex;
  readonly counting: Counting;
}

/** What the folders that a file lies in say of it. */
export interface FoldersSay {
  /** One of them is named after the work. */
  readonly own: boolean;
  /** What one of them is called that is another work's name. */
  readonly foreign: string | null;
  /** One of them gives the work another year. */
  readonly year: number | null;
  /** What one of them calls the work, as it is written, which another may be called: part of its title, or more. */
  readonly called: string | null;
  /** That is the whole title and more, or with another year: a file that has the title alone does not say otherwise. */
  readonly isMore: boolean;
  readonly doubt: boolean;
  /** Distinct; more than one is a contradiction. */
  readonly seasons: readonly number[];
  readonly code: Numbers | null;
  readonly slots: FolderSlots;
}

const silent: FoldersSay = {
  ...{
    own: false,
    foreign: null,
    year: null,
    called: null,
    isMore: false,
    doubt: false,
    seasons: [],
    code: null,
  },
  slots: { within: null, chosen: null },
};

/**
 * Reads what the names of the folders around a file say: the season, the work's title, the kind of artwork.
 * @param chosen the folder that was chosen. A person calls it anything, so that only a title with another year, or with more in brackets, counts
 * against a file
 * @param inner from the outermost in it to the one that holds the file
 */
export function readFolders(chosen: string | null, inner: readonly string[], index: ShowIndex): FoldersSay {
  const outermost = chosen === null ? silent : ofChosen(chosen, index);
  return inner.map((folder) => readFolder(folder, index)).reduce(joined, outermost);
}

function ofChosen(folder: string, index: ShowIndex): FoldersSay {
  const { own, seasons, slots, called, year } = readFolder(folder, index);
  const isMore = called !== null && /[[({]/.test(called) && readName(folder, index.forms).title === 'whole';
  const other = year !== null ? folder : isMore ? called : null;
  const is = { own, seasons, called: other, isMore: other !== null };
  return { ...silent, ...is, slots: { within: null, chosen: slots.within } };
}

function joined(outer: FoldersSay, inner: FoldersSay): FoldersSay {
  return {
    own: outer.own || inner.own,
    foreign: inner.foreign ?? outer.foreign,
    year: inner.year ?? outer.year,
    called: inner.called ?? outer.called,
    isMore: outer.isMore || inner.isMore,
    doubt: outer.doubt || inner.doubt,
    seasons: [...new Set([...outer.seasons, ...inner.seasons])],
    code: inner.code ?? outer.code,
    slots: { within: inner.slots.within ?? outer.slots.within, chosen: outer.slots.chosen },
  };
}

function readFolder(folder: string, index: ShowIndex): FoldersSay {
  const name = readName(folder, index.forms);
  const code = codesIn(name.rest)[0] ?? null;
  const numbered = code === null ? seasonsIn(name.rest) : [];
  const spans = code === null ? numbered : [code];
  const said = explain(outsideOf(wordsOf(name.rest), spans), name.text);
  const titled = spans.length > 0 ? [] : seasonsTitled(wordsOf(name.text), index);
  const unknown = titled.length > 0 ? [] : unknownIn(said);
  const isWhole = name.title === 'whole';
  const year = yearApart(name, index.show.year);
  const called = unknown.length === 0 && isWhole ? null : calledIn(name, unknown, spans, index.forms);
  const isOther = unknown.length > 0 && !isWhole && called === null;
  return {
    own: isWhole && called === null && year === null,
    foreign: isOther ? unknown.map(({ text }) => text).join(' ') : null,
    year,
    called: called === null ? null : rawTextOf(folder, called),
    isMore: isWhole && called !== null,
    doubt: said.roles.includes('doubt'),
    seasons: [...new Set([...numbered.map(({ season }) => season), ...titled])].filter((one) => one !== null),
    code,
    slots: { within: said.slots.at(-1)?.phrase ?? null, chosen: null },
  };
}

/** A folder whose whole name is a season's title, or the year that a season is numbered by. */
function seasonsTitled(
  words: readonly Word[],
  { seasonTitles, seasonsNumbered }: ShowIndex,
): (number | null)[] {
  const [only, ...others] = words;
  const isYear = only !== undefined && others.length === 0 && /^\d{4}$/.test(only.text);
  const titled = seasonTitles.named(words);
  const meant = titled.length > 0 || !isYear ? titled : seasonsNumbered(Number(only.text));
  return meant.map(({ season }) => season);
}

/** What may be another work's name: a part of this one's title, or the whole with unknown words behind it. */
function calledIn(
  name: Name,
  unknown: readonly Word[],
  spans: readonly Span[],
  forms: TitleForms,
): Span | null {
  if (name.title === 'whole') return titleAndMore(name, unknown, spans);
  const short = shortNameIn(name, forms) ?? name.span;
  if (short === null || !isTelling(name, short)) return null;
  return unknown.every(({ start, end }) => start >= short.start && end <= short.end) ? short : null;
}

/** The title and the unknown words that stand between it and the first number. */
export function titleAndMore(
  { text, span }: Name,
  unknown: readonly Word[],
  numbers: readonly Span[],
): Span | null {
  const until = Math.min(text.length, ...numbers.map(({ start }) => start));
  const last = unknown.findLast((word) => word.end <= until && !/^\d+$/.test(word.text));
  if (span === null || last === undefined || last.end < span.end) return null;
  // With the bracket that it stands in.
  const [closing = ''] = /^\.?[\])}]/.exec(text.slice(last.end)) ?? [];
  return { start: span.start, end: last.end + closing.length };
}

/** The year of a name that is another work's of the same title: more than one lies between them. */
export function yearApart({ year, title, isYearBehind }: Name, own: number | null): number | null {
  const differs =
    title !== null && !isYearBehind && year !== null && own !== null && Math.abs(year - own) > 1;
  return differs ? year : null;
}

/**
 * What a name has in the place of the work's title that holds nothing but words of it, or is short for it:
 * "Wexmoor" of "The Doors of Wexmoor". Another work may be called so. Null where it has nothing of the kind.
 */
export function shortNameIn({ text, rest, span }: Name, forms: TitleForms): Span | null {
  const numbers = [...codesIn(rest), ...episodesIn(rest), ...seasonsIn(rest), ...daysIn(rest)];
  const until = Math.min(rest.length, ...numbers.map(({ start }) => start));
  const words = wordsOf(rest).filter(({ end }) => end <= until);
  const run = runOf(explain(words, text), forms);
  const [first, last] = [run[0], run.at(-1)];
  return first === undefined || last === undefined
    ? null
    : { start: span?.start ?? first.start, end: last.end };
}

/** The words from the first that nothing explains to the title's last, and small ones that stand at the end. */
function runOf({ words, roles }: Said, forms: TitleForms): readonly Word[] {
  const from = roles.indexOf(null);
  const first = words[from];
  if (first === undefined) return [];
  if (abbreviates(first.text, forms)) return [first];
  const initials = forms.words.map((word) => word.slice(0, 1)).join('');
  const isOwn = ({ text }: Word, at: number) =>
    !isFiller(text) &&
    (forms.words.includes(text) ||
      forms.words.includes(inFigures(text)) ||
      (roles[at] === null && text.length > 1 && initials.includes(text)));
  let to = from;
  for (let at = from; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (isOwn(word, at)) to = at + 1;
    else if (roles[at] !== null || !isFiller(word.text)) break;
  }
  if (to === from) return [];
  const behind = words.filter((_, at) => at >= to && roles[at] === null);
  const end = behind.every(({ text }) => isSmallWord(text)) ? Math.max(to, roles.lastIndexOf(null) + 1) : to;
  return words.slice(from, end);
}

/** Whether a part of the title could be a work's name at all: "The" and "Title Cards" are none. */
export function isTelling({ text }: Name, { start, end }: Span): boolean {
  const said = explain(
    wordsOf(text).filter((word) => word.start >= start && word.end <= end),
    text,
  );
  return unknownIn(said).some((word) => !isFiller(word.text));
}

/** What tells no title from another: small words and numbers. */
function isFiller(word: string): boolean {
  return isSmallWord(word) || /^\d+$/.test(word);
}

/** A number that a name has by itself, without a season and at an end of what nothing else explains. */
export function numberAlone(stem: string, { forms }: ShowIndex): number[] {
  const { text, rest } = readName(stem, forms);
  if ([...codesIn(rest), ...episodesIn(rest), ...seasonsIn(rest)].length > 0) return [];
  const unknown = unknownIn(explain(wordsOf(rest), text));
  const [only, ...others] = unknown.filter(({ text }) => /^\d{1,4}$/.test(text));
  const isAtEnd = only !== undefined && (unknown[0] === only || unknown.at(-1) === only);
  return others.length === 0 && isAtEnd ? [Number(only.text)] : [];
}
