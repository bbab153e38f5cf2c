import { canBeMisspelt, likeness } from '../../model/names/likeness.ts';
import type { Sql } from '../../storage/libsql/database.ts';
import type { SpokenPart, TitleQuery } from './asked.ts';
import type { Anchor, Gathering, Groups, Table } from './gather.ts';
import { guessesOf, usesOf, wordsBy } from './index-words.ts';
import { isPartKind, type TitleQuestion, titleSetKinds } from './title-index.ts';

/** Works whose parts are looked at. */
const mostAnchors = 6;
/** Of so many also what has not all of the other words. */
const mostRelaxed = 2;
/** Words that names are looked up by; the rest is compared. */
const mostTelling = 8;

/** One way to take what was asked: which words are names, and which numbers. */
interface Way {
  readonly said: readonly SpokenPart[];
  /** What each telling word may be, once for each way to cut them. */
  readonly groups: readonly Groups[];
  readonly tables: readonly Table[];
  /** Of an episode or a season; null where none is named, or where its number is taken for a part of a name. */
  readonly numbers: Pick<NonNullable<TitleQuery['numbered']>, 'season' | 'episode'> | null;
  /** Some of it is guessed: then more is looked at. */
  readonly isGuessed: boolean;
  /** Kinds of Sets are asked for. */
  readonly wantsSets: boolean;
}

/** The ways to look for a query as it was said. */
export function waysOf(sql: Sql, asked: TitleQuery): Way[] {
  const exactly = (said: readonly SpokenPart[]) => ({
    said,
    groups: [tellingOf(sql, said).map(({ term }) => [term])],
    isGuessed: false,
  });
  return bothWays(asked, exactly(asked.said), asked.numbered === null ? null : exactly(asked.numbered.said));
}

/** The ways to look for a query as it may have been meant, with other spellings. */
export function guessedWaysOf(sql: Sql, asked: TitleQuery): Way[] {
  const guessed = (said: readonly SpokenPart[]) => {
    const { guessed: groups, corrected } = guessWords(sql, said, tellingOf(sql, said));
    return { said: corrected, groups, isGuessed: true };
  };
  return bothWays(asked, guessed(asked.said), asked.numbered === null ? null : guessed(asked.numbered.said));
}

type Words = Pick<Way, 'said' | 'groups' | 'isGuessed'>;

/** With a number of an episode the words of parts are those without it; a work may have it in its name: Episode I. */
function bothWays(asked: TitleQuery, whole: Words, rest: Words | null): Way[] {
  const wantsSets = titleSetKinds.some((kind) => asked.kinds.has(kind));
  if (rest === null || asked.numbered === null) {
    return [{ ...whole, tables: ['work_words', 'part_words'], numbers: null, wantsSets }];
  }
  const { season, episode } = asked.numbered;
  return [
    { ...rest, tables: ['work_words', 'part_words'], numbers: { season, episode }, wantsSets },
    { ...whole, tables: ['work_words'], numbers: null, wantsSets: false },
  ];
}

/** Brings together whatever this way may lead to. */
export function gatherBy(gathering: Gathering, question: TitleQuestion, way: Way): void {
  const { said, isGuessed, tables } = way;
  const anchors = gathering.byName(said, isGuessed);
  for (const groups of way.groups) {
    for (const record of gathering.byWords(groups, [], tables)) {
      if (!isPartKind(record.kind)) anchors.push({ record, from: 0, to: said.length });
    }
  }
  if (!tables.includes('part_words')) return;
  const found = distinct(anchors);
  const isWhole = (work: Anchor) => restOf(said, work).length === 0;
  // Where all that was said is one name, a shorter one in it is not the name of a show with the rest as an episode.
  const [best] = found;
  const works = (best !== undefined && isWhole(best) ? found.filter(isWhole) : found).slice(0, mostAnchors);
  for (const [at, work] of works.entries()) {
    gatherParts(gathering, question, way, work, works);
    // Behind a guess one of the words may belong to nothing.
    if (isGuessed && at < mostRelaxed) {
      for (const some of groupsLackingOne(restOf(said, work))) gathering.belongingTo([work.record], some);
    }
  }
}

/** What belongs to a work, by the words that are not its name, or by number. */
function gatherParts(
  gathering: Gathering,
  { kind }: TitleQuestion,
  way: Way,
  { record, from, to }: Anchor,
  works: readonly Anchor[],
): void {
  const { said, numbers } = way;
  const wantsSets = way.wantsSets || kind === 'set' || titleSetKinds.some((one) => one === kind);
  const rest = restOf(said, { from, to });
  if (record.kind === 'show' && typeof record.id === 'number') {
    if (numbers !== null) gathering.numbered(record.id, numbers.season, numbers.episode);
    if (kind === 'episode') gathering.episodesOf(record.id);
    const wantsSeasons = kind === 'season' || said.some(({ term }) => term === 'seasons');
    if (wantsSeasons) gathering.numbered(record.id, null, null);
  }
  if (rest.length > 0) gathering.belongingTo([record], rest);
  if (wantsSets) gathering.setsOf(record);
  else if (rest.length === 0) return;
  if (record.kind !== 'creator') return;
  for (const other of works) {
    if (other.record.kind !== 'creator') gathering.belongingTo([record, other.record], []);
  }
}

/** The telling words that are not the work's name. */
function restOf(said: readonly SpokenPart[], { from, to }: Pick<Anchor, 'from' | 'to'>): Groups {
  return said.filter(({ weight }, at) => weight === 1 && (at < from || at >= to)).map(({ term }) => [term]);
}

/** One anchor for each record, where it has most of the words. */
function distinct(anchors: readonly Anchor[]): Anchor[] {
  const found = new Map<number, Anchor>();
  for (const anchor of anchors) if (!found.has(anchor.record.row)) found.set(anchor.record.row, anchor);
  return [...found.values()];
}

/** The words that a name is looked for by: those that tell something, the rarest where they are many; else all. */
export function tellingOf(sql: Sql, said: readonly SpokenPart[]): SpokenPart[] {
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

/** What is said, as the words of names that it may be. */
interface Guesses {
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

function begunBy(sql: Sql, term: string): string[] {
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
