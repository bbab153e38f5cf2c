import { allKinds, allSetKinds, wordsFor } from '../../model/kinds.ts';
import { codesIn, episodesIn, seasonsIn } from '../../model/names/numbers.ts';
import { isSmallWord, plain, type Span } from '../../model/names/words.ts';
import { termsOf } from './terms.ts';
import type { TitleKind } from './titles.ts';

/** One way in which a query may be meant. */
export interface Way {
  /** What its name has, or that of what it belongs to. */
  readonly words: readonly string[];
  /** A season or an episode of what the words name. */
  readonly number: Numbered | null;
  /** Sets, not what they are for. */
  readonly sets: boolean;
  /** Of Sets: who made them; empty: anybody. */
  readonly creator: readonly string[];
}

export interface Numbered {
  readonly season: number | null;
  /** Null: the season itself. */
  readonly episode: number | 'last' | null;
}

/**
 * The ways to read what a person says: a number may be that of an episode or a word of the title ("Star Wars episode
 * 1"), and "set" may stand in a name.
 */
export function waysToRead(query: string): Way[] {
  const text = plain(query)
    .replace(ordinal, (_, word: string) => `${ordinals.indexOf(word) + 1}th `)
    .slice(0, 300);
  const words = termsOf(text);
  const ways: Way[] = [];
  const found = numberIn(text);
  if (found !== null) {
    const rest = termsOf(withoutSpans(text, found.spans));
    ways.push({ words: rest, number: found.number, sets: false, creator: [] });
  }
  if (words.some((word) => setWords.has(word)) || /\bby\b/.test(text)) {
    const by = words.lastIndexOf('by');
    const [about, creator] = by < 0 ? [words, []] : [words.slice(0, by), words.slice(by + 1)];
    const left = about.filter((word) => !setWords.has(word) && !slotWords.has(word));
    // "Everything by Azulejo" are Sets too; "Stand by Me" is none of hers.
    ways.push({ words: left.filter((word) => !fillers.has(word)), number: null, sets: true, creator });
  }
  ways.push({ words, number: null, sets: false, creator: [] });
  return ways.filter((way) => way.words.length + way.creator.length > 0);
}

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const ordinal = new RegExp(`\\b(${ordinals.join('|')}) (?=season|series|episode)`, 'g');

interface FoundNumber {
  readonly number: Numbered;
  readonly spans: readonly Span[];
}

function numberIn(text: string): FoundNumber | null {
  const [code] = codesIn(text);
  if (code !== undefined) return numbered(code.season, code.episodes[0] ?? null, [code]);
  const [season, episode] = [seasonsIn(text)[0], episodesIn(text)[0]];
  const spans = season === undefined ? [] : [season];
  const spoken = spokenEpisode(text);
  if (spoken !== null) {
    // The first episode of a show is that of its first season.
    const inSeason = season?.season ?? (spoken.episode === 1 ? 1 : null);
    return numbered(inSeason, spoken.episode, [...spans, spoken.span]);
  }
  if (episode !== undefined) {
    return numbered(season?.season ?? episode.season, episode.episodes[0] ?? null, [...spans, episode]);
  }
  return season === undefined ? null : numbered(season.season, null, spans);
}

function numbered(season: number | null, episode: Numbered['episode'], spans: readonly Span[]): FoundNumber {
  return { number: { season, episode }, spans };
}

/** The first, the 3rd, the last episode; a pilot and a finale. */
function spokenEpisode(text: string): { episode: number | 'last'; span: Span } | null {
  const found = /\b(?:(\d{1,3})th episode|(pilot)(?: episode)?|(?:last|final) episode|finale)\b/.exec(text);
  if (found === null) return null;
  const [whole, nth, pilot] = found;
  const span = { start: found.index, end: found.index + whole.length };
  return { episode: nth !== undefined ? Number(nth) : pilot !== undefined ? 1 : 'last', span };
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  return [...text]
    .map((sign, at) => (spans.some(({ start, end }) => at >= start && at < end) ? ' ' : sign))
    .join('');
}

const setWords = new Set('set sets boxset boxsets loadout loadouts'.split(' '));
const slotWords = new Set(
  'poster posters title card cards titlecard titlecards backdrop backdrops logo logos artwork art cover covers'.split(
    ' ',
  ),
);
const fillers = new Set('everything all made show me find for'.split(' '));

/** Whether a word tells nothing that has to be in a name: "the", "show me". */
export function isFiller(word: string): boolean {
  return isSmallWord(word) || fillers.has(word);
}

/** What a word says of the kind that is meant: "the movie", "a channel". */
export function kindsMeantBy(word: string): ReadonlySet<TitleKind> | undefined {
  return kindWords.get(word);
}

const kindWords: ReadonlyMap<string, ReadonlySet<TitleKind>> = new Map<string, ReadonlySet<TitleKind>>([
  ...allKinds.flatMap((kind) => wordsFor(kind).map((word) => [word, new Set<TitleKind>([kind])] as const)),
  ...[...setWords].map((word) => [word, new Set<TitleKind>(allSetKinds)] as const),
  ['creator', new Set<TitleKind>(['creator'])],
  ['artist', new Set<TitleKind>(['creator', 'person'])],
]);
