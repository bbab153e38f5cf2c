import { allKinds, allSetKinds, isGroupKind, wordsFor } from '../../model/kinds.ts';
import { codesIn, episodesIn, seasonsIn } from '../../model/names/numbers.ts';
import { plain, type Span } from '../../model/names/words.ts';
import { type Term, termsIn, weightOf } from './terms.ts';
import type { TitleKind } from './titles.ts';

/** What a word may say instead of being one of a name. */
type Meaning = 'number' | 'year' | 'kind' | 'filler';

export interface AskedWord {
  readonly text: string;
  readonly weight: number;
  readonly means: Meaning | null;
  /** Of a word that names kinds. */
  readonly kinds: ReadonlySet<TitleKind>;
}

/** A question as it was understood: each word may be a name's, or mean what it says. */
export interface Asked {
  readonly words: readonly AskedWord[];
  readonly season: number | null;
  /** `last` of the season that is asked for, or of the show. */
  readonly episode: number | 'last' | null;
  readonly year: number | null;
  readonly wantsSets: boolean;
}

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const ordinal = new RegExp(`\\b(${ordinals.join('|')})(?= (?:season|series|episode)\\b)`, 'g');

export function askedIn(query: string): Asked {
  const text = plain(query)
    .replace(ordinal, (word) => `${ordinals.indexOf(word) + 1}th`)
    .replace(/(\d+) and a half\b/g, '$1 1 2');
  const [code] = codesIn(text);
  const [season] = code === undefined ? seasonsIn(text) : [];
  const [episode] = code === undefined ? episodesIn(text) : [];
  const nth = /\b(\d+)(?:st|nd|rd|th) episode\b/.exec(text);
  const last = /\b(?:(?:last|final) episode|(?:(?:season|series) )?finale)\b/.exec(text);
  const spans: Span[] = [code, season, episode].filter((found) => found !== undefined);
  for (const found of [nth, last])
    if (found !== null) spans.push({ start: found.index, end: found.index + found[0].length });
  const terms = termsIn(text);
  const year = terms.find((term) => /^(?:19|20)\d\d$/.test(term.text));
  const meaningOf = (term: Term, at: number): Meaning | null => {
    if (spans.some(({ start, end }) => term.start >= start && term.end <= end)) return 'number';
    if (term === year) return 'year';
    if (kindsMeant(term.text).size > 0) return 'kind';
    return fillers.has(term.text) && (at === 0 || at === terms.length - 1) ? 'filler' : null;
  };
  const words = terms.map((term, at) => {
    const { text: word } = term;
    return { text: word, weight: weightOf(word), means: meaningOf(term, at), kinds: kindsMeant(word) };
  });
  const numbered = code?.episodes[0] ?? episode?.episodes[0] ?? (nth === null ? null : Number(nth[1]));
  return {
    words,
    season: code?.season ?? season?.season ?? episode?.season ?? null,
    episode: numbered ?? (last === null ? null : 'last'),
    year: year === undefined ? null : Number(year.text),
    wantsSets: words.some((word) => allSetKinds.some((kind) => word.kinds.has(kind))),
  };
}

const fillers = new Set(
  'called named find search show everything made with posters poster cards card title'.split(' '),
);
const sets = new Set(['set', 'sets', 'artwork']);
const creators = new Set(['creator', 'user', 'uploader', 'maker']);

const meanings = new Map<string, Set<TitleKind>>();
for (const kind of allKinds)
  for (const word of wordsFor(kind)) meanings.set(word, (meanings.get(word) ?? new Set()).add(kind));
for (const word of creators) meanings.set(word, new Set(['creator']));
for (const word of sets) meanings.set(word, new Set(allSetKinds.filter((kind) => !isGroupKind(kind))));
for (const kind of ['boxset', 'loadout'] as const)
  for (const word of [kind, `${kind}s`]) meanings.set(word, new Set([kind]));

const nothing: ReadonlySet<TitleKind> = new Set();

function kindsMeant(word: string): ReadonlySet<TitleKind> {
  return meanings.get(word) ?? nothing;
}
