import { explain, type Name, readName, unknownIn } from '../../model/names/name.ts';
import { codesIn, daysIn, episodesIn, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import { inFigures } from '../../model/names/numerals.ts';
import type { TitleForms } from '../../model/names/titles.ts';
import {
  isSmallWord,
  outsideOf,
  type Span,
  textIn,
  textOf,
  type Word,
  wordsOf,
} from '../../model/names/words.ts';
import type { ArtworkPhrase } from '../../model/slots.ts';
import type { Counting, ShowIndex } from './show-index.ts';
import type { FolderSlots } from './verdict.ts';

/** One file of a show's folder, with all that tells about it. */
export interface ShowFile {
  readonly name: Name;
  readonly folders: FoldersSay;
  readonly index: ShowIndex;
  readonly counting: Counting;
}

interface FolderSays {
  /** It is named after the work. */
  readonly own: boolean;
  /** What it is called that is another work's name. */
  readonly foreign: string | null;
  /** The year that it gives to the work, if that is another one's. */
  readonly year: number | null;
  /** What it calls the work, folded, which another may be called: part of its title, or more. */
  readonly called: string | null;
  /** That is the whole title and more, or with another year: a file that has the title alone does not say otherwise. */
  readonly isMore: boolean;
  readonly doubt: boolean;
  readonly seasons: readonly number[];
  readonly code: Numbers | null;
}

/** What the folders that a file lies in say of it. More than one season is a contradiction. */
export interface FoldersSay extends FolderSays {
  readonly slots: FolderSlots;
}

/**
 * Reads what the names of the folders around a file say: the season, the work's title, the kind of artwork.
 * @param chosen the folder that was chosen. A person calls it anything, so that only a title with another year, or with more in brackets, counts
 * against a file
 * @param inner from the outermost in it to the one that holds the file
 */
export function readFolders(chosen: string | null, inner: readonly string[], index: ShowIndex): FoldersSay {
  const within = inner.map((folder) => readFolder(folder, index));
  const outermost = chosen === null ? [] : [readFolder(chosen, index)];
  const all = [...outermost.map((one) => ofChosen(one, chosen)), ...within];
  const last = <Key extends keyof FolderSays>(key: Key) =>
    all.findLast((one) => one[key] !== null)?.[key] ?? null;
  return {
    own: all.some(({ own }) => own),
    ...{ foreign: last('foreign'), year: last('year'), called: last('called'), code: last('code') },
    isMore: all.some(({ isMore }) => isMore),
    doubt: all.some(({ doubt }) => doubt),
    seasons: [...new Set(all.flatMap(({ seasons }) => seasons))],
    slots: {
      within: within.findLast(({ slot }) => slot !== null)?.slot ?? null,
      chosen: outermost[0]?.slot ?? null,
    },
  };
}

function ofChosen({ own, seasons, called, year, isMore }: FolderSays, folder: string | null): FolderSays {
  const other = year !== null ? folder : isMore && called !== null && /[[({]/.test(called) ? called : null;
  const silent = { foreign: null, year: null, doubt: false, code: null };
  return { ...silent, own, seasons, called: other, isMore: other !== null };
}

function readFolder(folder: string, index: ShowIndex): FolderSays & { slot: ArtworkPhrase | null } {
  const name = readName(folder, index.forms);
  const [code = null] = codesIn(name.rest);
  const numbered = code === null ? seasonsIn(name.rest) : [];
  const spans = code === null ? numbered : [code];
  const said = explain(outsideOf(wordsOf(name.rest), spans), name.text);
  const titled = spans.length > 0 ? [] : seasonsTitled(wordsOf(name.text), index);
  const unknown = titled.length > 0 ? [] : unknownIn(said);
  const isWhole = name.title === 'whole';
  const year = yearApart(name, index.show.year);
  const called = isWhole ? titleAndMore(name, unknown, spans) : calledIn(name, unknown, index.forms);
  const seasons = [...numbered.map(({ season }) => season), ...titled];
  return {
    own: isWhole && called === null && year === null,
    foreign: unknown.length > 0 && !isWhole && called === null ? textOf(unknown) : null,
    ...{ year, code },
    called: called === null ? null : textIn(name.text, called),
    isMore: isWhole && called !== null,
    doubt: said.roles.includes('doubt'),
    seasons: seasons.filter((one) => one !== null),
    slot: said.slots.at(-1)?.phrase ?? null,
  };
}

/** A folder whose whole name is a season's title, or the year that a season is numbered by. */
function seasonsTitled(words: readonly Word[], index: ShowIndex): (number | null)[] {
  const titled = index.seasonTitles.named(words);
  const isYear = titled.length === 0 && /^\d{4}$/.test(textOf(words));
  return (isYear ? index.seasonsNumbered(Number(textOf(words))) : titled).map(({ season }) => season);
}

/** A part of the title, with nothing unknown beside it. */
function calledIn(name: Name, unknown: readonly Word[], forms: TitleForms): Span | null {
  const short = shortNameIn(name, forms);
  return short !== null && unknown.every(({ start, end }) => start >= short.start && end <= short.end)
    ? short
    : null;
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
  const isOfWork = title !== null && !isYearBehind && year !== null && own !== null;
  return isOfWork && Math.abs(year - own) > 1 ? year : null;
}

/**
 * What a name has in the place of the work's title that holds nothing but words of it:
 * "Wexmoor" of "The Doors of Wexmoor". Another work may be called so. Null where it has nothing of the kind.
 */
export function shortNameIn({ text, rest, span }: Name, forms: TitleForms): Span | null {
  const numbers = [...codesIn(rest), ...episodesIn(rest), ...seasonsIn(rest), ...daysIn(rest)];
  const until = Math.min(rest.length, ...numbers.map(({ start }) => start));
  const { words, roles } = explain(
    wordsOf(rest).filter(({ end }) => end <= until),
    text,
  );
  const isOwn = ({ text: word }: Word) =>
    !isFiller(word) && (forms.words.includes(word) || forms.words.includes(inFigures(word)));
  const from = roles.indexOf(null);
  const stop = words.findIndex((word, at) => {
    return at >= from && !isOwn(word) && (roles[at] !== null || !isFiller(word.text));
  });
  const to = words.findLastIndex((word, at) => (stop < 0 || at < stop) && isOwn(word));
  const [first, last] = [words[from], words[to]];
  const isRun = first !== undefined && last !== undefined && to >= from;
  const short = isRun ? { start: span?.start ?? first.start, end: last.end } : span;
  if (short === null) return null;
  // "The" and "Title Cards" could be no work's name.
  const within = wordsOf(text).filter(({ start, end }) => start >= short.start && end <= short.end);
  return unknownIn(explain(within, text)).some((word) => !isFiller(word.text)) ? short : null;
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
  const [only, ...others] = unknown.filter(({ text: word }) => /^\d{1,4}$/.test(word));
  const isAtEnd = only !== undefined && (unknown[0] === only || unknown.at(-1) === only);
  return others.length === 0 && isAtEnd ? [Number(only.text)] : [];
}
