import type { Sql } from '../../storage/libsql/database.ts';
import { askedInLatin, askedOf, type TitleQuery } from './asked.ts';
import { Gathering } from './gather.ts';
import { wordOfCreator, wordOfShow, wordOfTarget } from './index-words.ts';
import { type Ranked, rankBestFirst, scoreTitles, withParentTitles } from './rank.ts';
import { recordsBy, type TitleRecord } from './record.ts';
import {
  codeOfKind,
  type Findings,
  type Hit,
  isPartKind,
  type TitleId,
  type TitleKind,
  type TitleQuestion,
  type TitleReference,
  titleSetKinds,
} from './title-index.ts';
import { gatherBy, groupsLackingOne, guessedWaysOf, guessWords, tellingOf, waysOf } from './ways.ts';

/** As good as the name itself: nothing else is looked for. */
const certain = 0.97;
/** So much like it that all of its words must be in the name: none is left out. */
const likely = 0.8;
/** Of those that have not all of the words so many are looked at. */
const few = 25;

/** Within one reading transaction; @param user `ARTWORK_USER`, who is not shown what others alone can see */
export function searchTitles(sql: Sql, question: TitleQuestion, user: string): Findings {
  const { query = '', offset, limit, target, createdBy } = question;
  const asked = askedOf(query);
  if (target === undefined && createdBy === undefined) {
    if (asked.said.length === 0) return nothing;
    const found = everywhere(sql, question, asked, user);
    return { hits: found.slice(offset, offset + limit).map(hitOf), total: found.length };
  }
  const creator = createdBy === undefined ? null : creatorOf(sql, createdBy, user);
  if (createdBy !== undefined && creator === null) return nothing;
  if (asked.said.length === 0) {
    const belonging = { target: target ?? null, creator: creator?.id ?? null };
    const { records, total } = listTitles(sql, question, belonging, user);
    return {
      hits: withParentTitles(sql, records).map((one) => hitOf({ ...one, score: 1, isGuessed: false })),
      total,
    };
  }
  const found = among(sql, question, asked, creator, user);
  return { hits: found.slice(offset, offset + limit).map(hitOf), total: found.length };
}

const nothing: Findings = { hits: [], total: 0 };

function everywhere(sql: Sql, question: TitleQuestion, asked: TitleQuery, user: string): Ranked[] {
  const gathering = new Gathering(sql, oneKindOf(question));
  const latin = askedInLatin(question.query ?? '');
  const readings = latin === null ? [asked] : [asked, latin];
  // What came first is not compared again with what comes later.
  const known = new Map<number, Ranked>();
  const ranked = () => rankAll(sql, gathering, question, readings, user, known);
  for (const way of waysOf(sql, asked)) gatherBy(gathering, question, way);
  const found = ranked();
  if ((found[0]?.score ?? 0) >= certain) return found;
  const guesses = readings.flatMap((reading) => guessedWaysOf(sql, reading));
  for (const way of guesses) gatherBy(gathering, question, way);
  const guessed = ranked();
  if ((guessed[0]?.score ?? 0) >= likely) return guessed;
  for (const { groups, tables } of guesses) {
    for (const some of groupsLackingOne(groups[0] ?? [])) gathering.byWords(some, [], tables, few);
  }
  return ranked();
}

/** What a creator made, or what is for a target, by its words. */
function among(
  sql: Sql,
  question: TitleQuestion,
  asked: TitleQuery,
  creator: TitleRecord | null,
  user: string,
): Ranked[] {
  const gathering = new Gathering(sql, oneKindOf(question));
  const { target } = question;
  const guesses = guessWords(sql, asked.said, tellingOf(sql, asked.said));
  const by = creator === null ? [] : [wordOfCreator(creator.row)];
  const all = target === undefined ? [by] : [[...by, wordOfTarget(target)]];
  if (target?.kind === 'show' && typeof target.id === 'number') all.push([...by, wordOfShow(target.id)]);
  for (const belonging of all) {
    for (const groups of [
      guesses.exact,
      ...guesses.guessed,
      ...groupsLackingOne(guesses.guessed[0] ?? []),
      [],
    ]) {
      gathering.byWords(
        groups,
        belonging.map((word) => [word]),
        ['part_words'],
      );
    }
  }
  if (target?.kind === 'show' && typeof target.id === 'number' && asked.numbered !== null) {
    gathering.numbered(target.id, asked.numbered.season, asked.numbered.episode);
  }
  return rankAll(sql, gathering, question, [asked], user);
}

