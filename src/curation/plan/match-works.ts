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
import type { Why } from './reasons.ts';
import { firstOf, nothing, picturesOf, type Verdict } from './verdict.ts';

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
  const foreign = outer.find(({ refusal }) => refusal !== null)?.refusal ?? null;
  if (foreign !== null && !own.named.some(({ why }) => why === null)) return foreign;
  const isTitled = own.named.length > 0;
  const saysNothing = own.said.slots.length === 0 && !posterNames.has(wordKey(own.said.words));
  if (own.refusal !== null) return own.refusal;
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
    folders.some(({ refusal }) => refusal?.why === 'other_year') && 'year_differs',
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

/** A work that a name names: which of its words are the title, and why it may be another all the same. */
interface NamedWork extends WordRange {
  readonly work: WorkTarget;
  readonly why: Why | null;
  /** What stands beside the title. */
  readonly about?: string;
}

/** The name of a file or folder, where there are no seasons. */
interface WorkName {
  readonly said: Said;
  readonly named: readonly NamedWork[];
  readonly years: readonly number[];
  /** Where it is named after something else: what. */
  readonly refusal: Verdict | null;
}

/**
 * Reads which film of a collection, or which other work without seasons, a name means: by its whole title with nothing
 * unknown beside it; else perhaps by that among unknown words, a part of a title, or nearly one.
 */
