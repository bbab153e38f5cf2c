import { groupedBy } from '../../grouped-by.ts';
import { isDeviceName } from '../../model/names/file-name.ts';
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
import { plain, type Word, wordKey, wordsOf } from '../../model/names/words.ts';
import type { WorkTarget } from '../../model/target.ts';
import type { ReadWork } from '../read-work.ts';
import { distinctPlaces } from './places.ts';
import { type FolderSlots, nothing, slotsSaid, type Verdict, type Why } from './verdict.ts';

/** The works of a plan that has no seasons (films, collections, games), by their titles. */
export interface WorksIndex {
  readonly entry: WorkTarget;
  readonly works: readonly WorkTarget[];
  readonly whole: TitleBook<WorkTarget>;
  /** Beginnings of titles, which other works may be called. */
  readonly part: Pick<TitleBook<WorkTarget>, 'named'>;
  /** What may stand in front of a film's title: the words of its collection's. */
  readonly series: ReadonlySet<string>;
}

/**
 * The works of a folder without seasons, a film's or a collection's, to be looked up by title and year.
 * @param alsoCalled other names of the entry
 */
export function indexWorks({ work }: ReadWork, alsoCalled: readonly string[]): WorksIndex {
  const entry = work.target;
  const works = [entry, ...work.films];
  const isCollection = entry.kind === 'collection';
  const own = [...alsoCalled, ...(isCollection ? [`${entry.title} Collection`] : [])];
  const forms = works.map((one) => ({ one, ...titleForms(one.title, one === entry ? own : []) }));
  const named = (as: 'whole' | 'part'): TitleBook<WorkTarget>['named'] => {
    const all = forms.flatMap(({ one, [as]: keys }) => [...keys].map((key) => ({ key, one })));
    const byKey = groupedBy(all, ({ key }) => key);
    return (words) => (byKey.get(wordKey(words)) ?? []).map(({ one }) => one);
  };
  const { words = [] } = isCollection ? (forms[0] ?? {}) : {};
  return {
    ...{ entry, works },
    whole: { ...titleBook(works, ({ title }) => title), named: named('whole') },
    part: { named: named('part') },
    series: new Set(words.filter((word) => !calledSo.includes(word))),
  };
}

/** What a collection is called that has one of its films' titles. */
const calledSo = ['collection', 'saga', 'trilogy', 'series', 'anthology', 'quadrilogy'];

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
  const isSure = own.named.some(({ why }) => why === null);
  const foreign = outer.find((name) => name.foreign);
  if (foreign !== undefined && !isSure) {
    const isPlain = own.named.length === 0 && unknownIn(own.said).length === 0;
    const asked = isPlain ? guess(foreign, index, own.said) : null;
    return asked?.why === 'title_misspelt' ? asked : refusal(foreign, index);
  }
  if (own.named.length === 0 && isDeviceName(stem)) return nothing('says_nothing');
  if (own.foreign) return guess(own, index);
  const entry: NamedWork = { work: index.entry, from: 0, to: 0, why: null };
  const named =
    own.named.length > 0
      ? within(own.named, around)
      : around === null
        ? [entry]
        : holder(around, outermost, entry);
  const slots = { within: slotOf(outer), chosen: slotOf(outermost) };
  const meant = named.map((one) => ({ ...one, slots: slotsFor(one, own, slots) }));
  if (meant.every((one) => one.slots === null)) return nothing('says_nothing');
  const places = distinctPlaces(
    meant.flatMap(({ work, slots: of }) => (of?.slots ?? []).map((slot) => ({ target: work, slot }))),
  );
  if (places.length === 0) return nothing('no_slot');
  const isUnclear = places.length > 1 || meant.some((one) => one.slots?.sure === false);
  const why: Why | null =
    (own.years.length > 0 ? null : doubtOfFolders([...outermost, ...outer])) ??
    doubtAbout(named, own, around, outer) ??
    (new Set(meant.map(({ work }) => work)).size > 1 ? 'title_shared' : null) ??
    (isUnclear ? 'slot_unclear' : null);
  const about = named.find((one) => one.about !== undefined && one.why === why)?.about;
  return {
    ...{ places, why },
    ...(about === undefined ? {} : { about }),
    usual: meant.every((one) => one.slots?.usual === true),
    byShape: meant.some((one) => one.slots?.byShape === true),
  };
}

/** A title that is shared is the film's in whose folder the file lies. */
function within(named: readonly NamedWork[], around: WorkName | null): readonly NamedWork[] {
  const [film, ...others] = around?.named ?? [];
  if (film?.work.kind !== 'movie' || film.why !== null || others.length > 0) return named;
  const same = named.filter(({ work, why }) => work === film.work && why === null);
  return same.length > 0 ? same : named;
}

