import { allKinds, allSetKinds, isGroupKind, wordsFor } from '../../model/kinds.ts';
import { codesIn, episodesIn, seasonsIn } from '../../model/names/numbers.ts';
import { plain, type Span } from '../../model/names/words.ts';
import type { TitleKind } from '../../model/sightings.ts';
import { type Term, termsIn, weightOf } from './terms.ts';

/** A word of a question, which is a name's or means what it says. */
interface AskedWord {
  readonly text: string;
  /** How much it tells. */
  readonly weight: number;
  /** `number`: of a season or an episode. `filler`: nothing of what is asked for. */
  readonly means: 'number' | 'year' | 'kind' | 'filler' | null;
  /** Of a word that names kinds. */
  readonly kinds: ReadonlySet<TitleKind>;
}

export interface Asked {
  readonly words: readonly AskedWord[];
  readonly season: number | null;
  /** `last` of the season that is asked for, or of the show. */
  readonly episode: number | 'last' | null;
  readonly year: number | null;
  readonly wantsSets: boolean;
}

const mostWords = 12;
const fillers = new Set(
  'called named find search show everything made with posters poster cards card title'.split(' '),
);
const lastEpisode = /\b(?:(?:last|final) episode|(?:(?:season|series) )?finale)\b/;

/** Reads what a person asks for. */
export function askedIn(query: string): Asked {
  const text = plain(query).replace(/(\d+) and a half\b/g, '$1 1 2');
  const [code] = codesIn(text);
  const [season] = code === undefined ? seasonsIn(text) : [];
  const [episode] = code === undefined ? episodesIn(text) : [];
  const last = lastEpisode.exec(text);
  const said = last === null ? undefined : { start: last.index, end: last.index + last[0].length };
  const numbers: Span[] = [code, season, episode, said].filter((found) => found !== undefined);
  const terms = termsIn(text);
  const year = terms.find((term) => /^(?:19|20)\d\d$/.test(term.text));
  const meaningOf = (term: Term, at: number): AskedWord['means'] => {
    if (numbers.some(({ start, end }) => term.at >= start && term.at < end)) return 'number';
    if (term === year) return 'year';
    if (kindsMeant.has(term.text)) return 'kind';
    return fillers.has(term.text) && (at === 0 || at === terms.length - 1) ? 'filler' : null;
  };
  const words = terms.slice(0, mostWords).map((term, at) => {
    const [means, kinds] = [meaningOf(term, at), kindsMeant.get(term.text) ?? new Set<TitleKind>()];
    return { text: term.text, weight: means === 'filler' ? 0.05 : weightOf(term.text), means, kinds };
  });
  return {
    words,
    season: [code, season, episode].find((one) => one?.season != null)?.season ?? null,
    episode: code?.episodes[0] ?? episode?.episodes[0] ?? (last === null ? null : 'last'),
    year: year === undefined ? null : Number(year.text),
    wantsSets: words.some((word) => allSetKinds.some((kind) => word.kinds.has(kind))),
  };
}

/** The kinds that a word may stand for. */
const kindsMeant = new Map<string, Set<TitleKind>>();
for (const kind of allKinds)
  for (const word of wordsFor(kind)) kindsMeant.set(word, (kindsMeant.get(word) ?? new Set()).add(kind));
for (const word of ['creator', 'user', 'uploader', 'maker']) kindsMeant.set(word, new Set(['creator']));
for (const word of ['set', 'sets', 'artwork'])
  kindsMeant.set(word, new Set(allSetKinds.filter((kind) => !isGroupKind(kind))));
for (const kind of allSetKinds.filter(isGroupKind))
  for (const word of [kind, `${kind}s`]) kindsMeant.set(word, new Set([kind]));
