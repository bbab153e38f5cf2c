import { cleanText } from '../../text.ts';
import { keyOfText } from '../matching/names/words.ts';
import type { Work } from '../matching/targets.ts';
import { labelOf } from '../targets/labels.ts';

/** How many other names of a work a plan takes, and of how many characters. */
export const mostNames = 10;
export const longestName = 200;

export interface NameQuestion {
  /** As the files have it, cleaned. */
  readonly called: string;
  readonly ask: string;
}

/**
 * One question for all files that call the work by one other name: confirmed, it counts as the title does.
 * @param called of each file that does
 * @param confirmed names that were confirmed before: they are given again
 * @returns null for a name that can't be given
 */
export function nameQuestions(
  called: readonly string[],
  work: Work,
  confirmed: readonly string[],
): (called: string) => NameQuestion | null {
  const byKey = new Map<string, string[]>();
  for (const name of called) byKey.set(keyOfText(name), [...(byKey.get(keyOfText(name)) ?? []), name]);
  return (name) => {
    const [first = name, ...others] = byKey.get(keyOfText(name)) ?? [];
    const clean = cleanText(first);
    if (clean.length > longestName || confirmed.length >= mostNames) return null;
    const files =
      others.length === 0 ? 'one file or its folder has' : `${others.length + 1} files or their folders have`;
    const ask = `Is “${clean}”, as ${files} it, this ${kindOf(work)}: ${labelOf(work)}? Then plan again with alsoCalled ${JSON.stringify([...confirmed, clean])}.`;
    return { called: clean, ask };
  };
}

/** Files are named after the show of a season or an episode. */
function kindOf({ kind }: Work): string {
  return kind === 'season' || kind === 'episode' ? 'show' : kind;
}
