import { allKinds, allSetKinds, isGroupKind, kinds } from '../../model/kinds.ts';
import { codesIn, episodesIn, type Numbers, seasonsIn } from '../../model/names/numbers.ts';
import { withDigits } from '../../model/names/numerals.ts';
import { isArticle, isSmallWord, plain } from '../../model/names/words.ts';
import { allSlots, slotsWords, slotWords } from '../../model/slots.ts';
import { latinTermsOf, termsOf } from './terms.ts';
import { type TitleKind, titleSetKinds } from './title-index.ts';

/** One word of what was asked. */
export interface SpokenPart {
  readonly term: string;
  /** How much it tells: small words and those around a name tell little. */
  readonly weight: number;
  /** It may only say what kind of thing is meant. */
  readonly isHint: boolean;
}

export interface TitleQuery {
  /** Every word, as if all of them stood in a name. */
  readonly said: readonly SpokenPart[];
  /** A season or an episode that it names by number, and the words without that. */
  readonly numbered: {
    readonly season: number | null;
    readonly episode: number | 'last' | null;
    readonly said: readonly SpokenPart[];
  } | null;
  /** Kinds that a word of it means, where the word is no part of a name. */
  readonly kinds: ReadonlySet<TitleKind>;
  readonly year: number | null;
}

/** What people say beside the model's words for kinds. */
const otherWordsOfKinds: readonly (readonly [words: string, kinds: readonly TitleKind[]])[] = [
  ['movies films', ['collection']],
  ['creator user artist', ['creator']],
  ['set sets', titleSetKinds],
];

/** Words for kinds, in the singular and the plural. */
function wordsOfKinds(): ReadonlyMap<string, ReadonlySet<TitleKind>> {
  const meant = new Map<string, Set<TitleKind>>();
  const add = (kind: TitleKind, words: readonly string[]) => {
    for (const word of words) meant.set(word, (meant.get(word) ?? new Set()).add(kind));
  };
  for (const kind of allKinds) {
    const { words, plural, otherWords } = kinds[kind];
    add(kind, [words, plural, ...otherWords, ...otherWords.map((word) => `${word}s`)]);
  }
  for (const kind of allSetKinds.filter(isGroupKind)) add(kind, [kind, `${kind}s`]);
  for (const [words, its] of otherWordsOfKinds) for (const kind of its) add(kind, words.split(' '));
  return meant;
}

const kindsMeant = wordsOfKinds();

/** What people have in mind of a Set or a work; none of them is a kind. */
const around: ReadonlySet<string> = new Set([
  ...'artwork art card cards title cover covers called named name find show me please look search looking open get give about one ones where with her his made uploaded latest new all any some which what does do lack lacks missing video tv original'.split(
    ' ',
  ),
  ...allSlots.flatMap((slot) => [slot.toLowerCase(), ...`${slotWords(slot)} ${slotsWords(slot)}`.split(' ')]),
]);

/**
 * What a person asked find_titles for, read as words, numbers, a year and kinds: as it was written, and in Latin letters
 * where it has others. None where it has no words.
 */
export function readingsOf(query: string): TitleQuery[] {
  return [query, latinTermsOf(query).join(' ')].map(askedOf).filter(({ said }) => said.length > 0);
}

function askedOf(query: string): TitleQuery {
  const text = plain(query.replace(/[_]/g, ' '));
  const terms = termsOf(query);
  const said = terms.map(saidOf);
  const year = terms.map(Number).find((value) => value >= 1880 && value <= 2100) ?? null;
  const meant = new Set(terms.flatMap((term) => [...(kindsMeant.get(term) ?? [])]));
  return { said, numbered: numberedIn(text), kinds: meant, year };
}

function saidOf(term: string): SpokenPart {
  const isHint = kindsMeant.has(term) || around.has(term);
  const weight = isArticle(term) ? 0.05 : isHint ? 0.12 : isSmallWord(term) ? 0.15 : 1;
  return { term, weight, isHint };
}

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
);
const ordinal = new RegExp(
  `\\b(?:the )?(${ordinals.join('|')}|\\d{1,2}(?:st|nd|rd|th)) (season|series|episode|ep)\\b`,
  'g',
);
const last = /\b(?:the )?(?:last|final|latest) (?:episode|ep)\b|\b(?:season |series )?finale\b/;

/** By number: S02E05, season 2 episode 5, the third episode of season one, the last episode of season 2. */
function numberedIn(query: string): TitleQuery['numbered'] {
  const text = withDigits(query).replace(ordinal, (_, which: string, what: string) => {
    const at = ordinals.indexOf(which);
    return ` ${what === 'series' ? 'season' : what} ${at < 0 ? Number.parseInt(which, 10) : at + 1} `;
  });
  const [code] = codesIn(text);
  if (code !== undefined) {
    return { season: code.season, episode: code.episodes[0] ?? null, said: saidWithout(text, [code]) };
  }
  const [season] = seasonsIn(text);
  const [episode] = episodesIn(text);
  const end = last.exec(text);
  const ending = end === null ? null : { start: end.index, end: end.index + end[0].length };
  const used = [season, episode, ending].filter((one) => one !== undefined && one !== null);
  if (used.length === 0) return null;
  return {
    season: season?.season ?? null,
    episode: episode?.episodes[0] ?? (ending === null ? null : 'last'),
    said: saidWithout(text, used),
  };
}

function saidWithout(text: string, used: readonly Pick<Numbers, 'start' | 'end'>[]): SpokenPart[] {
  let rest = text;
  for (const { start, end } of [...used].sort((a, b) => b.start - a.start)) {
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  return termsOf(rest).map(saidOf);
}
