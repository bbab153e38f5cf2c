import { type Explained, explainWords, type Role } from './explain.ts';
import type { Name } from './name.ts';
import { daysIn } from './dates.ts';
import { codesIn, episodesIn, seasonsIn } from './numbers.ts';
import { abbreviates, type TitleForms } from './work-title.ts';
import { type Word, wordsOf } from './words.ts';

/** A part of what `plain` answered. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** They stand in too many titles to tell one from another. */
const fillers =
  /^(?:the|an?|of|and|in|on|at|to|for|from|with|der|die|das|und|von|im|le|la|les|el|los|las|il|lo|de|du|des|del|et|y|e|\d+)$/;

/**
 * What a name has in the place of the work's title that holds nothing but words of it, or is short for it:
 * "Wexmoor" of "The Doors of Wexmoor". Another work may be called so. Null where it has nothing of the kind.
 */
export function shortNameIn({ rest, span }: Name, forms: TitleForms): Span | null {
  const numbers = [...codesIn(rest), ...episodesIn(rest), ...seasonsIn(rest), ...daysIn(rest)];
  const until = Math.min(rest.length, ...numbers.map(({ start }) => start));
  const said = explainWords(
    wordsOf(rest).filter(({ end }) => end <= until),
    rest,
  );
  const run = runOf(said, forms);
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { start: span?.start ?? first.start, end: last.end };
}

/** The words from the first that nothing explains to the title's last, and an article that stands at the end. */
function runOf({ words, roles }: Explained, forms: TitleForms): Word[] {
  const from = roles.indexOf(null);
  const word = words[from];
  if (word === undefined) return [];
  if (abbreviates(word.text, forms)) return [word];
  const initials = forms.words.map((each) => each.slice(0, 1)).join('');
  const isOwn = ({ text }: Word, role: Role) =>
    !fillers.test(text) &&
    (forms.words.includes(text) || (role === null && text.length > 1 && initials.includes(text)));
  let to = from;
  words.slice(from).every((one, at) => {
    const role = roles[from + at] ?? null;
    const own = isOwn(one, role);
    if (own) to = from + at + 1;
    return own || (role === null && fillers.test(one.text));
  });
  const behind = words.filter((_, at) => at >= to && roles[at] === null);
  const isArticle = ({ text }: Word) => fillers.test(text) && !/\d/.test(text);
  return words.slice(
    from,
    to > from && behind.every(isArticle) ? Math.max(to, roles.lastIndexOf(null) + 1) : to,
  );
}

/** Whether a part of the title could be a work's name at all: "The" and "Title Cards" are none. */
export function isTelling({ text }: Name, { start, end }: Span): boolean {
  const { words, roles } = explainWords(
    wordsOf(text).filter((word) => word.start >= start && word.end <= end),
    text,
  );
  return words.some((word, at) => roles[at] === null && !fillers.test(word.text));
}