/** What a picture is of that only says what it is: in the chosen folder the entry, where that is called just so. */
function holder(around: WorkName, chosen: readonly WorkName[], entry: NamedWork): readonly NamedWork[] {
  const mayBe = around.named.some(({ work, why }) => work === entry.work && why === null);
  return chosen.includes(around) && mayBe ? [entry] : around.named;
}

/** Null where the name says neither what the picture is of nor what it is. */
function slotsFor({ work, from, to }: NamedWork, own: WorkName, folders: FolderSlots) {
  const isTitled = own.named.length > 0;
  const phrases = phrasesOutside(own.said, isTitled ? { from, to } : null);
  if (phrases.length === 0 && !isTitled && !posterNames.has(wordKey(own.said.words))) return null;
  return slotsSaid(work.kind, phrases, folders);
}

function slotOf(folders: readonly WorkName[]) {
  return folders.flatMap(({ said }) => said.slots).at(-1)?.phrase ?? null;
}

/** A folder that gives the title another year, or has more beside it, may be another work's: a file without a year too. */
function doubtOfFolders(folders: readonly WorkName[]): Why | null {
  if (folders.some(({ otherYear }) => otherYear !== null)) return 'year_differs';
  const isMore = folders.some(({ named }) =>
    named.some(({ about, why }) => about !== undefined && why !== null),
  );
  return isMore ? 'unclear_words' : null;
}

function doubtAbout(
  named: readonly NamedWork[],
  own: WorkName,
  around: WorkName | null,
  outer: readonly WorkName[],
): Why | null {
  const why = named.find((one) => one.why !== null)?.why ?? null;
  if (why !== null) return why;
  const isDoubtful = (name: WorkName) => hasDoubt(name.said, name.named[0] ?? null);
  if (isDoubtful(own) || outer.some(isDoubtful)) return 'unclear_words';
  if (own.named.length === 0 || around === null) return null;
  const inner = new Set(named.map(({ work }) => work));
  const differs = !around.named.some(({ work }) => inner.has(work));
  // A film's file may lie in its collection's folder, also where that is called as a film; not in another film's.
  return differs && around.named.every(({ work }) => work.kind === 'movie') ? 'names_differ' : null;
}

/** What a name may mean that is no title here: a part of one, nearly one, a film's year. */
function guess(name: WorkName, index: WorksIndex, picture = name.said): Verdict {
  const { works, whole } = index;
  const { said, years } = name;
  const none = { within: null, chosen: null };
  const { core } = titleIn(said, whole);
  const near = core.length === 0 ? [] : whole.near(core).map(([work]) => work);
  const alike = core.length === 0 ? [] : [...near, ...whole.holding(core)];
  // A collection has no year.
  const fits = ({ kind, year }: WorkTarget) =>
    years.length === 0 ||
    (year === null ? kind !== 'collection' : years.some((each) => Math.abs(each - year) <= 1));
  const ofYear = works.filter(({ kind, year }) => kind === 'movie' && year !== null && years.includes(year));
  const meant = core.length === 0 ? ofYear : [...new Set(alike)].filter(fits);
  // 620_hero: the number that a store has for the game, perhaps.
  const isSerial = index.entry.kind === 'game' && core.every(({ text }) => /^\d{2,}$/.test(text));
  if (isSerial && said.slots.length > 0 && years.length === 0) {
    const { slots } = slotsSaid('game', phrasesOutside(said, null), none);
    return { places: slots.map((slot) => ({ target: index.entry, slot })), why: 'unclear_words' };
  }
  if (meant.length === 0) return refusal(name, index);
  const places = meant.flatMap((work) =>
    slotsSaid(work.kind, phrasesOutside(picture, null), none).slots.map((slot) => ({ target: work, slot })),
  );
  if (places.length === 0) return nothing('no_slot');
  return { places, why: near.length > 0 ? 'title_misspelt' : 'title_in_part' };
}

/** Harry Potter 3, Harry Potter 7.1: the film in that place, or with the last number in its title; else the collection. */
function byPlace({ words, roles }: Said, index: WorksIndex): NamedWork[] {
  const { works, entry, series } = index;
  const [from, to] = [roles.indexOf(null), roles.lastIndexOf(null) + 1];
  const unknown = words.filter((_, at) => roles[at] === null);
  const numbers = unknown.filter(({ text }) => isNumber(text)).map(({ text }) => Number(text));
  const isOfSeries = unknown.every(({ text }) => series.has(text) || isCount(text));
  const isCounted = numbers.length > 0 && numbers.length < unknown.length;
  if (entry.kind !== 'collection' || !isOfSeries || !isCounted) return [];
  const years = yearsIn(words);
  const films = works.filter(
    ({ kind, year }) => kind === 'movie' && (years.length === 0 || years.includes(year ?? 0)),
  );
  const placed = films.filter((film) => numbers.length === 1 && placeInOrder(film, index) === numbers[0]);
  const last = String(numbers.at(-1));
  const titled = films.filter(({ title }) => wordsOf(plain(title)).some(({ text }) => text === last));
  const found = [...new Set([...placed, ...titled])];
  return (found.length > 0 ? found : [entry]).map((work) => ({ work, from, to, why: 'number_alone' }));
}