function readWorkName(raw: string, index: WorksIndex): WorkName {
  const text = textOfName(raw);
  const words = wordsOf(text);
  const said = yearsMarked(explain(words, text));
  const years = yearsIn(words);
  const whole = titledIn(said, years, index);
  const sure = whole.filter(({ work }) => fitsYear(work, years)).map((one) => ofLead(one, said, years, text));
  // Of a collection's films another year may be a slip.
  const slips = index.isCollection ? whole.map((one) => ({ ...one, why: 'year_differs' as const })) : [];
  const named = longest(
    [sure, slips, ...guessesAt(said, years, index)].find(({ length }) => length > 0) ?? [],
  );
  const unknown = [textOf(unknownIn(said)), ...years].join(' ').trim();
  const isForeign = named.length === 0 && unknown !== '' && !posterNames.has(wordKey(words));
  const other = nothing(index.isCollection ? 'no_such_movie' : 'other_work', unknown);
  return {
    ...{ said, years },
    named: isTurned(raw) ? named.map((one) => ({ ...one, why: one.why ?? 'hidden_signs' })) : named,
    refusal: !isForeign ? null : whole.length > 0 ? nothing('other_year', String(years[0])) : other,
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

function yearsIn(words: readonly Word[]): number[] {
  return words.filter(({ text }) => isYear(text)).map(({ text }) => Number(text));
}

/** By how many years a name means another work than this one; null where one of both has none. */
function yearsOff({ title, year }: WorkTarget, years: readonly number[]): number | null {
  const own = yearsIn(wordsOf(plain(title)));
  const others = years.filter((one) => !own.includes(one));
  return year === null || others.length === 0 ? null : Math.min(...others.map((one) => Math.abs(one - year)));
}

function fitsYear(work: WorkTarget, years: readonly number[]): boolean {
  return (yearsOff(work, years) ?? 0) <= 1;
}

type Titled = Omit<NamedWork, 'why'> & { readonly isShort: boolean };

/** The whole titles that a name has with nothing unknown beside them. */
function titledIn(said: Said, years: readonly number[], { titles, short }: WorksIndex): Titled[] {
  return titleIn(said, titles).named.flatMap(({ item: work, from, to }) => {
    const words = said.words.slice(from, to);
    const isCollection = work.kind === 'collection';
    const isShort = isCollection && short.has(wordKey(words));
    // A year is a film's: a collection that is called as one of its films is not meant by a name with a year.
    const isFilms = isCollection && years.length > 0 && (isShort || titles.named(words).length > 1);
    return isFilms ? [] : [{ work, from, to, isShort }];
  });
}

/** Why a whole title may be another's all the same: a year beside the right one, a word in front. */
function ofLead(
  { work, from, to, isShort }: Titled,
  said: Said,
  years: readonly number[],
  text: string,
): NamedWork {
  const lead = leadOf(said, from, text);
  const why = firstOf(
    yearsOff(work, years) === 1 && 'year_differs',
    lead !== null && 'unclear_words',
    isShort && 'title_shared',
  );
  return { work, from, to, why, ...(lead === null ? {} : { about: lead.text }) };
}

/**
 * What a name may mean that has no whole title by itself, the likeliest first: a film by its number, a title behind its collection's or a
 * number, one among other words (Godzilla [Minus One]), nearly one, a part of one; last the collection's short name.
 */
function guessesAt(said: Said, years: readonly number[], index: WorksIndex): NamedWork[][] {
  const { titles, works } = index;
  const behind = behindSeries(said, years, index);
  const { core } = titleIn(said, titles);
  const unknown = unknownIn(said);
  const inFront = said.words.map((_, at) => titles.named(said.words.slice(0, at + 1)));
  const film = inFront.findLast((some) => some.some(({ kind }) => kind !== 'collection'));
  const within = titles.within(said.words);
  const among = within.length > 0 ? within : (film ?? []);
  const beside = among.map((work): NamedWork => {
    const own = wordsOf(plain(work.title)).map(({ text }) => text);
    const about = textOf(unknown.filter(({ text }) => !own.includes(text)));
    return { ...nowhere, work, why: 'unclear_words', about };
  });
  const near = titles.near(core).map(([work]) => work);
  const why = near.length > 0 ? 'title_misspelt' : 'title_in_part';
  const alike = core.length > 0 ? [...new Set([...near, ...titles.holding(core)])] : works;
  // A year alone names the works of that year.
  const guessed = alike.filter((work) => core.length > 0 || yearsOff(work, years) !== null);
  const ways = [
    numbered(unknown, index).map((work): NamedWork => ({ ...nowhere, work, why: 'number_alone' })),
    behind.filter(({ isShort }) => !isShort),
    beside,
    guessed.map((work): NamedWork => ({ ...nowhere, work, why })),
    behind.filter(({ isShort }) => isShort),
  ];
  return ways.map((some) => some.filter(({ work }) => fitsYear(work, years)));
}

/** Harry Potter 3, Harry Potter 7.1: the film in that place, or with the last number in its title. */
function numbered(unknown: readonly Word[], { works, series }: WorksIndex): WorkTarget[] {
  const numbers = unknown.filter(({ text }) => /^\d{1,2}$/.test(text)).map(({ text }) => text);
  const isOfSeries = unknown.every(({ text }) => series.has(text) || isCount(text));
  if (!isOfSeries || numbers.length === 0 || numbers.length === unknown.length) return [];
  const films = works.filter(({ kind }) => kind === 'movie');
  const inOrder = [...films].sort((one, other) => (one.year ?? 0) - (other.year ?? 0));
  const placed = numbers.length === 1 ? (inOrder[Number(numbers[0]) - 1] ?? []) : [];
  const last = numbers.at(-1);
  const titled = films.filter(({ title }) => wordsOf(plain(title)).some(({ text }) => text === last));
  return [...new Set([placed, titled].flat())];
}

/** Its words can't be told from others. */
const nowhere: WordRange = { from: 0, to: 0 };

/**
 * Titles with words of the collection's, a number, or words in brackets beside them. In front of a film's, with its
 * year, the first two are nothing strange.
 */
function behindSeries(said: Said, years: readonly number[], index: WorksIndex): (NamedWork & Titled)[] {
  const { words, roles } = said;
  const { series } = index;
  const isOwn = ({ text }: Word) => series.has(text) || isCount(text);
  const isApart = (word: Word) => isOwn(word) || word.within !== '';
  const listed = words.map((word, at): Role => roles[at] ?? (isApart(word) ? 'own' : null));
  return titledIn({ ...said, roles: listed }, years, index).map((one) => {
    const { work, from, to } = one;
    const rest = words.filter((_, at) => roles[at] === null && (at < from || at >= to));
    const isBefore = rest.every((word) => isOwn(word) && word.end <= (words[from]?.start ?? 0));
    // 04 - Goblet of Fire (2005): its place in the list.
    const isSeries = rest.some(({ text }) => series.has(text)) || (series.size > 0 && rest.length === 1);
    const isSure = work.kind === 'movie' && isBefore && isSeries && yearsOff(work, years) === 0;
    return { ...one, why: isSure ? null : 'unclear_words', about: textOf(rest) };
  });
}

function isCount(text: string): boolean {
  return /^\d{1,2}$/.test(text) || isNumberName(text) || /^(?:episode|part|chapter|vol|volume)$/.test(text);
}

/** "Blade Runner 2049" is not "Blade Runner" with a number behind it. */
function longest(named: readonly NamedWork[]): NamedWork[] {
  const most = Math.max(0, ...named.map(({ from, to }) => to - from));
  return named.filter(({ from, to }) => to - from === most);
}
