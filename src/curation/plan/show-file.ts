import { type Explained, explainWords, unknownWordsOf } from '../../model/names/explain.ts';
import { isTelling, type Name, readName, shortNameIn } from '../../model/names/name.ts';
import { codesIn, episodesIn, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import { outsideOf, rawTextOf, type Span, type Word, wordsOf } from '../../model/names/words.ts';
import type { FolderSlots } from './slots-named.ts';
import { episodesBySeasonFirst, type ShowIndex } from './work-index.ts';

/** What the files of one folder together tell about numbers that say nothing by themselves. */
export type Counting = 'through' | 'season first' | null;

/** One file of a show's folder, with all that tells about it. */
export interface ShowFile {
  readonly name: Name;
  readonly folders: FoldersSay;
  readonly index: ShowIndex;
  readonly counting: Counting;
}

/** What the folders that a file lies in say of it. */
export interface FoldersSay {
  /** One of them is named after the work. */
  readonly own: boolean;
  /** One of them may be named after another work, or it gives this one another year. */
  readonly foreign: boolean;
  /** What one of them calls the work, as it is written, which another may be called: part of its title, or more. */
  readonly called: string | null;
  readonly doubt: boolean;
  /** Distinct; more than one is a contradiction. */
  readonly seasons: readonly number[];
  readonly code: Numbers | null;
  readonly slots: FolderSlots;
}

const silent: FoldersSay = {
  own: false,
  foreign: false,
  called: null,
  doubt: false,
  seasons: [],
  code: null,
  slots: { within: null, chosen: null },
};

/**
 * Reads what the names of the folders around a file say: the season, the work's title, the kind of artwork.
 * @param outermost the folder that was chosen, which may be called anything
 * @param folders from the outermost in it to the one that holds the file
 */
export function readFolders(
  outermost: string | null,
  folders: readonly string[],
  index: ShowIndex,
): FoldersSay {
  const inner = folders.map((folder) => readFolder(folder, index));
  if (outermost === null) return inner.reduce(joinFolders, silent);
  const { own, seasons, slots } = readFolder(outermost, index);
  const chosen = { ...silent, own, seasons, slots: { within: null, chosen: slots.within } };
  return inner.reduce(joinFolders, chosen);
}

function joinFolders(outer: FoldersSay, inner: FoldersSay): FoldersSay {
  return {
    own: outer.own || inner.own,
    // A folder named after the work says what the ones in it are about.
    foreign: outer.foreign || inner.foreign,
    called: inner.called ?? outer.called,
    doubt: outer.doubt || inner.doubt,
    seasons: [...new Set([...outer.seasons, ...inner.seasons])],
    code: inner.code ?? outer.code,
    slots: { within: inner.slots.within ?? outer.slots.within, chosen: outer.slots.chosen },
  };
}

function readFolder(folder: string, index: ShowIndex): FoldersSay {
  const name = readName(folder, index.forms);
  const whole = name.title === 'whole' && !yearDiffers(name, index.show.year);
  const code = codesIn(name.rest)[0] ?? null;
  const numbered = code === null ? seasonsIn(name.rest) : [];
  const spans = code === null ? numbered : [code];
  const said = outside(name.rest, spans);
  const titled = spans.length > 0 ? [] : seasonsTitled(wordsOf(name.text), index);
  const seasons = [...numbered, ...titled].flatMap(({ season }) => (season === null ? [] : [season]));
  const unknown = unknownWordsOf(said);
  const doubtfully = titled.length > 0 ? null : doubtfulName(name, unknown, spans, index);
  return {
    own: whole && doubtfully === null,
    foreign:
      yearDiffers(name, index.show.year) ||
      (!whole && titled.length === 0 && unknown.length > 0 && doubtfully === null),
    called: doubtfully === null ? null : rawTextOf(folder, doubtfully),
    doubt: said.roles.includes('doubt'),
    seasons: [...new Set(seasons)],
    code,
    slots: { within: said.slots.at(-1)?.phrase ?? null, chosen: null },
  };
}

/** A folder whose whole name is a season's title, or the year that a season is numbered by. */
function seasonsTitled(words: readonly Word[], index: ShowIndex): { readonly season: number | null }[] {
  const titled = index.seasonTitles.named(words).map(({ season }) => ({ season }));
  if (titled.length > 0) return titled;
  const [only, ...others] = words;
  if (only === undefined || others.length > 0 || !/^\d{4}$/.test(only.text)) return [];
  return index.seasonsNumbered(Number(only.text)).map(({ season }) => ({ season }));
}

/** What may be another work's name: a part of this one's title, or the whole with words behind it. */
function doubtfulName(
  name: Name,
  unknown: readonly Word[],
  spans: readonly Span[],
  { forms }: ShowIndex,
): Span | null {
  const { span, title } = name;
  if (title === 'whole' && span !== null) {
    const until = Math.min(name.text.length, ...spans.map(({ start }) => start));
    const last = unknown.findLast(({ text, end }) => end <= until && !/^\d+$/.test(text));
    return last === undefined ? null : { start: span.start, end: last.end };
  }
  const short = shortNameIn(name, forms) ?? span;
  if (short === null || !isTelling(name, short)) return null;
  return unknown.every(({ start, end }) => start >= short.start && end <= short.end) ? short : null;
}

function outside(text: string, spans: readonly Span[]): Explained {
  return explainWords(outsideOf(wordsOf(text), spans), text);
}

/** Another work has the same title: more than a year lies between them. */
export function yearDiffers({ year, title }: Name, own: number | null): boolean {
  return title !== null && year !== null && own !== null && Math.abs(year - own) > 1;
}

/**
 * What numbers without a season mean that stand in one folder together: 1 to 62 of a show whose seasons have
 * thirteen are counted through; 101 to 107 and 201 to 213 have the season's number first. Null where several
 * things are possible, or one has a gap.
 */
export function countingOf(stems: readonly string[], index: ShowIndex): Counting {
  const numbers = [...new Set(stems.flatMap((stem) => numberAlone(stem, index)))].sort((a, b) => a - b);
  const last = numbers.at(-1) ?? 0;
  if (numbers.every((number, at) => number === at + 1) && last > index.highest && last <= index.count)
    return 'through';
  const joint = numbers.map((number) => episodesBySeasonFirst(number, index));
  const whole = index.regular.filter(({ episodes }) =>
    joint.some(([one]) => one !== undefined && episodes.includes(one)),
  );
  const covered = whole.flatMap(({ episodes }) => episodes);
  return whole.length > 1 && joint.every(({ length }) => length === 1) && covered.length === numbers.length
    ? 'season first'
    : null;
}

function numberAlone(stem: string, index: ShowIndex): number[] {
  const { rest } = readName(stem, index.forms);
  if (codesIn(rest).length + episodesIn(rest).length + seasonsIn(rest).length > 0) return [];
  const numbers = unknownWordsOf(explainWords(wordsOf(rest), rest));
  const [only, ...others] = numbers.filter(({ text }) => /^\d{1,4}$/.test(text));
  return only === undefined || others.length > 0 || (numbers[0] !== only && numbers.at(-1) !== only)
    ? []
    : [Number(only.text)];
}
