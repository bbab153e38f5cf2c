import { type FoundTitle, type TitleForms, titleAt } from './work-title.ts';
import { explainWords } from './explain.ts';
import { plain, wordsOf } from './words.ts';

/** A file's or folder's name, read as far as it can be without the catalogue's numbers. */
export interface Name {
  /** What `plain` answered. */
  readonly text: string;
  /** The same, as long, with blanks where the work's title and year stood. */
  readonly rest: string;
  /** Whether it names the work. */
  readonly title: FoundTitle['as'] | null;
  /** Where it does, in `text`. */
  readonly span: { readonly start: number; readonly end: number } | null;
  /** The year that it gives to the work, null where it gives none. */
  readonly year: number | null;
  /** It holds characters that turn what follows around, so that it does not show what it says. */
  readonly turned: boolean;
}

/** Right behind the title, where no day and no number follows. */
const following = /^(?:[\s._]*|[\s._-]*[([])((?:19|20)\d{2})(?![\p{L}\p{N}])(?![-._]\d)[)\]]?/u;
const inBrackets = /\(((?:19|20)\d{2})\)/u;

/** Reads a file's name: the work's title in it, its year, and what remains. */
export function readName(raw: string, forms: TitleForms): Name {
  const text = plain(raw);
  const turned = /[\u202a-\u202e\u2066-\u2069]/.test(raw);
  const found = titleIn(text, forms);
  const untitled = found === null ? text : blank(text, found.start, found.end);
  const year = yearIn(untitled, found?.end ?? null);
  return {
    text,
    rest: year === null ? untitled : blank(untitled, year.start, year.end),
    title: found?.as ?? null,
    span: found === null ? null : { start: found.start, end: found.end },
    year: year?.value ?? null,
    turned,
  };
}

/** A name that was read, where a part of it is now taken for a part of the work's title. */
export function withTitlePart(name: Name, span: { readonly start: number; readonly end: number }): Name {
  return { ...name, rest: blank(name.rest, span.start, span.end), title: 'part', span };
}

/** At the beginning, or behind what says nothing about a work. */
function titleIn(text: string, forms: TitleForms): FoundTitle | null {
  const words = wordsOf(text);
  const { roles } = explainWords(words, text);
  for (let at = 0; at < words.length; at += 1) {
    const found = titleAt(words, at, forms);
    if (found !== null) return found;
    if (roles[at] === null) return null;
  }
  return null;
}

function yearIn(text: string, after: number | null): { value: number; start: number; end: number } | null {
  if (after !== null) {
    const found = following.exec(text.slice(after));
    if (found !== null) {
      return { value: Number(found[1]), start: after, end: after + found[0].length };
    }
  }
  const found = inBrackets.exec(text);
  if (found === null) return null;
  return { value: Number(found[1]), start: found.index, end: found.index + found[0].length };
}

function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}
