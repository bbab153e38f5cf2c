import { codesIn, seasonsIn } from './names/numbers.ts';
import { plain } from './names/words.ts';
import { type Kind, kindMeantBy, kindNamed, type SetKind, setKindNamed } from './kinds.ts';

/** The id, and the kind if it is told, in an address or another notation. */
export interface Addressed {
  readonly kind: Kind | SetKind | null;
  readonly id: number;
  /** It is an address, which may be one of another catalogue. */
  readonly isAddress: boolean;
}

/**
 * What a text names that is no bare number: an address that ends in one (`https://…/shows/5-title`, `artwork://show/5`),
 * `show:5`, `show 5` as answers write it, or `#5`. Null for a name. "Movie 43" is one: a film is called so.
 */
export function namedByText(text: string): Addressed | null {
  const given = text.trim();
  if (given.length > longest) return null;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given)) return namedByAddress(given);
  const [, alone] = /^(?:id\s*[:=]?\s*)?#?\s*(\d{1,15})$/i.exec(given) ?? [];
  if (alone !== undefined) return { kind: null, id: Number(alone), isAddress: false };
  const [, word = '', number = ''] = /^\[?([a-z][a-z_]*)(?: |[:/#])(\d{1,15})\]?$/.exec(given) ?? [];
  const kind = kindOfWord(word);
  return kind === null ? null : { kind, id: Number(number), isAddress: false };
}

const longest = 2_000;

function namedByAddress(address: string): Addressed | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  const parts = [host, ...pathname.split('/')];
  const at = parts.findLastIndex((part) => /^\d{1,15}(?![\d:.])(?:[-_].*)?$/.test(part));
  if (at < 1) return null;
  const kind = kindOfWord(parts[at - 1] ?? '') ?? kindOfWord(parts[at - 2] ?? '');
  return { kind, id: Number.parseInt(parts[at] ?? '', 10), isAddress: true };
}

function kindOfWord(part: string): Kind | SetKind | null {
  return setKindNamed(part) ?? kindNamed(part.replace(/_/g, '')) ?? kindMeantBy(part);
}

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
