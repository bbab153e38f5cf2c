import {
  type Explained,
  explainWords,
  hasDoubt,
  phrasesOutside,
  type Role,
  unknownWordsOf,
  type WordRange,
} from '../../model/names/explain.ts';
import { isDeviceName } from '../../model/names/file-name.ts';
import { posterNames } from '../../model/names/known-words.ts';
import { isTurned, textOfName } from '../../model/names/name.ts';
import { isNumberName } from '../../model/names/numerals.ts';
import { titleIn } from '../../model/names/titles.ts';
import { type Word, wordKey, wordsOf } from '../../model/names/words.ts';
import type { ArtworkPhrase } from '../../model/slots.ts';
import type { WorkTarget } from '../../model/target.ts';
import { distinctPlaces } from './places.ts';
import { type FolderSlots, type NamedSlots, slotsNamed, slotsUnnamed } from './slots-named.ts';
import { type MatchVerdict, noMatch, type Why } from './verdict.ts';
import { placeInOrder, type WorksIndex } from './work-index.ts';

/** Matches one file by its name where there are no seasons: a film, a collection's films, a game. */
export function matchAmongWorks(
  outermost: string | null,
  folders: readonly string[],
  stem: string,
  index: WorksIndex,
): MatchVerdict {
  const own = readWorkName(stem, index);
  const outer = folders.map((folder) => readWorkName(folder, index));
  const chosen = outermost === null ? [] : [readWorkName(outermost, index)];
  const around = [...chosen, ...outer].findLast(({ named }) => named.length > 0) ?? null;
  const sureOfWork = own.named.some(({ why }) => why === null);
  if (outer.some(({ foreign }) => foreign) && !sureOfWork) return noMatch('other_work');
  if (own.named.length === 0 && isDeviceName(stem)) return noMatch('says_nothing');
  if (own.foreign) return guess(own, index);
  const titled = own.named.length > 0;
  const entry: NamedWork = { work: index.entry, from: 0, to: 0, why: null };
  const named = titled
    ? within(own.named, around)
    : around === null
      ? [entry]
      : holder(around, chosen, entry);
  const slots = { within: slotSaid(outer), chosen: slotSaid(chosen) };
  const meant = named.map((one) => ({ ...one, slots: slotsFor(one, own, slots) }));
  if (meant.every(({ slots }) => slots === null)) return noMatch('says_nothing');
  const places = distinctPlaces(
    meant.flatMap(({ work, slots }) => (slots?.slots ?? []).map((name) => ({ target: work, slot: name }))),
  );
  if (places.length === 0) return noMatch('no_slot');
  const works = new Set(meant.map(({ work }) => work));
  const unclear = meant.some(({ slots }) => slots?.sure === false);
  const open: Why | null =
    doubtAbout(named, own, around, outer) ??
    (works.size > 1 ? 'title_shared' : null) ??
    (unclear || places.length > 1 ? 'slot_unclear' : null);
  const usual = meant.every(({ slots }) => slots?.usual === true);
  const byShape = meant.some(({ slots }) => slots?.byShape === true);
  return { places, why: open, usual, byShape };
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
function slotsFor({ work, from, to }: NamedWork, own: WorkName, folders: FolderSlots): NamedSlots | null {
  const titled = own.named.length > 0;
  const phrases = phrasesOutside(own.said, titled ? { from, to } : null);
  if (phrases.length === 0 && !titled && !posterNames.has(wordKey(own.said.words))) return null;
  return slotsNamed(work.kind, phrases, folders);
}

function slotSaid(folders: readonly WorkName[]): ArtworkPhrase | null {
  return folders.flatMap(({ said }) => said.slots).at(-1)?.phrase ?? null;
}

function doubtAbout(
  named: readonly NamedWork[],
  own: WorkName,
  around: WorkName | null,
  outer: readonly WorkName[],
): Why | null {
  const why = named.find((one) => one.why !== null)?.why ?? null;
  if (why !== null) return why;
  const doubtful = (name: WorkName) => hasDoubt(name.said, name.named[0] ?? null);
  if (doubtful(own) || outer.some(doubtful)) return 'unclear_words';
  if (own.named.length === 0 || around === null) return null;
  const inner = new Set(named.map(({ work }) => work));
  const differs = !around.named.some(({ work }) => inner.has(work));
  // A film's file may lie in its collection's folder, also where that is called as a film; not in another film's.
  return differs && around.named.every(({ work }) => work.kind === 'movie') ? 'names_differ' : null;
}

/** What a name may mean that is no title here: a part of one, nearly one, a film's year. */
function guess({ said, years }: WorkName, { entry, works, whole }: WorksIndex): MatchVerdict {
  const { core } = titleIn(said, whole);
  const near = core.length === 0 ? [] : [...whole.near(core).keys(), ...whole.holding(core)];
  // A collection has no year.
  const fits = ({ kind, year }: WorkTarget) =>
    years.length === 0 ||
    (year === null ? kind !== 'collection' : years.some((each) => Math.abs(each - year) <= 1));
  const ofYear = works.filter(({ kind, year }) => kind === 'movie' && year !== null && years.includes(year));
  const meant = core.length === 0 ? ofYear : [...new Set(near)].filter(fits);
  if (meant.length === 0) return noMatch(entry.kind === 'collection' ? 'no_such_movie' : 'other_work');
  const places = meant.flatMap((work) =>
    slotsUnnamed(work.kind).slots.map((slot) => ({ target: work, slot })),
  );
  return { places, why: 'title_in_part' };
}

/** A work that a name names: which of its words are the title, and why it may be another all the same. */
interface NamedWork extends WordRange {
  readonly work: WorkTarget;
  readonly why: Why | null;
}

/** The name of a file or folder, where there are no seasons. */
interface WorkName {
  readonly said: Explained;
  readonly named: readonly NamedWork[];
  /** It may be named after something else. */
  readonly foreign: boolean;
  readonly years: readonly number[];
}

/** Reads which film of a collection, or which other work without seasons, a name means. */
function readWorkName(raw: string, index: WorksIndex): WorkName {
  const text = textOfName(raw);
  const said = yearsMarked(explainWords(wordsOf(text), text), index.entry.kind === 'collection');
  const named = namedIn(said, index);
  const found = [...named, ...asCollection(said, named, index)];
  const all = found.length > 0 ? found : butForOneWord(said, index);
  const turned: Why | null = isTurned(raw) ? 'hidden_signs' : null;
  const years = yearsIn(said.words);
  const strange = unknownWordsOf(said).length > 0 || years.length > 0;
  return {
    said,
    named: all.map((one) => ({ ...one, why: one.why ?? turned })),
    foreign: all.length === 0 && strange && !posterNames.has(wordKey(said.words)),
    years,
  };
}

/** A year says which work of a title is meant; a number before a film's title is its place in a list. */
function yearsMarked(said: Explained, listed: boolean): Explained {
  const roles = said.roles.map((role, at): Role => {
    const text = said.words[at]?.text ?? '';
    if (role !== null) return role;
    return isYear(text) || (listed && at === 0 && isNumber(text)) ? 'copy' : null;
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

/** A title among the words, and by how many years it is another one's: null where one of both has none. */
interface Candidate extends WordRange {
  readonly work: WorkTarget;
  readonly off: number | null;
}

/** Whole titles before parts of them. Another year is another work's, but of a collection's films it may be a slip. */
function namedIn(said: Explained, index: WorksIndex): NamedWork[] {
  const candidates = titlesIn(said, index, 'whole');
  const whole = candidates.filter(fitsYear).map((one) => inOrder(one, said, index));
  if (whole.length > 0) return longest(whole);
  const inPart = partsOf(said, index);
  const slips = index.entry.kind === 'collection' ? candidates.filter(({ off }) => off !== null) : [];
  if (slips.length === 0) return longest(inPart.map(({ named }) => named));
  const ofYear = inPart.filter(({ off }) => off !== null).map(({ named }) => named);
  return [...longest(slips.map((one): NamedWork => ({ ...one, why: 'year_differs' }))), ...longest(ofYear)];
}

/** A title that is whole, with one word before or behind it that nothing explains. A number would make it another film. */
function butForOneWord(said: Explained, index: WorksIndex): NamedWork[] {
  const unknown = unknownWordsOf(said);
  const ends = new Set([unknown[0], unknown.at(-1)]);
  const found = [...ends].flatMap((word) => {
    if (word === undefined || /^\d+$/.test(word.text) || isNumberName(word.text)) return [];
    const rest = { ...said, roles: said.roles.with(said.words.indexOf(word), 'noise') };
    const titles = titlesIn(rest, index, 'whole').filter(fitsYear);
    // One word of a title, and no year: that is as likely something else.
    return titles.filter(({ from, to, off }) => off !== null || to - from > 1);
  });
  return longest(found.map((one): NamedWork => ({ ...one, why: 'unclear_words' })));
}

function fitsYear({ off }: Candidate): boolean {
  return off === null || off <= 1;
}

function titlesIn(said: Explained, index: WorksIndex, as: 'whole' | 'part'): Candidate[] {
  const found = titleIn(said, index[as]).named.map(({ item, from, to }): Candidate => {
    const years = yearsIn([...said.words.slice(0, from), ...said.words.slice(to)]);
    const { year } = item;
    const off =
      year === null || years.length === 0 ? null : Math.min(...years.map((each) => Math.abs(each - year)));
    return { work: item, from, to, off };
  });
  // A year is a film's: a collection that is called as one of its films is not meant by a name with a year.
  const dated = found.filter(({ off }) => off !== null);
  return found.filter(
    ({ work, from, to }) =>
      work.kind !== 'collection' || !dated.some((film) => film.from === from && film.to === to),
  );
}

/** Why a whole title may be another's all the same: a year beside the right one, another place in a list. */
function inOrder({ work, from, to, off }: Candidate, said: Explained, index: WorksIndex): NamedWork {
  const [first] = said.words;
  const listed = from > 0 && first !== undefined && isNumber(first.text) ? Number(first.text) : null;
  const years = yearsIn([...said.words.slice(0, from), ...said.words.slice(to)]);
  const misplaced = listed !== null && years.length === 0 && listed !== placeInOrder(work, index);
  return { work, from, to, why: off === 1 ? 'year_differs' : misplaced ? 'unclear_words' : null };
}

function partsOf(said: Explained, index: WorksIndex): { named: NamedWork; off: number | null }[] {
  return titlesIn(said, index, 'part').flatMap((one) => {
    const { work, from, to, off } = one;
    const years = yearsIn([...said.words.slice(0, from), ...said.words.slice(to)]);
    // One word of a title, and no year: that is as likely something else.
    if (!fitsYear(one) || (years.length === 0 && to - from < 2)) return [];
    return [{ named: { work, from, to, why: off === 1 ? 'year_differs' : 'title_in_part' }, off }];
  });
}

/** "Blade Runner 2049" is not "Blade Runner" with a number behind it. */
function longest(named: readonly NamedWork[]): NamedWork[] {
  const most = Math.max(0, ...named.map(({ from, to }) => to - from));
  return named.filter(({ from, to }) => to - from === most);
}

/** A collection named without that word, which is often a film's title as well. */
function asCollection(
  said: Explained,
  named: readonly NamedWork[],
  { entry, whole }: WorksIndex,
): NamedWork[] {
  if (entry.kind !== 'collection' || named.some(({ work }) => work === entry)) return [];
  const { core } = titleIn(said, whole);
  const [first] = core;
  if (first === undefined || yearsIn(said.words).length > 0) return [];
  const longer = ['collection', 'saga', 'trilogy', 'series'].some((word) =>
    whole.named([...core, { text: word }]).includes(entry),
  );
  const from = said.words.indexOf(first);
  return longer ? [{ work: entry, from, to: from + core.length, why: 'title_shared' }] : [];
}