function rankAll(
  sql: Sql,
  gathering: Gathering,
  question: TitleQuestion,
  readings: readonly TitleQuery[],
  user: string,
  known = new Map<number, Ranked>(),
): Ranked[] {
  const { kind } = question;
  const seen = [...gathering.records.values()].filter(
    (record) =>
      !known.has(record.row) &&
      (record.isPublic || record.owner === user) &&
      (kind === undefined || record.kind === kind || (kind === 'set' && titleSetKinds.includes(record.kind))),
  );
  for (const one of scoreTitles(withParentTitles(sql, seen), readings, isPartsOnly(question)))
    known.set(one.record.row, one);
  return rankBestFirst([...known.values()]);
}

/** The one that a name is most like; null where none is like it. */
function creatorOf(sql: Sql, name: string, user: string): TitleRecord | null {
  const [best] = everywhere(sql, { query: name, kind: 'creator', offset: 0, limit: 1 }, askedOf(name), user);
  return best === undefined || best.score < 0.7 ? null : best.record;
}

function oneKindOf({ kind }: TitleQuestion): TitleKind | null {
  return kind === undefined || kind === 'set' ? null : kind;
}

/** Whether only what belongs to works is asked for: then what it belongs to says enough. */
function isPartsOnly({ kind, target, createdBy }: TitleQuestion): boolean {
  return (
    kind === 'set' ||
    (kind !== undefined && isPartKind(kind)) ||
    target !== undefined ||
    createdBy !== undefined
  );
}

function hitOf({ record, showName, target, score, isGuessed }: Ranked): Hit {
  return {
    kind: record.kind,
    id: record.id,
    name: record.name,
    year: record.year,
    date: record.date,
    show: record.show === null ? null : { id: record.show, name: showName },
    season: record.season,
    episode: record.episode,
    creator: record.kind === 'creator' ? null : record.creator,
    target,
    slot: record.slot,
    language: record.language,
    updated: record.updated,
    isOwn: record.owner !== null,
    seen: new Date(record.seen).toISOString(),
    likeness: Math.min(1, Math.round(score * 100) / 100),
    isGuessed,
  };
}

/** What is asked for without a name: what belongs to a target, a creator, or both. */
interface Belonging {
  readonly target: TitleReference | null;
  /** The creator as Sets name them. */
  readonly creator: TitleId | null;
}

/**
 * A page of the titles of a kind, a work or a creator, without a query: the latest change first, episodes in their
 * order; and how many there are.
 */
function listTitles(
  sql: Sql,
  { kind, offset, limit }: TitleQuestion,
  { target, creator }: Belonging,
  user: string,
): { records: TitleRecord[]; total: number } {
  const isInShow = target?.kind === 'show' && (kind === 'episode' || kind === 'season');
  const codes = kind === undefined || kind === 'set' ? titleSetKinds.map(codeOfKind) : [codeOfKind(kind)];
  const given = [user, creator, target === null ? null : codeOfKind(target.kind), target?.id ?? null];
  const from = [
    '(SELECT CAST(? AS TEXT) AS j)',
    target === null || isInShow
      ? 'CROSS JOIN title'
      : 'CROSS JOIN target AS of ON of.kind = j ->> 2 AND of.ref = j ->> 3 CROSS JOIN title ON title.id = of.title',
    'WHERE (title.public = 1 OR title.owner = j ->> 0)',
    isInShow ? 'AND title.show = j ->> 3' : '',
    creator === null ? '' : 'AND title.creator = j ->> 1',
    `AND title.kind IN (${codes.join(', ')})`,
  ].join(' ');
  const order = isInShow ? 'title.season, title.episode' : 'title.updated DESC, title.id';
  const records = recordsBy(
    sql,
    `(SELECT title.id AS row FROM ${from} ORDER BY ${order}
      LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}) CROSS JOIN title ON title.id = row`,
    given,
  );
  const counted = sql.row(`SELECT count(*) AS total FROM ${from}`, [JSON.stringify(given)]);
  return { records, total: typeof counted?.total === 'number' ? counted.total : records.length };
}
