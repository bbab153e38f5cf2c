import type { Explained } from './explain.ts';
import type { TitleBook } from './titles.ts';
import { isNumberName, type Word } from './words.ts';

export interface TitleIn<Item> {
  /** What is named by words of which all others have another purpose; none where no title stands there. */
  readonly named: readonly { readonly item: Item; readonly from: number; readonly to: number }[];
  /** The words in the middle, from the first that nothing explains to the last. */
  readonly core: readonly Word[];
}

/** Looks for a title among explained words. What else they may be called does not hinder a word from being in it. */
export function titleIn<Item>({ words, roles }: Explained, book: TitleBook<Item>): TitleIn<Item> {
  const first = roles.indexOf(null);
  const last = roles.lastIndexOf(null);
  const lead = first < 0 ? words.length : first;
  const named: { item: Item; from: number; to: number }[] = [];
  for (let from = 0; from <= lead && from < words.length; from += 1) {
    for (let to = Math.max(last + 1, from + 1); to <= words.length; to += 1) {
      for (const item of book.named(words.slice(from, to))) named.push({ item, from, to });
    }
  }
  return { named, core: first < 0 ? [] : words.slice(first, last + 1) };
}

/** A title that would be something else for any other work: a number, a word for artwork. */
export function saysLittle(
  { words, roles }: Explained,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return words.slice(from, to).every(({ text }, at) => {
    const role = roles[from + at] ?? null;
    return (role !== null && role !== 'pictogram') || /^\d+$/.test(text) || isNumberName(text);
  });
}
