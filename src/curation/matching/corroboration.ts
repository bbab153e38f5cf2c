import { placeKey } from './places.ts';
import type { Ignored, MatchVerdict } from './verdict.ts';

/** One title may be another work's; several titles of one show's episodes in one folder are hardly. */
const enough = 3;

/**
 * Titles that stand by themselves: sure only in company of others. An episode may be called as another show is,
 * and a single file of that name may as well be that show's poster.
 * @param folders of each verdict's file
 */
export function requireCorroboration(
  verdicts: readonly (MatchVerdict | Ignored)[],
  folders: readonly string[],
): (MatchVerdict | Ignored)[] {
  const episodes = new Map<string, Set<string>>();
  verdicts.forEach((verdict, at) => {
    if (!isAlone(verdict)) return;
    const folder = folders[at] ?? '';
    const known = episodes.get(folder) ?? new Set();
    for (const place of verdict.places) known.add(placeKey(place));
    episodes.set(folder, known);
  });
  return verdicts.map((verdict, at) => {
    if (!isAlone(verdict)) return verdict;
    const company = episodes.get(folders[at] ?? '')?.size ?? 0;
    return company >= enough ? verdict : { ...verdict, sure: false, why: 'title_alone' };
  });
}

function isAlone(verdict: MatchVerdict | Ignored): verdict is MatchVerdict {
  return typeof verdict !== 'string' && verdict.sure && verdict.alone === true;
}
