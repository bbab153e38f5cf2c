import { type Explained, explainWords, type Role, unknownWordsOf } from './names/explain.ts';
import { posterNames } from './names/slot-words.ts';
import { titleIn } from './names/title-in.ts';
import { wordKey, plain, type Word, wordsOf } from './names/words.ts';
import type { WordRange } from './named-slots.ts';
import type { Work } from './targets.ts';
import type { Why } from './verdict.ts';
import { placeInOrder, type WorksIndex } from './works-index.ts';

/** A work that a name names: which of its words are the title, and why it may be another all the same. */
export interface NamedWork extends WordRange {
  readonly work: Work;
  readonly why: Why | null;
}

/** The name of a file or folder, where there are no seasons. */
export interface WorkName {
  readonly said: Explained;
  readonly named: readonly NamedWork[];
  /** It may be named after something else. */
  readonly foreign: boolean;
  readonly years: readonly number[];
}

/** Reads which film of a collection, or which other work without seasons, a name means. */
export function readWorkName(raw: string, index: WorksIndex): WorkName {
  const text = plain(raw);
  const said = yearsMarked(explainWords(wordsOf(text), text), index.entry.kind === 'collection');
  const named = namedIn(said, index);
  const all = [...named, ...asCollection(said, named, index)];
  const turned: Why | null = /[\u202a-\u202e\u2066-\u2069]/.test(raw) ? 'hidden_signs' : null;
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
  readonly work: Work;
  readonly off: number | null;
}

/** Whole titles before parts of them. Another year is another work's, but of a collection's films it may be a slip. */
function namedIn(said: Explained, index: WorksIndex): NamedWork[] {
  const candidates = titlesIn(said, index, 'whole');
  const whole = candidates.filter(fits).map((one) => inOrder(one, said, index));
  if (whole.length > 0) return longest(whole);
  const inPart = partsOf(said, index);
  const slips = index.entry.kind === 'collection' ? candidates.filter(({ off }) => off !== null) : [];
  if (slips.length === 0) return longest(inPart.map(({ named }) => named));
  const ofYear = inPart.filter(({ off }) => off !== null).map(({ named }) => named);
  return [...longest(slips.map((one): NamedWork => ({ ...one, why: 'year_differs' }))), ...longest(ofYear)];
}

function fits({ off }: Candidate): boolean {
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
    if (!fits(one) || (years.length === 0 && to - from < 2)) return [];
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
