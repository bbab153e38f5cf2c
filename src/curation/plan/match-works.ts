import { groupedBy } from '../../grouped-by.ts';
import { posterNames } from '../../model/names/known-words.ts';
import {
  explain,
  hasDoubt,
  isTurned,
  leadOf,
  phrasesOutside,
  type Role,
  type Said,
  textOfName,
  unknownIn,
} from '../../model/names/name.ts';
import { isNumberName } from '../../model/names/numerals.ts';
import { type TitleBook, titleBook, titleForms, titleIn, type WordRange } from '../../model/names/titles.ts';
import { plain, textOf, type Word, wordKey, wordsOf } from '../../model/names/words.ts';
import type { WorkTarget } from '../../model/target.ts';
import type { ReadWork } from '../read-work.ts';
import { firstOf, nothing, picturesOf, type Verdict, type Why } from './verdict.ts';

/** The works of a plan that has no seasons (films, collections, games), by their titles. */
interface WorksIndex {
  readonly entry: WorkTarget;
  readonly works: readonly WorkTarget[];
  readonly titles: TitleBook<WorkTarget>;
  /** What a collection is called without that word, which is often a film's title as well. */
  readonly short: ReadonlySet<string>;
  /** What may stand in front of a film's title: the words of its collection's. */
  readonly series: ReadonlySet<string>;
  readonly isCollection: boolean;
}

/** What a collection is called that has one of its films' titles. */
const calledSo = ['collection', 'saga', 'trilogy', 'series', 'anthology', 'quadrilogy'];

/**
 * The works of a folder without seasons, a film's or a collection's, to be looked up by title and year.
 * @param alsoCalled other names of the entry
 */
export function indexWorks({ work }: ReadWork, alsoCalled: readonly string[]): WorksIndex {
  const entry = work.target;
  const works = [entry, ...work.films];
  const isCollection = entry.kind === 'collection';
  const words = isCollection ? wordsOf(plain(entry.title)).map(({ text }) => text) : [];
  const series = words.filter((word) => !calledSo.includes(word));
  const called = [...alsoCalled, ...(isCollection ? [`${entry.title} Collection`] : [])];
  const [own, long] = [titleForms(entry.title, called).whole, titleForms(series.join(' ')).whole];
  const short = new Set([...long].filter((key) => !own.has(key)));
  const forms = [
    ...[...own].map((key) => ({ key, one: entry })),
    ...work.films.flatMap((one) => [...titleForms(one.title).whole].map((key) => ({ key, one }))),
    ...[...short].map((key) => ({ key, one: entry })),
  ];
  const byKey = groupedBy(forms, ({ key }) => key);
  const named = (some: readonly Word[]) => (byKey.get(wordKey(some)) ?? []).map(({ one }) => one);
  const titles = { ...titleBook(works, ({ title }) => title), named };
  return { entry, works, titles, short, series: new Set(series), isCollection };
}

/**
 * Matches one file by its name where there are no seasons: a film, a collection's films, a game.
 * @param chosen the name of the folder that was chosen
 * @param inner the folders in it that the file lies in
 */
export function matchAmongWorks(
  chosen: string | null,
  inner: readonly string[],
  stem: string,
  index: WorksIndex,
): Verdict {
  const own = readWorkName(stem, index);
  const outer = inner.map((folder) => readWorkName(folder, index));
  const outermost = chosen === null ? [] : [readWorkName(chosen, index)];
  const around = [...outermost, ...outer].findLast(({ named }) => named.length > 0) ?? null;
  const foreign = outer.find((name) => name.isForeign);
  if (foreign !== undefined && !own.named.some(({ why }) => why === null)) return refusal(foreign, index);
  const isTitled = own.named.length > 0;
  const saysNothing = own.said.slots.length === 0 && !posterNames.has(wordKey(own.said.words));
  if (own.isForeign) return refusal(own, index);
  if (!isTitled && saysNothing) return nothing('says_nothing');
  const named = isTitled ? within(own.named, around) : holder(around, outermost, index);
  const folders = { within: slotOf(outer), chosen: slotOf(outermost) };
  const meant = named.map((one) => ({
    target: one.work,
    phrases: phrasesOutside(own.said, isTitled ? one : null),
  }));
  const { isSure, ...pictures } = picturesOf(meant, folders);
  if (pictures.places.length === 0) return nothing('no_slot');
  const why = firstOf(
    own.years.length === 0 && doubtOfFolders([...outermost, ...outer]),
    doubtAbout(named, own, around, outer),
    new Set(named.map(({ work }) => work)).size > 1 && 'title_shared',
    // A folder that is only alike, around one that has a title, may be another work's.
    !isTitled && outer.some((folder) => folder.named.some(({ to }) => to === 0)) && 'names_differ',
    !isSure && 'slot_unclear',
  );
  const about = named.find((one) => one.about !== undefined && one.why === why)?.about;
  return { ...pictures, why, ...(about === undefined ? {} : { about }) };
}

