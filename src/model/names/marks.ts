import { outsideOf, type Span } from './words.ts';

/** What names say besides titles and numbers: ids of other catalogues, editions, languages. */

/** An id that a folder or file has in its name for the program that reads it. */
export interface NamedId extends Span {
  readonly source: 'tmdb' | 'tvdb' | 'imdb';
  readonly id: string;
}

const ids = [
  // {tmdb-123}, [tvdbid-123], [imdbid=tt1234567], tmdbid=123
  /(?<![\p{L}\p{N}])(?<open>[[({]\s?)?(?<source>tmdb|tvdb|imdb)(?:id)?\s?[-=:_]\s?(?<id>tt\d{5,9}|\d{1,9})(?![\p{L}\p{N}])(?:\s?[\])}])?/gu,
  /(?<![\p{L}\p{N}])(?<open>[[({]\s?)?(?<id>tt\d{7,9})(?![\p{L}\p{N}])(?:\s?[\])}])?/gu,
];

/** The ids that `text` (what `plain` answered) has, in order. */
export function idsIn(text: string): NamedId[] {
  const found = ids.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: whole, groups }): NamedId => {
      const { source, id = '' } = groups ?? {};
      const of = source === 'tmdb' || source === 'tvdb' ? source : 'imdb';
      return { source: of, id, start: index, end: index + whole.length };
    }),
  );
  const sorted = found.sort((a, b) => a.start - b.start);
  return sorted.filter(({ start }, at) => start >= (sorted[at - 1]?.end ?? 0));
}

/** Which cut of a film it is for, as the name writes it, folded: director's cut. */
export interface NamedEdition extends Span {
  readonly name: string;
}

const cuts =
  'director|final|extended|theatrical|assembly|ultimate|special|collector|anniversary|international|unrated|limited|deluxe|criterion';
const tagged = /\{\s?edition[-= ](?<name>[^{}]+)\}/gu;
const worded = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<name>(?:${cuts})(?:'?s)?[\\s._-]+(?:cut|edition|version)|imax|uncut|unrated|remastered|theatrical|extended)(?![\\p{L}\\p{N}])`,
  'gu',
);
const phrase = new RegExp(`^(?:the )?(?:${cuts})s? (?:cut|edition|version)$`, 'u');

/** Whether several words, with single blanks between them, name a cut of a film. */
export function isEdition(words: string): boolean {
  // Every run of words of every name is asked about, and few end so.
  return /(?:cut|edition|version)$/.test(words) && phrase.test(words);
}

/** The editions that `text` (what `plain` answered) names, those of a tag before those in words. */
export function editionsIn(text: string): NamedEdition[] {
  const read = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ index, 0: whole, groups }): NamedEdition => {
      const name = (groups?.name ?? '').replace(/[\s._-]+/g, ' ').trim();
      return { name, start: index, end: index + whole.length };
    });
  const tags = read(tagged);
  return [...tags, ...outsideOf(read(worded), tags)];
}

const languages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    en: 'en eng english',
    de: 'de ger deu german deutsch',
    fr: 'fr fre fra french francais',
    es: 'es spa spanish espanol castellano',
    it: 'it ita italian italiano',
    pt: 'pt por portuguese portugues',
    nl: 'nl dut dutch nederlands',
    sv: 'sv swe swedish svenska',
    ja: 'ja jpn japanese',
    ko: 'ko kor korean',
  }).flatMap(([language, words]) => words.split(' ').map((word) => [word, language] as const)),
);

/** The language that a word of a file's name is the code or name of, as an ISO 639 code; null for none. */
export function languageNamed(word: string): string | null {
  return languages.get(word) ?? null;
}
