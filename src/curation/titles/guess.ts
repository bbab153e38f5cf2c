import type { Sql } from '../../storage/libsql/database.ts';
import type { SpokenPart } from './asked.ts';
import type { Groups } from './gather.ts';
import { jsonListOf } from './record.ts';
import { canBeMisspelt, guessesOf, spellingLikenessOf } from './spelling.ts';
import { usesOf, wordAndUses } from './vocabulary.ts';

/** So many words a mistyped one may be. */
const mostGuesses = 4;
/** So many words may begin with what was said last. */
const mostBegun = 8;

/** What is said, as the words of names that it may be. */
export interface Guesses {
  /** The words as they are, for those that any name has. */
  readonly exact: Groups;
  /** With other spellings, beginnings, and words written together or apart. */
  readonly guessed: readonly Groups[];
  /** All of what was said in the likeliest spelling. */
  readonly corrected: readonly SpokenPart[];
}

/**
 * Looks for the words of the index that a person may have meant, where one was mistyped.
 * @param telling the words that names are looked for by
 */
export function guessWords(sql: Sql, said: readonly SpokenPart[], telling: readonly SpokenPart[]): Guesses {
  const terms = telling.map(({ term }) => term);
  const joins = said.slice(1).map(({ term }, at) => (said[at]?.term ?? '') + term);
  const known = usesOf(sql, [...terms, ...joins, ...terms.flatMap(halvesOf).flat()]);
  const perTerm = terms.map((term, at) => {
    const alternatives = guessesFor(sql, term);
    const begun = at === terms.length - 1 ? begunBy(sql, term) : [];
    const halves = known.has(term)
      ? undefined
      : halvesOf(term)
          .filter(([one, other]) => known.has(one) && known.has(other))
          .sort((one, other) => rarer(known, other) - rarer(known, one))[0];
    return {
      term,
      best: known.has(term) ? term : (alternatives[0] ?? halves?.join(' ') ?? term),
      group: [
        ...new Set([term, ...alternatives, ...begun, ...(halves === undefined ? [] : [halves.join(' ')])]),
      ],
    };
  });
  const whole = perTerm.map(({ group }) => group);
  const joined = telling.slice(1).flatMap(({ term }, at) => {
    const one = (telling[at]?.term ?? '') + term;
    return known.has(one) ? [[...whole.slice(0, at), [one], ...whole.slice(at + 2)]] : [];
  });
  const best = new Map(perTerm.map((one) => [one.term, one.best]));
  return {
    exact: terms.map((term) => [term]),
    guessed: [whole, ...joined.slice(0, 3)],
    corrected: said.flatMap((one) =>
      (best.get(one.term) ?? one.term).split(' ').map((term) => ({ ...one, term })),
    ),
  };
}

function guessesFor(sql: Sql, term: string): string[] {
  if (!canBeMisspelt(term)) return [];
  const keys = JSON.stringify(guessesOf(term));
  const found = jsonListOf(
    sql.row(
      `SELECT CAST(json_group_array(json_array(text, uses)) AS BLOB) AS found FROM
       (SELECT word AS id FROM json_each(CAST(?1 AS TEXT)) AS each CROSS JOIN spelling ON spelling.key = each.value
        UNION SELECT word.id FROM json_each(CAST(?1 AS TEXT)) AS each CROSS JOIN word ON text = each.value
        LIMIT 400) AS guess CROSS JOIN word ON word.id = guess.id WHERE uses > 0`,
      [keys],
    ),
  );
  return found
    .flatMap(wordAndUses)
    .map(([word, uses]) => ({ word, uses, like: spellingLikenessOf(term, word) }))
    .filter(({ word, like }) => word !== term && like >= 0.66)
    .sort((one, other) => other.like - one.like || other.uses - one.uses)
    .slice(0, mostGuesses)
    .map(({ word }) => word);
}

function begunBy(sql: Sql, term: string): string[] {
  if (term.length < 2 || /^\d/.test(term)) return [];
  const found = jsonListOf(
    sql.row(
      `SELECT CAST(json_group_array(json_array(text, uses)) AS BLOB) AS found FROM
       (SELECT text, uses FROM word, (SELECT CAST(? AS TEXT) AS j)
        WHERE text > j ->> 0 AND text < j ->> 1 AND uses > 0 LIMIT 500)`,
      [JSON.stringify([term, `${term}\u{10ffff}`])],
    ),
  );
  return found
    .flatMap(wordAndUses)
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostBegun)
    .map(([word]) => word);
}

function halvesOf(term: string): [string, string][] {
  if (term.length < 5 || term.length > 30) return [];
  return Array.from({ length: term.length - 3 }, (_, at): [string, string] => [
    term.slice(0, at + 2),
    term.slice(at + 2),
  ]);
}

function rarer(known: ReadonlyMap<string, number>, [one, other]: readonly [string, string]): number {
  return Math.min(known.get(one) ?? 0, known.get(other) ?? 0);
}
