import type { Transaction } from '../../store/libsql.ts';
import { readingsOf, type SpokenPart, type TitleQuery } from './asked.ts';
import { Gathering, type Groups } from './gather.ts';
import { wordOfCreator, wordOfShow, wordOfTarget } from './index-words.ts';
import { listTitles } from './listing.ts';
import { createRanking, type Ranked, withParentTitles } from './rank.ts';
import { recordsBy, type TitleRecord } from './record.ts';
import { asMeant, asSaid, type Spelling } from './spellings.ts';
import {
  codeOfKind,
  type Findings,
  type Hit,
  isPartKind,
  isTitleSetKind,
  type TitleKind,
  type TitleQuestion,
  type TitleReference,
} from './title-index.ts';
import { butForOneWord, gatherBy, type Way, waysOf } from './ways.ts';

/** As good as the name itself: nothing else is looked for. */
const certain = 0.97;
/** So much like it that all of its words must be in the name: none is left out. */
const likely = 0.8;
/** No creator is called otherwise. */
const sameCreator = 0.7;

/** Within one reading transaction. */
export function searchTitles(sql: Transaction, question: TitleQuestion): Findings {
  const { query = '', offset, limit, target, createdBy } = question;
  const creator = createdBy === undefined ? null : creatorOf(sql, createdBy);
  if (createdBy !== undefined && creator === null) return nothing;
  const readings = readingsOf(query);
  if (readings.length > 0) {
    const found = titlesLike(sql, question, readings, creator);
    return { hits: found.slice(offset, offset + limit).map(hitOf), total: found.length };
  }
  if (target === undefined && creator === null) return nothing;
  const belonging = { target: target ?? null, creator: creator?.id ?? null };
  const { records, total } = listTitles(sql, question, belonging);
  return {
    hits: withParentTitles(sql, records).map(hitAsAsked),
    total,
  };
}

/** Reads these titles, as far as the index has them; within one reading transaction. */
export function findTitles(sql: Transaction, titles: readonly TitleReference[]): Hit[] {
  const found = recordsBy(
    sql,
    `json_each(CAST(? AS TEXT)) AS each
     CROSS JOIN title ON title.kind = each.value ->> 0 AND title.ref = each.value ->> 1`,
    titles.map(({ kind, id }) => [codeOfKind(kind), id]),
  );
  return withParentTitles(sql, found).map(hitAsAsked);
}

const nothing: Findings = { hits: [], total: 0 };

/**
 * What is called like what was asked, best first: what has its words, else what has words like them, else what has all
 * but one. Of what belongs to a target or a creator there is little, so all of that is compared.
 */
function titlesLike(
  sql: Transaction,
  question: TitleQuestion,
  readings: readonly TitleQuery[],
  creator: TitleRecord | null,
): Ranked[] {
  const gathering = new Gathering(sql, oneKindOf(question));
  const within = belongingsOf(question, creator);
  const rank = createRanking(sql, readings, isPartsOnly(question));
  const waysIn = (spell: (sql: Transaction, said: readonly SpokenPart[]) => Spelling) =>
    readings.flatMap((reading) => waysOf(reading, (said) => spell(sql, said)));
  const lookFor = (ways: readonly Way[]): Ranked[] => {
    for (const way of ways) gatherBy(gathering, question, way, within);
    return rank([...gathering.records.values()].filter((record) => isAskedFor(record, question)));
  };
  const isEnough = ([best]: readonly Ranked[], enough: number) =>
    within.length === 0 && best !== undefined && best.score >= enough;

  const named = lookFor(waysIn(asSaid));
  if (isEnough(named, certain)) return named;
  const guesses = waysIn(asMeant);
  const guessed = lookFor(guesses);
  if (isEnough(guessed, likely)) return guessed;
  return lookFor(guesses.map(butForOneWord));
}

/** The words that what belongs to the target and the creator has; none where neither is asked for. */
function belongingsOf({ target }: TitleQuestion, creator: TitleRecord | null): Groups[] {
  const by = creator === null ? [] : [[wordOfCreator(creator.row)]];
  if (target === undefined) return creator === null ? [] : [by];
  const inShow = target.kind === 'show' && typeof target.id === 'number' ? [wordOfShow(target.id)] : [];
  return [wordOfTarget(target), ...inShow].map((word) => [...by, [word]]);
}

function isAskedFor({ kind, id }: TitleRecord, asked: TitleQuestion): boolean {
  if (asked.without?.some((one) => one.kind === kind && one.id === id) === true) return false;
  return asked.kind === undefined || kind === asked.kind || (asked.kind === 'set' && isTitleSetKind(kind));
}

/** The one that a name is most like; null where none is like it. */
function creatorOf(sql: Transaction, name: string): TitleRecord | null {
  const question = { query: name, kind: 'creator', offset: 0, limit: 1 } as const;
  const [best] = titlesLike(sql, question, readingsOf(name), null);
  return best === undefined || best.score < sameCreator ? null : best.record;
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

/** It was asked for by something else than its name. */
function hitAsAsked(title: ReturnType<typeof withParentTitles>[number]): Hit {
  return hitOf({ ...title, score: 1, isGuessed: false });
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
    isOwn: record.isOwn,
    seen: new Date(record.seen).toISOString(),
    likeness: Math.min(1, Math.round(score * 100) / 100),
    isGuessed,
  };
}
