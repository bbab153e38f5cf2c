import { canBeMisspelt, likeness } from '../../model/names/likeness.ts';
import type { Transaction } from '../../store/libsql.ts';
import type { SpokenPart } from './asked.ts';
import type { Groups } from './gather.ts';
import { guessesOf, usesOf, wordsBy } from './index-words.ts';

/** Words that names are looked up by; the rest is compared. */
const mostTelling = 8;

/** What was said, in words that names may have. */
export interface Spelling {
  /** All of it, in the likeliest spelling. */
  readonly said: readonly SpokenPart[];
  /** What each telling word may be, once for each way to cut them. */
  readonly groups: readonly Groups[];
  /** Some of it is guessed: then more is looked at. */
  readonly isGuessed: boolean;
}

/** What was said, as it was. */
export function asSaid(sql: Transaction, said: readonly SpokenPart[]): Spelling {
  return { said, groups: [tellingOf(sql, said).map(({ term }) => [term])], isGuessed: false };
}

/** The words that a name is looked for by: those that tell something, the rarest where they are many; else all. */
function tellingOf(sql: Transaction, said: readonly SpokenPart[]): SpokenPart[] {
  const distinct = [...new Map(said.map((one) => [one.term, one])).values()];
  const telling = distinct.filter(({ weight }) => weight === 1);
  const some = telling.length === 0 ? distinct : telling;
  if (some.length <= mostTelling) return some;
  const uses = usesOf(
    sql,
    some.map(({ term }) => term),
  );
  const rarest = [...some]
    .sort((one, other) => (uses.get(one.term) ?? 0) - (uses.get(other.term) ?? 0))
    .slice(0, mostTelling);
  return some.filter((one) => rarest.includes(one));
}

/** Of several words one may be wrong, or no part of the name. */
export function groupsLackingOne(groups: Groups): Groups[] {
  if (groups.length < 2) return [];
  if (groups.length > 4) return [groups.slice(0, 3), groups.slice(-3)];
  return groups.map((_, at) => [...groups.slice(0, at), ...groups.slice(at + 1)]);
}

/** So many words a mistyped one may be. */
const mostGuesses = 4;
/** So many words may begin with what was said last. */
const mostBegun = 8;

/**
 * What was said in the words of the index that a person may have meant, where one was mistyped: other spellings,
 * beginnings, and words written together or apart.
 */
export function asMeant(sql: Transaction, said: readonly SpokenPart[]): Spelling {
  const telling = tellingOf(sql, said);
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
          .sort((one, other) => rarer(known, other) - rarer(known, one))[0]
          ?.join(' ');
    return {
      term,
      best: known.has(term) ? term : (alternatives[0] ?? halves ?? term),
      group: [...new Set([term, ...alternatives, ...begun, ...(halves === undefined ? [] : [halves])])],
    };
  });
  const whole = perTerm.map(({ group }) => group);
  const joined = telling.slice(1).flatMap(({ term }, at) => {
    const one = (telling[at]?.term ?? '') + term;
    return known.has(one) ? [[...whole.slice(0, at), [one], ...whole.slice(at + 2)]] : [];
  });
  const best = new Map(perTerm.map((one) => [one.term, one.best]));
  return {
    said: said.flatMap((one) =>
      (best.get(one.term) ?? one.term).split(' ').map((term) => ({ ...one, term })),
    ),
    groups: [whole, ...joined.slice(0, 3)],
    isGuessed: true,
  };
}

function guessesFor(sql: Transaction, term: string): string[] {
  if (!canBeMisspelt(term)) return [];
  const from = `(SELECT word AS id FROM json_each(CAST(?1 AS TEXT)) AS each CROSS JOIN spelling ON spelling.key = each.value
     UNION SELECT word.id FROM json_each(CAST(?1 AS TEXT)) AS each CROSS JOIN word ON text = each.value
     LIMIT 400) AS guess CROSS JOIN word ON word.id = guess.id`;
  return wordsBy(sql, from, [JSON.stringify(guessesOf(term))])
    .map(([word, uses]) => ({ word, uses, like: likeness(term, word) }))
    .filter(({ word, like }) => word !== term && like >= 0.66)
    .sort((one, other) => other.like - one.like || other.uses - one.uses)
    .slice(0, mostGuesses)
    .map(({ word }) => word);
}

function begunBy(sql: Transaction, term: string): string[] {
  if (term.length < 2 || /^\d/.test(term)) return [];
  const from = `(SELECT text, uses FROM word, (SELECT CAST(? AS TEXT) AS j)
    WHERE text > j ->> 0 AND text < j ->> 1 AND uses > 0 LIMIT 500)`;
  return wordsBy(sql, from, [JSON.stringify([term, `${term}\u{10ffff}`])])
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
