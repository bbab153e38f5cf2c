import { codesIn, seasonsIn } from './names/numbers.ts';
import { plain } from './names/words.ts';

/** The season or the episode that a text names by number; of a season `episode` is null. */
interface Numbered {
  readonly season: number;
  readonly episode: number | null;
}

const longestCode = 40;

/** Reads `S02E07`, `2x07`, `S02`. Null for a number alone, and for more than one season or episode. */
export function numberedByText(text: string): Numbered | null {
  if (text.length > longestCode || !/\p{L}/u.test(text)) return null;
  const given = plain(text);
  const [code, ...others] = codesIn(given);
  if (code !== undefined) {
    const [episode, ...more] = code.episodes;
    const isOne = others.length === 0 && more.length === 0 && episode !== undefined && code.season !== null;
    return isOne ? { season: code.season, episode } : null;
  }
  const [named, ...further] = seasonsIn(given);
  if (named === undefined || further.length > 0 || named.season === null) return null;
  return { season: named.season, episode: null };
}
