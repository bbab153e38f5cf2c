import { explainWords, unknownWordsOf } from './names/explain.ts';
import { readName } from './names/name.ts';
import { codesIn, episodesIn, seasonsIn } from './names/numbers.ts';
import { wordsOf } from './names/words.ts';
import type { Counting } from './show-file.ts';
import { episodesBySeasonFirst, type ShowIndex } from './show-index.ts';

/**
 * What numbers without a season mean that stand in one folder together: 1 to 62 of a show whose seasons have
 * thirteen are counted through; 101 to 107 and 201 to 213 have the season's number first. Null where several
 * things are possible, or one has a gap.
 */
export function countingOf(stems: readonly string[], index: ShowIndex): Counting {
  const numbers = [...new Set(stems.flatMap((stem) => numberAlone(stem, index)))].sort((a, b) => a - b);
  const last = numbers.at(-1) ?? 0;
  if (numbers.every((number, at) => number === at + 1) && last > index.highest && last <= index.count)
    return 'through';
  const joint = numbers.map((number) => episodesBySeasonFirst(number, index));
  const whole = index.regular.filter(({ episodes }) =>
    joint.some(([one]) => one !== undefined && episodes.includes(one)),
  );
  const covered = whole.flatMap(({ episodes }) => episodes);
  return whole.length > 1 && joint.every(({ length }) => length === 1) && covered.length === numbers.length
    ? 'season first'
    : null;
}

function numberAlone(stem: string, index: ShowIndex): number[] {
  const { rest } = readName(stem, index.forms);
  if (codesIn(rest).length + episodesIn(rest).length + seasonsIn(rest).length > 0) return [];
  const numbers = unknownWordsOf(explainWords(wordsOf(rest), rest));
  const [only, ...others] = numbers.filter(({ text }) => /^\d{1,4}$/.test(text));
  return only === undefined || others.length > 0 || (numbers[0] !== only && numbers.at(-1) !== only)
    ? []
    : [Number(only.text)];
}