function refusal({ said, years, otherYear }: WorkName, { entry }: WorksIndex): Verdict {
  if (otherYear !== null) return nothing('other_year', String(otherYear));
  const about = [...unknownIn(said).map(({ text }) => text), ...years].join(' ');
  return nothing(entry.kind === 'collection' ? 'no_such_movie' : 'other_work', about);
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
  readonly foreign: boolean;
  readonly years: readonly number[];
  /** The title is one here, and the year is another work's. */
  readonly otherYear: number | null;
}

/** Reads which film of a collection, or which other work without seasons, a name means. */
function readWorkName(raw: string, index: WorksIndex): WorkName {
  const text = textOfName(raw);
  const said = yearsMarked(explain(wordsOf(text), text), index.entry.kind === 'collection');
  const titles = titlesIn(said, index.whole);
  const named = namedIn(said, titles, index).map((one): NamedWork => {
    const lead = one.why === null ? leadOf(said, one.from, text) : null;
    return lead === null ? one : { ...one, why: 'unclear_words', about: lead.text };
  });
  const found = [...named, ...asCollection(said, named, index)];
  const placed = byPlace(said, index);
  const beside = besideOthers(said, index);
  // A number by itself tells the film's place; beside a film's own number it is something else.
  const isPlace = beside.length === 0 || said.words.filter(({ text }) => isNumber(text)).length === 1;
  const guessed = isPlace && placed.length > 0 ? placed : beside;
  const all = found.length > 0 ? found : guessed;
  const turned: Why | null = isTurned(raw) ? 'hidden_signs' : null;
  const years = yearsIn(said.words);
  const isStrange = unknownIn(said).length > 0 || years.length > 0;
  const [year] = all.length === 0 && titles.some(({ off }) => off !== null && off > 1) ? years : [];
  return {
    said,
    named: all.map((one) => ({ ...one, why: one.why ?? turned })),
    foreign: all.length === 0 && isStrange && !posterNames.has(wordKey(said.words)),
    years,
    otherYear: year ?? null,
  };
}