/** A title that is shared is the film's in whose folder the file lies. */
function within(named: readonly NamedWork[], around: WorkName | null): readonly NamedWork[] {
  const [film, ...others] = around?.named ?? [];
  if (film?.work.kind !== 'movie' || film.why !== null || others.length > 0) return named;
  const same = named.filter(({ work, why }) => work === film.work && why === null);
  return same.length > 0 ? same : named;
}

/** What a picture is of that only says what it is: in the chosen folder the entry, where that is called just so. */
function holder(around: WorkName | null, chosen: readonly WorkName[], { entry }: WorksIndex) {
  const own: readonly NamedWork[] = [{ work: entry, from: 0, to: 0, why: null }];
  if (around === null) return own;
  const mayBe = around.named.some(({ work, why }) => work === entry && why === null);
  return chosen.includes(around) && mayBe ? own : around.named;
}

function slotOf(folders: readonly WorkName[]) {
  return folders.flatMap(({ said }) => said.slots).at(-1)?.phrase ?? null;
}

/** A folder that gives the title another year, or has more beside it, may be another work's: a file without a year too. */
function doubtOfFolders(folders: readonly WorkName[]): Why | null {
  const isMore = ({ about, why }: NamedWork) => about !== undefined && why !== null;
  return firstOf(
    folders.some(({ otherYear }) => otherYear !== null) && 'year_differs',
    folders.some(({ named }) => named.some(isMore)) && 'unclear_words',
  );
}

function doubtAbout(
  named: readonly NamedWork[],
  own: WorkName,
  around: WorkName | null,
  outer: readonly WorkName[],
): Why | null {
  const isDoubtful = (name: WorkName) => hasDoubt(name.said, name.named[0] ?? null);
  // A film's file may lie in its collection's folder, also where that is called as a film; not in another film's.
  const isElsewhere =
    around?.named.every(({ work }) => work.kind === 'movie' && named.every((one) => one.work !== work)) ??
    false;
  return firstOf(
    named.find(({ why }) => why !== null)?.why ?? null,
    [own, ...outer].some(isDoubtful) && 'unclear_words',
    own.named.length > 0 && isElsewhere && 'names_differ',
  );
}

function refusal({ said, years, otherYear }: WorkName, { isCollection }: WorksIndex): Verdict {
  if (otherYear !== null) return nothing('other_year', String(otherYear));
  const about = [textOf(unknownIn(said)), ...years].join(' ').trim();
  return nothing(isCollection ? 'no_such_movie' : 'other_work', about);
}

/** A work that a name names: which of its words are the title, and why it may be another all the same. */
interface NamedWork extends WordRange {
  readonly work: WorkTarget;
  readonly why: Why | null;
  readonly about?: string;
}

/** The name of a file or folder, where there are no seasons. */
interface WorkName {
  readonly said: Said;
  readonly named: readonly NamedWork[];
  /** It may be named after something else. */
  readonly isForeign: boolean;
  readonly years: readonly number[];
  /** The title is one here, and the year is another work's. */
  readonly otherYear: number | null;
}

/**
 * Reads which film of a collection, or which other work without seasons, a name means: by its whole title with nothing
 * unknown beside it; else perhaps by that among unknown words, a number, a part of a title, or nearly one.
 */
