import { explainWords } from '../../model/names/explain.ts';
import { likeness } from '../../model/names/likeness.ts';
import { readName, readText } from '../../model/names/name.ts';
import { titleForms } from '../../model/names/titles.ts';
import { keyOfText, wordsOf } from '../../model/names/words.ts';
import type { WorkTarget } from '../../model/target.ts';
import { workName } from './file-names.ts';

/** Whether a folder or file is called as a work: surely, perhaps, or not. */
export type Likeness = 'same' | 'near' | 'other';

export type WorkNames = ReturnType<typeof createWorkNames>;

/** As alike as a title with a letter wrong. */
const nearly = 0.8;

/**
 * Tells names of a work from others, whatever their spelling, tags and release words: as plan_set reads names.
 * @param alsoCalled other names of the work, which count as its title does
 */
export function createWorkNames(work: WorkTarget, alsoCalled: readonly string[]) {
  const own = work.kind === 'collection' ? [`${work.title} Collection`] : [];
  const forms = titleForms(work.title, [...alsoCalled, ...own]);
  return {
    work,
    /** As a folder that is made for it is called. */
    folderName: workName(work),
    tellsYear(name: string): boolean {
      const { year } = readText(name);
      return year !== null && work.year !== null;
    },
    /** Whether works may lie in a folder of this name. */
    mayBeShelf(name: string): boolean {
      const { year, ids, seasons, codes } = readText(name);
      return year === null && ids.length === 0 && seasons.length === 0 && codes.length === 0;
    },
    like(name: string): Likeness {
      const reading = readText(name);
      const isSameYear = (year: number | null) => year === null || work.year === null || year === work.year;
      if (reading.titleWithYear !== null && forms.whole.has(keyOfText(reading.titleWithYear))) return 'same';
      const key = keyOfText(reading.title);
      if (key === '' || forms.whole.size === 0) return 'other';
      const isWhole = forms.whole.has(key) || isNamedIn(name, forms);
      if (isWhole && isSameYear(reading.year)) return 'same';
      const isMisspelt = [...forms.whole].some((one) => likeness(key, one) >= nearly);
      if (reading.year === null || work.year === null) return isMisspelt ? 'near' : 'other';
      const apart = Math.abs(reading.year - work.year);
      // The year of a festival, or of another country.
      if (isWhole) return apart === 1 ? 'near' : 'other';
      if (apart > 0) return 'other';
      const isPart =
        forms.part.has(key) || [...forms.whole].some((one) => one.length > 3 && key.startsWith(one));
      return isPart || isMisspelt ? 'near' : 'other';
    },
  };
}

/** Whether a name holds the title whole, and all its other words say something else than what it is of. */
function isNamedIn(raw: string, forms: ReturnType<typeof titleForms>): boolean {
  const name = readName(raw, forms);
  if (name.title !== 'whole') return false;
  const { seasons, codes } = readText(raw);
  const words = wordsOf(name.rest);
  const said = explainWords(words, name.rest);
  return said.roles.every((role, at) => {
    const word = words[at];
    if (role !== null || word === undefined) return true;
    return [...seasons, ...codes].some(({ start, end }) => word.start >= start && word.end <= end);
  });
}
