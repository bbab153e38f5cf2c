import { outsideOf, type Span } from './words.ts';

// What names say in a notation of its own: ids of other catalogues, and editions.

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
  const [tagged = [], bare = []] = ids.map((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: whole, groups = {} }): NamedId => {
      const { source, id = '' } = groups;
      const of = source === 'tmdb' || source === 'tvdb' ? source : 'imdb';
      return { source: of, id, start: index, end: index + whole.length };
    }),
  );
  return [...tagged, ...outsideOf(bare, tagged)].sort((a, b) => a.start - b.start);
}

/** Where a name says which cut of a film it is for. */
interface NamedEdition extends Span {
  /** In a tag of its own: {edition-Final Cut}. */
  readonly tagged: boolean;
}

const cuts =
  'director|final|extended|theatrical|assembly|ultimate|special|collector|anniversary|international|unrated|limited|deluxe|criterion';
const tags = /\{\s?edition[-= ][^{}]+\}/gu;
const worded = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:${cuts})(?:'?s)?[\\s._-]+(?:cut|edition|version)|imax|uncut|unrated|remastered|theatrical|extended)(?![\\p{L}\\p{N}])`,
  'gu',
);
const phrase = new RegExp(`^(?:the )?(?:${cuts})(?:'?s)? (?:cut|edition|version)$`, 'u');

/** Whether several words, with single blanks between them, name a cut of a film. */
export function isEdition(words: string): boolean {
  return phrase.test(words);
}

/** The editions that `text` (what `plain` answered) names, those of a tag before those in words. */
export function editionsIn(text: string): NamedEdition[] {
  const read = (pattern: RegExp, tagged: boolean) =>
    [...text.matchAll(pattern)].map(({ index: start, 0: whole }) => ({
      tagged,
      start,
      end: start + whole.length,
    }));
  const inTags = read(tags, true);
  return [...inTags, ...outsideOf(read(worded, false), inTags)];
}