function readWorkName(raw: string, index: WorksIndex): WorkName {
  const text = textOfName(raw);
  const said = yearsMarked(explain(wordsOf(text), text));
  const years = yearsIn(said.words);
  const found = candidatesIn(said, index);
  const alone = found.filter(({ rest }) => rest.length === 0);
  const fitting = alone.filter(fitsYear);
  const sure = longest(fitting.map((one) => mayBeOther(one, said, text)));
  const guesses = () => {
    const [beside, short] = [false, true].map((isShort) =>
      found
        .filter((one) => fitsYear(one) && one.isShort === isShort)
        .flatMap((one) => judged(one, said, index)),
    );
    const placed = numbered(said, index);
    // Of a collection's films another year may be a slip.
    const slips = index.isCollection ? alone.map((one): NamedWork => ({ ...one, why: 'year_differs' })) : [];
    const all = [slips, placed, beside, alike(said, years, index), short];
    return all.find((some) => some !== undefined && some.length > 0) ?? [];
  };
  const named = sure.length > 0 ? sure : longest(guesses());
  const isStrange = unknownIn(said).length > 0 || years.length > 0;
  return {
    ...{ said, years },
    named: isTurned(raw) ? named.map((one) => ({ ...one, why: one.why ?? 'hidden_signs' })) : named,
    isForeign: named.length === 0 && isStrange && !posterNames.has(wordKey(said.words)),
    otherYear: named.length === 0 && alone.length > 0 ? (years[0] ?? null) : null,
  };
}

/** A year says which work of a title is meant. */
function yearsMarked(said: Said): Said {
  const isMarked = (at: number) => isYear(said.words[at]?.text ?? '');
  return { ...said, roles: said.roles.map((role, at): Role => role ?? (isMarked(at) ? 'copy' : null)) };
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d{2}$/.test(text);
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}

function yearsIn(words: readonly Word[]): number[] {
  return words.filter(({ text }) => isYear(text)).map(({ text }) => Number(text));
}

/** A title among a name's words. */
interface Candidate extends WordRange {
  readonly work: WorkTarget;
  /** By how many years it is another one's: null where one of both has none. */
  readonly off: number | null;
  /** The unknown words that stand before it or behind it. */
  readonly rest: readonly Word[];
  readonly isShort: boolean;
}

/** Names of works have fewer words. */
const mostWords = 24;

function candidatesIn({ words, roles }: Said, { titles, short }: WorksIndex): Candidate[] {
  const [first, last] = [roles.indexOf(null), roles.lastIndexOf(null)];
  const most = Math.min(words.length, mostWords);
  const found: Candidate[] = [];
  for (let from = 0; from < most; from += 1) {
    for (let to = from + 1; to <= most; to += 1) {
      if (from > first && to <= last) continue;
      const some = words.slice(from, to);
      const outside = words.filter((_, at) => at < from || at >= to);
      const rest = words.filter((_, at) => (at < from || at >= to) && roles[at] === null);
      for (const work of titles.named(some)) {
        const isShort = work.kind === 'collection' && short.has(wordKey(some));
        const apart = yearsIn(outside).map((year) => Math.abs(year - (work.year ?? Number.NaN)));
        const off = work.year === null || apart.length === 0 ? null : Math.min(...apart);
        // A year is a film's: a collection that is called as one of its films is not meant by a name with a year.
        const isFilms =
          work.kind === 'collection' && apart.length > 0 && (isShort || titles.named(some).length > 1);
        if (!isFilms) found.push({ work, from, to, off, rest, isShort });
      }
    }
  }
  return found;
}

function fitsYear({ off }: Candidate): boolean {
  return off === null || off <= 1;
}

/** Why a whole title may be another's all the same: a year beside the right one, a word in front. */
function mayBeOther({ work, from, to, off, isShort }: Candidate, said: Said, text: string): NamedWork {
  const lead = leadOf(said, from, text);
  const why = firstOf(
    off === 1 && 'year_differs',
    lead !== null && 'unclear_words',
    isShort && 'title_shared',
  );
  return { work, from, to, why, ...(lead === null ? {} : { about: lead.text }) };
}