/** A year says which work of a title is meant; a number before a film's title is its place in a list. */
function yearsMarked(said: Said, isListed: boolean): Said {
  const roles = said.roles.map((role, at): Role => {
    const { text = '' } = said.words[at] ?? {};
    if (role !== null) return role;
    return isYear(text) || (isListed && at === 0 && isNumber(text)) ? 'copy' : null;
  });
  return { ...said, roles };
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

/** The years in a name, beside those words that are a title. */
function yearsBeside({ words }: Said, { from, to }: WordRange): number[] {
  return yearsIn([...words.slice(0, from), ...words.slice(to)]);
}

/** A title among the words, and by how many years it is another one's: null where one of both has none. */
interface Candidate extends WordRange {
  readonly work: WorkTarget;
  readonly off: number | null;
}

function candidate(work: WorkTarget, said: Said, { from, to }: WordRange): Candidate {
  const { year } = work;
  const years = yearsBeside(said, { from, to });
  const isOpen = year === null || years.length === 0;
  return { work, from, to, off: isOpen ? null : Math.min(...years.map((each) => Math.abs(each - year))) };
}

function titlesIn(said: Said, book: Pick<TitleBook<WorkTarget>, 'named'>): Candidate[] {
  const found = titleIn(said, book).named.map(({ item, ...range }) => candidate(item, said, range));
  // A year is a film's: a collection that is called as one of its films is not meant by a name with a year.
  const dated = found.filter(({ off }) => off !== null);
  return found.filter(
    ({ work, from, to }) =>
      work.kind !== 'collection' || !dated.some((film) => film.from === from && film.to === to),
  );
}

function fitsYear({ off }: Candidate): boolean {
  return off === null || off <= 1;
}

/** Whole titles before parts of them. Another year is another work's, but of a collection's films it may be a slip. */
function namedIn(said: Said, titles: readonly Candidate[], index: WorksIndex): NamedWork[] {
  const whole = titles.filter(fitsYear).map((one) => inOrder(one, said, index));
  if (whole.length > 0) return longest(whole);
  const inPart = titlesIn(said, index.part).flatMap((one): (NamedWork & Candidate)[] => {
    const years = yearsBeside(said, one);
    // One word of a title, and no year: that is as likely something else.
    if (!fitsYear(one) || (years.length === 0 && one.to - one.from < 2)) return [];
    return [{ ...one, why: one.off === 1 ? 'year_differs' : 'title_in_part' }];
  });
  const slips = index.entry.kind === 'collection' ? titles.filter(({ off }) => off !== null) : [];
  if (slips.length === 0) return longest(inPart);
  const ofYear = inPart.filter(({ off }) => off !== null);
  return [...longest(slips.map((one): NamedWork => ({ ...one, why: 'year_differs' }))), ...longest(ofYear)];
}

/** Why a whole title may be another's all the same: a year beside the right one, another place in a list. */
function inOrder(found: Candidate, said: Said, index: WorksIndex): NamedWork {
  const { work, from, to, off } = found;
  const [first] = said.words;
  const listed = from > 0 && first !== undefined && isNumber(first.text) ? Number(first.text) : null;
  const isMisplaced = listed !== null && off === null && listed !== placeInOrder(work, index);
  return { work, from, to, why: off === 1 ? 'year_differs' : isMisplaced ? 'unclear_words' : null };
}

/** The place of a film among its collection's, from 1, in the order of their years; null where years are missing. */
function placeInOrder(movie: WorkTarget, { works }: WorksIndex): number | null {
  const movies = works.filter(({ kind }) => kind === 'movie');
  if (movies.some(({ year }) => year === null)) return null;
  return movies.filter(({ year }) => (year ?? 0) < (movie.year ?? 0)).length + 1;
}

/**
 * A whole title that has other words beside it, which may make it another work's: Godzilla [Minus One]. Words of the
 * collection's title in front of a film's, with the film's year, are nothing strange.
 */
function besideOthers(said: Said, index: WorksIndex): NamedWork[] {
  const found: NamedWork[] = [];
  const { words, roles } = said;
  const [first, last] = [roles.indexOf(null), roles.lastIndexOf(null)];
  const most = Math.min(words.length, mostWords);
  for (let from = 0; from < most; from += 1) {
    for (let to = from + 1; to <= most; to += 1) {
      const isAtEnd = from <= first || to > last;
      const outside = words.filter((_, at) => (at < from || at >= to) && roles[at] === null);
      if (!isAtEnd || outside.length === 0) continue;
      for (const work of index.whole.named(words.slice(from, to))) {
        found.push(...judged(candidate(work, said, { from, to }), outside, said, index));
      }
    }
  }
  return longest(found);
}

/** Names of works have fewer words. */
const mostWords = 24;

function judged(found: Candidate, outside: readonly Word[], { words }: Said, index: WorksIndex): NamedWork[] {
  const { work, from, to, off } = found;
  const { series, entry } = index;
  if (!fitsYear(found)) return [];
  const about = outside.map(({ text }) => text).join(' ');
  const isBefore = outside.every(({ end }) => end <= (words[from]?.start ?? 0));
  const ofSeries = isBefore && outside.every(({ text }) => series.has(text) || isCount(text));
  if (work.kind === 'movie' && ofSeries && outside.some(({ text }) => series.has(text))) {
    return [{ work, from, to, why: off === 0 ? null : 'unclear_words', about }];
  }
  if (entry.kind === 'collection' && outside.every(({ text }) => calledSo.includes(text))) {
    return [{ work: entry, from, to, why: 'title_shared', about }];
  }
  // A number behind a title makes it another film's; one word and no year is as likely something else.
  const next = words[to];
  const isNumbered = next !== undefined && outside.includes(next) && isCount(next.text);
  const isBracketed = outside.every((word) => word.within !== '');
  const isTelling = off !== null || to - from > 1 || isBracketed || (from === 0 && work === entry);
  return isTelling ? [{ work, from, to, why: isNumbered ? 'title_in_part' : 'unclear_words', about }] : [];
}

function isCount(text: string): boolean {
  return /^\d{1,2}$/.test(text) || isNumberName(text) || /^(?:episode|part|chapter|vol|volume)$/.test(text);
}

/** "Blade Runner 2049" is not "Blade Runner" with a number behind it. */
function longest<Named extends NamedWork>(named: readonly Named[]): Named[] {
  const most = Math.max(0, ...named.map(({ from, to }) => to - from));
  return named.filter(({ from, to }) => to - from === most);
}

/** A collection named without that word, which is often a film's title as well. */
function asCollection(said: Said, named: readonly NamedWork[], { entry, whole }: WorksIndex): NamedWork[] {
  if (entry.kind !== 'collection' || named.some(({ work }) => work === entry)) return [];
  const { core } = titleIn(said, whole);
  const [first] = core;
  if (first === undefined || yearsIn(said.words).length > 0) return [];
  const isLonger = calledSo.some((word) => whole.named([...core, { text: word }]).includes(entry));
  const from = said.words.indexOf(first);
  return isLonger ? [{ work: entry, from, to: from + core.length, why: 'title_shared' }] : [];
}
