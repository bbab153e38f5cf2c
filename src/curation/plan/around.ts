import { explain, hasDoubt, type Name, readName, type Said } from '../../model/names/name.ts';
import { codesIn, isCounter, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import {
  isArticle,
  isSmallWord,
  outsideOf,
  textIn,
  textOf,
  type Word,
  wordsOf,
} from '../../model/names/words.ts';
import type { Why } from './reasons.ts';
import type { ShowIndex } from './show-index.ts';
import type { FolderSlots } from './verdict.ts';

/** What stands in a name in the place of the work's title, and makes a question or a refusal. */
export interface Strange {
  /** `other_work`: nothing is asked. */
  readonly why: Extract<Why, 'other_work' | 'short_name' | 'unclear_words'>;
  /** Those words, folded; of a short name all that the work is called. */
  readonly about: string;
}

/**
 * What the unknown words in the place of a title say: behind the title they make another name of it, and words of the
 * title alone may be its name; anything else is another work's.
 * @param front the words in front of the numbers, without the title
 */
export function strangeIn(name: Name, front: Said, { forms }: Pick<ShowIndex, 'forms'>): Strange | null {
  const { title, span, text } = name;
  const unknown = front.words.filter((word, at) => {
    const role = front.roles[at] ?? null;
    // A language may be part of a name; "Folge" of "Folge 2x11" only says that a number follows.
    const isLast = word === front.words.at(-1);
    return (
      (role === null && !(isLast && isCounter(word.text))) || (role === 'language' && word.within === '')
    );
  });
  const first = unknown[0];
  const last = unknown.at(-1);
  const about = textOf(unknown);
  // "The" of "The Second Season".
  const isNone = title === null && unknown.every(({ text: word }) => isArticle(word));
  if (first === undefined || last === undefined || isNone)
    return title === 'part' && span !== null ? { why: 'short_name', about: textIn(text, span) } : null;
  if (/^[\d ]{1,3}$/.test(about)) return { why: 'unclear_words', about };
  // Small words and numbers are in too many titles.
  const isTelling = unknown.some(({ text: word }) => !isSmallWord(word) && !/^\d+$/.test(word));
  const isShort = unknown.every(({ text: word }) => forms.words.includes(word) || isSmallWord(word));
  if (title !== 'whole' && !(isShort && isTelling)) return { why: 'other_work', about };
  const start = Math.min(span?.start ?? first.start, first.start);
  const [closing = ''] = /^\.?[\])}]/.exec(text.slice(last.end)) ?? [];
  return { why: 'short_name', about: textIn(text, { start, end: last.end + closing.length }) };
}

/** The year of a name that is another work's of the same title: more than one lies between them. */
export function yearApart({ year, title, isYearBehind }: Name, own: number | null): number | null {
  const isOfWork = title !== null && !isYearBehind && year !== null && own !== null;
  return isOfWork && Math.abs(year - own) > 1 ? year : null;
}

/** What the folders that a file lies in say of it. */
export interface Around {
  /** One is named after the work. */
  readonly isOwn: boolean;
  /** What one is called that is another work's name, or may be. */
  readonly strange: Strange | null;
  readonly isDoubtful: boolean;
  /** More than one is a contradiction. */
  readonly seasons: readonly number[];
  /** The episode that the nearest one is named after. */
  readonly code: Numbers | null;
  readonly slots: FolderSlots;
}

/**
 * Reads what the names of the folders around a file say: the season, the work's title, the kind of artwork.
 * @param chosen the folder that was chosen. A person calls it anything, so that only a title with another year, or
 * with more in brackets, is asked about
 * @param inner from the outermost in it to the one that holds the file
 */
export function readFolders(chosen: string | null, inner: readonly string[], index: ShowIndex): Around {
  const within = inner.map((folder) => readFolder(folder, index));
  const outermost = chosen === null ? [] : [readFolder(chosen, index)].map(asChosen);
  const all = [...outermost, ...within];
  const strange = all.flatMap((one) => one.strange ?? []);
  return {
    isOwn: all.some(({ isOwn: own }) => own),
    strange: strange.findLast(({ why }) => why === 'other_work') ?? strange.at(-1) ?? null,
    isDoubtful: within.some(({ isDoubtful }) => isDoubtful),
    seasons: [...new Set(all.flatMap(({ seasons }) => seasons))],
    code: within.at(-1)?.code ?? null,
    slots: {
      within: within.findLast(({ slot }) => slot !== null)?.slot ?? null,
      chosen: outermost[0]?.slot ?? null,
    },
  };
}

type Folder = ReturnType<typeof readFolder>;

function asChosen({ strange, ...folder }: Folder): Folder {
  const counts = folder.isTitled && (strange?.why === 'other_work' || /[[({]/.test(strange?.about ?? ''));
  return { ...folder, strange: strange !== null && counts ? { ...strange, why: 'short_name' } : null };
}

function readFolder(folder: string, index: ShowIndex) {
  const name = readName(folder)(index.forms);
  const [code = null] = codesIn(name.rest);
  const numbered = code === null ? seasonsIn(name.rest) : [];
  const spans = code === null ? numbered : [code];
  const words = outsideOf(wordsOf(name.rest), spans);
  const said = explain(words, name.text);
  // Behind a code stands an episode's title.
  const isFront = ({ end }: Word) => code === null || end <= code.start;
  const titled = spans.length > 0 ? [] : index.seasonTitles.named(wordsOf(name.text));
  const year = yearApart(name, index.show.year);
  const beside = titled.length > 0 ? null : strangeIn(name, explain(words.filter(isFront), name.text), index);
  const strange = year === null ? beside : ({ why: 'other_work', about: folder } as const);
  return {
    isTitled: name.title === 'whole',
    isOwn: name.title === 'whole' && strange === null,
    strange,
    code,
    isDoubtful: hasDoubt(said),
    seasons: [...numbered, ...titled].flatMap(({ season }) => season ?? []),
    slot: said.slots.at(-1)?.phrase ?? null,
  };
}
