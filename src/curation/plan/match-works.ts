import { posterNames } from '../../model/names/known-words.ts';
import { explain, hasDoubt, isTurned, readName, type Said, unknownIn } from '../../model/names/name.ts';
import { type TitleForms, titleBook, titleForms } from '../../model/names/titles.ts';
import { textOf, wordKey, wordsOf } from '../../model/names/words.ts';
import type { WorkTarget } from '../../model/target.ts';
import type { ReadWork } from '../read-work.ts';
import type { Why } from './reasons.ts';
import { asked, nothing, picturesOf, type Verdict } from './verdict.ts';

/** A work, and how its title is written. */
interface Titled {
  readonly work: WorkTarget;
  readonly forms: TitleForms;
}

/** What a collection is called that has one of its films' titles. */
const calledSo = /\s+(?:collection|saga|trilogy|series|anthology|quadrilogy)$/i;

type WorksIndex = ReturnType<typeof indexWorks>;

/**
 * The works of a plan that has no seasons: a film, a game, a collection with its films.
 * @param alsoCalled other names of the entry
 */
export function indexWorks({ work }: ReadWork, alsoCalled: readonly string[]) {
  const { target, films } = work;
  const series = target.title.replace(calledSo, '');
  return {
    entry: {
      work: target,
      forms: titleForms(
        target.title,
        films.length === 0 ? alsoCalled : [...alsoCalled, `${series} Collection`],
      ),
    },
    // A film's title may stand behind its collection's.
    films: films.map((film) => ({ work: film, forms: titleForms(film.title, [`${series} ${film.title}`]) })),
    titles: titleBook([target, ...films], ({ title }) => title),
    // What names said: many files lie in one folder, and many are called poster.
    known: new Map<string, WorkName>(),
  };
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
  const said = (name: string) => {
    const one = index.known.get(name) ?? readWorkName(name, index);
    index.known.set(name, one);
    return one;
  };
  const own = said(stem);
  const within = inner.map(said);
  const outermost = chosen === null ? [] : [said(chosen)];
  const isTitled = own.named.length > 0;
  const foreign = [own, ...(isTitled && own.why === null ? [] : within)].find((one) => one.foreign !== null);
  if (foreign !== undefined) return nothing('other_work', foreign.foreign ?? '');
  if (!isTitled && own.said.slots.length === 0 && !isPosterName(own.said)) return nothing('says_nothing');

  // A title that is shared is the film's in whose folder the file lies.
  const around = [...outermost, ...within].findLast(({ named }) => named.length > 0);
  const [only] = around?.why === null ? around.named : [];
  const film = only?.kind === 'movie' ? only : null;
  const isFilms = film !== null && own.why === 'several_meant' && own.named.includes(film);
  const named = isFilms ? [film] : isTitled ? own.named : (around?.named ?? [index.entry.work]);
  const slots = { within: slotOf(within), chosen: slotOf(outermost) };
  const meant = named.map((target) => ({ target }));
  const verdict = picturesOf(meant, [own.said], slots);
  // A folder with another year, or more than a title, may be another work's: a file without a year too.
  const isOther = ({ why, about, foreign: other, isDated }: WorkName) =>
    other === null ? why !== null && (about !== '' || why !== 'several_meant') : isDated;
  const folder = own.isDated ? undefined : [...outermost, ...within].find(isOther);
  const isDoubtful = [own, ...within].some(({ said }) => hasDoubt(said));
  const titled = asked(verdict, isTitled && !isFilms && own.why, own.about);
  return asked(titled, (folder !== undefined || isDoubtful) && 'unclear_words', folder?.about);
}

/** What a file's or a folder's name says where there are no seasons. */
interface WorkName {
  readonly said: Said;
  /** The works that it may name, the likeliest first. */
  readonly named: readonly WorkTarget[];
  /** Why that is not sure; null: it is, and is one or none. */
  readonly why: Why | null;
  /** What else it has. */
  readonly about: string;
  /** It gives a year. */
  readonly isDated: boolean;
  /** The other work that it names, or the other year; null: none. */
  readonly foreign: string | null;
}

/**
 * Holds a name against the title of each work: the longest that it begins with counts. What stands beside it, a part
 * of a title, and a title that is only nearly there make a question.
 */
function readWorkName(raw: string, { entry, films, titles }: WorksIndex): WorkName {
  const nameFor = readName(raw);
  const own = holdAgainst(nameFor, entry);
  const read = [own, ...films.map((film) => holdAgainst(nameFor, film))];
  const fitting = read.filter(({ name, isOtherYear }) => name.title !== null && !isOtherYear);
  // Of a collection's films another year may be a slip.
  const hasWhole = ({ name }: (typeof read)[number]) => name.title === 'whole';
  const slips = read.filter((one) => one !== own && hasWhole(one) && unknownIn(saidIn(one)).length === 0);
  const some = fitting.some(hasWhole) || slips.length === 0 ? fitting : slips;
  const longest = Math.max(...some.map(({ length }) => length));
  const alike = some.filter(({ length }) => length === longest);
  // A film's whole title is its collection's but for that word, and the beginning of others'.
  const best = alike.some(hasWhole) ? alike.filter((one) => one === own || hasWhole(one)) : alike;
  const [first = read.find(({ isOtherYear }) => isOtherYear) ?? own] = best;
  const { name, isOtherYear, isNextYear } = first;
  const said = saidIn(first);
  const unknown = unknownIn(said);

  const about = textOf(unknown) || (isNextYear || isOtherYear ? String(name.year) : '');
  const words = unknown.filter(({ text }) => !/^\d+$/.test(text));
  const like = words.length === 0 ? [] : [...titles.like(said.words), ...titles.like(words)];
  const guessed = like.filter((work) => read.some((one) => one.work === work && !one.isOtherYear));
  const named = [...new Set([...guessed, ...best.map(({ work }) => work)])];
  const isPart = best.length === 0 || name.title === 'part';
  const isUnclear = about !== '' || isTurned(raw);
  const doubt = isPart ? 'part_of_title' : isUnclear ? 'unclear_words' : null;
  const isForeign = named.length === 0 && (isOtherYear || (words.length > 0 && !isPosterName(said)));
  return {
    ...{ said, named, about },
    why: named.length > 1 ? 'several_meant' : named.length === 1 ? doubt : null,
    isDated: name.year !== null,
    foreign: isForeign ? about : null,
  };
}

function holdAgainst(nameFor: ReturnType<typeof readName>, { work, forms }: Titled) {
  const name = nameFor(forms);
  const off = name.year === null || work.year === null ? 0 : Math.abs(name.year - work.year);
  // A year is a film's, and no collection's.
  const isOtherYear = off > 1 || (name.year !== null && work.kind === 'collection');
  const length = name.span === null ? 0 : name.span.end - name.span.start;
  return { work, name, isOtherYear, isNextYear: off === 1, length };
}

/** What stands beside the title. A year that stands elsewhere says the same. */
function saidIn({ name, work }: ReturnType<typeof holdAgainst>): Said {
  const words = wordsOf(name.rest).filter(({ text }) => text !== String(work.year));
  return explain(words, name.text);
}

function isPosterName({ words }: Said): boolean {
  return posterNames.has(wordKey(words));
}

function slotOf(folders: readonly WorkName[]) {
  return folders.flatMap(({ said }) => said.slots).at(-1)?.phrase ?? null;
}