/** The place of a film among its collection's, from 1, in the order of their years; null where years are missing. */
function placeInOrder(movie: WorkTarget, { works }: WorksIndex): number | null {
  const movies = works.filter(({ kind }) => kind === 'movie');
  if (movies.some(({ year }) => year === null)) return null;
  return movies.filter(({ year }) => (year ?? 0) < (movie.year ?? 0)).length + 1;
}

/** Harry Potter 3, Harry Potter 7.1: the film in that place, or with the last number in its title. */
function numbered({ words, roles }: Said, index: WorksIndex): NamedWork[] {
  const { works, series } = index;
  const unknown = words.filter((_, at) => roles[at] === null);
  const numbers = unknown.filter(({ text }) => isNumber(text)).map(({ text }) => Number(text));
  const isOfSeries = unknown.every(({ text }) => series.has(text) || isCount(text));
  if (!isOfSeries || numbers.length === 0 || numbers.length === unknown.length) return [];
  const last = String(numbers.at(-1));
  const films = works.filter(({ kind }) => kind === 'movie');
  const placed = films.filter((film) => numbers.length === 1 && placeInOrder(film, index) === numbers[0]);
  const titled = films.filter(({ title }) => wordsOf(plain(title)).some(({ text }) => text === last));
  const found = [...new Set([...placed, ...titled])];
  const range = { from: roles.indexOf(null), to: roles.lastIndexOf(null) + 1 };
  return found.map((work) => ({ work, ...range, why: 'number_alone' }));
}

/**
 * A whole title that has other words beside it, which may make it another work's: Godzilla [Minus One]. Words of the
 * collection's title, or a number, in front of a film's, with the film's year, are nothing strange.
 */
function judged(found: Candidate, { words }: Said, { series, entry }: WorksIndex): NamedWork[] {
  const { work, from, to, off, rest } = found;
  const about = textOf(rest);
  const isBefore = rest.every(({ end }) => end <= (words[from]?.start ?? 0));
  const isOfSeries = rest.every(({ text }) => series.has(text) || isCount(text));
  const isNamed = isOfSeries && rest.some(({ text }) => series.has(text));
  // 04 - Goblet of Fire (2005): its place in the list.
  const isListed = series.size > 0 && isOfSeries && rest.length === 1;
  const isSure = work.kind === 'movie' && isBefore && (isNamed || isListed) && off === 0;
  // One word and no year is as likely something else.
  const isBracketed = rest.every((word) => word.within !== '');
  const isTelling = off !== null || to - from > 1 || isBracketed || (from === 0 && work === entry);
  return isTelling ? [{ work, from, to, why: isSure ? null : 'unclear_words', about }] : [];
}

function isCount(text: string): boolean {
  return isNumber(text) || isNumberName(text) || /^(?:episode|part|chapter|vol|volume)$/.test(text);
}

/** Nearly a title, a part of one, or a film's year. */
function alike(said: Said, years: readonly number[], { works, titles }: WorksIndex): NamedWork[] {
  const { core } = titleIn(said, titles);
  const near = titles.near(core).map(([work]) => work);
  const all = core.length === 0 ? works : [...new Set([...near, ...titles.holding(core)])];
  // A collection has no year.
  const fits = ({ kind, year }: WorkTarget) =>
    years.length === 0 ||
    (year === null ? kind !== 'collection' : years.some((each) => Math.abs(each - year) <= 1));
  if (core.length === 0 && years.length === 0) return [];
  const why = near.length > 0 ? 'title_misspelt' : 'title_in_part';
  return all.filter(fits).map((work) => ({ work, from: 0, to: 0, why }));
}

/** "Blade Runner 2049" is not "Blade Runner" with a number behind it. */
function longest(named: readonly NamedWork[]): NamedWork[] {
  const most = Math.max(0, ...named.map(({ from, to }) => to - from));
  return named.filter(({ from, to }) => to - from === most);
}
