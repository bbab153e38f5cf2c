import { groupedBy } from '../../grouped-by.ts';
import { likeness } from '../../model/names/likeness.ts';
import { isFiller, kindsMeantBy, type Numbered, type Way, waysToRead } from './query.ts';
import { type AskedWord, byScore, type Entry, type Scored, scoreAll } from './score.ts';
import { inLatin, wholeName } from './terms.ts';
import type { TitleFile } from './title-file.ts';
import {
  type Findings,
  type Hit,
  isTitleKind,
  isTitleSetKind,
  type TitleQuestion,
  type TitleReference,
} from './titles.ts';

type Reading = Pick<TitleFile, 'read'>;

/** Rows that one statement brings to be compared: a common word stands in more names than anybody reads. */
const mostRows = 80;
/** What a creator made, or is for one target. */
const mostListed = 2_000;
/** Works whose parts are looked at. */
const mostWorks = 12;
/** In which an episode of a number is looked for where no season is said. */
const mostSeasons = 40;
/** What scores so much is what was meant. */
const sure = 0.75;

/**
 * Finds titles by name: those that have all words, then those that have the rarest of them, then other spellings of the
 * words, by their trigrams. What belongs to a work (seasons, episodes, Sets) is found by the work's name too.
 * @param owner the account whose own titles are found beside those that everybody sees; '' for none
 */
export async function searchTitles(file: Reading, question: TitleQuestion, owner: string): Promise<Findings> {
  const { query = '', createdBy, target, kind, offset, limit } = question;
  const ways = waysToRead(query);
  const isWithin = createdBy !== undefined || target !== undefined;
  const among = isWithin ? await listed(file, question, owner) : null;
  let found: Scored[] = (among ?? []).map((entry) => ({ entry, score: 1, likeness: 1 }));
  for (const effort of ways.length === 0 ? [] : efforts) {
    const scored: Scored[] = [];
    for (const way of ways) {
      const words = await wordsIn(file, way.words, effort);
      const entries =
        among?.map((entry) => numberedBy(entry, way.number)) ??
        (await gathered(file, way, words, effort, owner));
      scored.push(...scoreAll(entries, way, words));
    }
    found = merged(scored.filter(({ entry }) => isOfKind(entry, kind))).sort(byScore);
    if ((found[0]?.score ?? 0) >= sure) break;
  }
  const best = found[0]?.score ?? 0;
  const likely = found.filter(({ entry, score }) => score >= 0.45 * best && isOfKind(entry, kind));
  return { hits: likely.slice(offset, offset + limit).map(hitOf), total: likely.length };
}

const efforts = ['all words', 'some words', 'other spellings'] as const;
type Effort = (typeof efforts)[number];

async function wordsIn(file: Reading, texts: readonly string[], effort: Effort): Promise<AskedWord[]> {
  const joined = texts.slice(0, -1).map((text, at) => text + texts[at + 1]);
  const counts = await countsOf(file, [...texts, ...joined]);
  const words: AskedWord[] = [];
  for (const [at, text] of texts.entries()) {
    const count = counts.get(text) ?? 0;
    const alternatives = new Map([[text, 1]]);
    for (const pair of [joined[at - 1], joined[at]]) {
      if (pair !== undefined && (counts.get(pair) ?? 0) > 0) alternatives.set(pair, 1);
    }
    const isTypedWrong = count === 0 && alternatives.size === 1 && effort === 'some words';
    if (isTypedWrong || effort === 'other spellings') {
      for (const [word, alike] of await spelledLike(file, text)) {
        if (!alternatives.has(word)) alternatives.set(word, alike * 0.95);
      }
    }
    const weight = isFiller(text) ? 0.08 : 1 / (1 + Math.log10(1 + count) / 3);
    words.push({ text, alternatives, count, weight });
  }
  return words;
}

/** In how many names each term stands. */
async function countsOf(file: Reading, terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await file.read(
    'SELECT value AS term, doc FROM json_each(CAST(? AS TEXT)) JOIN term_count ON term_count.term = value',
    [JSON.stringify([...new Set(terms)])],
  );
  return new Map(rows.map(({ term, doc }) => [String(term), Number(doc)]));
}

/** Words that share a trigram with what was typed and are compared with it. */
const mostSpellings = 2_000;
const leastAlike = 0.6;

/** The words of names that were likely meant by one, and how alike they are: by the trigrams that both have. */
async function spelledLike(file: Reading, text: string): Promise<(readonly [string, number])[]> {
  const latin = inLatin(text);
  if (!/^\p{L}{4,24}$/u.test(latin)) return [];
  const padded = `_${latin}_`;
  const trigrams = Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
  const rarest = await file.read(
    `SELECT value AS term, doc FROM json_each(CAST(? AS TEXT)) JOIN spelt_count ON spelt_count.term = value
     ORDER BY doc`,
    [JSON.stringify([...new Set(trigrams)])],
  );
  const shared = new Map<number, number>();
  let looked = 0;
  for (const { term, doc } of rarest) {
    looked += Number(doc);
    if (looked > mostSpellings && shared.size > 0) break;
    for (const at of await matches(file, 'spelt', quoted(String(term)), mostSpellings)) {
      shared.set(at, (shared.get(at) ?? 0) + 1);
    }
  }
  const nearest = [...shared].sort(([, one], [, other]) => other - one).slice(0, 60);
  const rows = await file.read(`SELECT word FROM spelling WHERE at ${inList}`, [
    JSON.stringify(nearest.map(([at]) => at)),
  ]);
  return rows
    .map(({ word }) => [String(word), likeness(latin, String(word))] as const)
    .filter(([, alike]) => alike >= leastAlike)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 5);
}

const inList = 'IN (SELECT value FROM json_each(CAST(? AS TEXT)))';

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

async function matches(
  file: Reading,
  table: 'term' | 'spelt',
  match: string,
  limit: number,
): Promise<number[]> {
  const sql = `SELECT rowid AS at FROM ${table} WHERE ${table} MATCH CAST(? AS TEXT) LIMIT ?`;
  return (await file.read(sql, [match, limit])).map(({ at }) => Number(at));
}

/** What one way may mean: what is called so, and the parts and Sets of such works. */
async function gathered(
  file: Reading,
  way: Way,
  words: readonly AskedWord[],
  effort: Effort,
  owner: string,
): Promise<Entry[]> {
  const known = words.filter(({ count, alternatives }) => count > 0 || alternatives.size > 1);
  const telling = known.filter(({ text }) => !isFiller(text));
  const used = telling.length > 0 ? telling : known;
  const anyOf = ({ alternatives }: AskedWord) => `(${[...alternatives.keys()].map(quoted).join(' OR ')})`;
  const needed = used.filter(({ text }) => kindsMeantBy(text) === undefined);
  const rarest = [...used].sort((one, other) => one.count - other.count).slice(0, 3);
  const asked = [
    quoted(wholeName(way.words)),
    ...(needed.length > 0 ? [needed.map(anyOf).join(' AND ')] : []),
    ...(effort === 'all words' ? [] : rarest.map(anyOf)),
    ...(way.creator.length > 0
      ? [quoted(wholeName(way.creator)), way.creator.map(quoted).join(' AND ')]
      : []),
  ];
  const ats: number[] = [];
  for (const match of new Set(asked)) ats.push(...(await matches(file, 'term', match, mostRows)));
  const named = await load(file, ats, owner);
  if (way.number === null && !way.sets) return named;
  const works = scoreAll(named, { ...way, sets: false, number: null }, words)
    .filter(({ entry, score }) => score > 0.3 && !isTitleSetKind(entry.reference.kind))
    .sort(byScore)
    .slice(0, mostWorks)
    .map(({ entry }) => entry.reference);
  if (way.number !== null) return [...named, ...(await numberedParts(file, way.number, works, owner))];
  const makers = named.flatMap(({ reference: { kind, id } }) => (kind === 'creator' ? [id] : []));
  return [...named, ...(await setsOf(file, works, way.creator.length > 0 ? makers : [], owner))];
}

async function numberedParts(
  file: Reading,
  number: Numbered,
  works: readonly TitleReference[],
  owner: string,
): Promise<Entry[]> {
  const { season, episode } = number;
  const [kind, order, limit] =
    episode === null
      ? ['season', 'season', 1]
      : episode === 'last'
        ? ['episode', 'season DESC, episode DESC', 1]
        : ['episode', 'season, episode', episode === 'first' ? 1 : mostSeasons];
  const inSeason = season === null ? 'season > 0' : `season = ${season}`;
  const inEpisode = typeof episode === 'number' ? `AND episode = ${episode}` : '';
  const ats: number[] = [];
  for (const { id } of works.filter((work) => work.kind === 'show')) {
    const rows = await file.read(
      `SELECT at FROM title WHERE show = ? AND kind = '${kind}' AND ${inSeason} ${inEpisode} ORDER BY ${order} LIMIT ?`,
      [id, limit],
    );
    ats.push(...rows.map(({ at }) => Number(at)));
  }
  return (await load(file, ats, owner)).map((entry) => ({ ...entry, isNumbered: true }));
}

/** Among what belongs to one work a number is told by the row itself. */
function numberedBy(entry: Entry, number: Numbered | null): Entry {
  const { season, episode, kind } = entry.row;
  const isAsked =
    number?.episode === null ? kind === 'season' : kind === 'episode' && episode === number?.episode;
  return { ...entry, isNumbered: isAsked && (number?.season === null || season === number?.season) };
}

async function setsOf(
  file: Reading,
  works: readonly TitleReference[],
  makers: readonly TitleReference['id'][],
  owner: string,
): Promise<Entry[]> {
  const ats: number[] = [];
  for (const { kind, id } of works) {
    const rows = await file.read('SELECT of FROM target WHERE kind = CAST(? AS TEXT) AND id = ? LIMIT ?', [
      kind,
      id,
      mostRows,
    ]);
    ats.push(...rows.map(({ of }) => Number(of)));
  }
  const made = await file.read(`SELECT at FROM title WHERE creator ${inList} ORDER BY updated DESC LIMIT ?`, [
    JSON.stringify(makers),
    mostListed,
  ]);
  return load(file, [...ats, ...made.map(({ at }) => Number(at))], owner);
}

/** What a creator made and what belongs to a target, the latest change first. */
async function listed(
  file: Reading,
  { query, createdBy, target }: TitleQuestion,
  owner: string,
): Promise<Entry[]> {
  const isOf = 'at IN (SELECT of FROM target WHERE kind = CAST(? AS TEXT) AND id = ?)';
  // Where words are looked for, a show's seasons and episodes belong to it too.
  const inShow = target?.kind === 'show' && query !== undefined ? [target.id] : [];
  const rows = await file.read(
    `SELECT at FROM title WHERE true ${createdBy === undefined ? '' : 'AND creator = CAST(? AS TEXT) COLLATE NOCASE'}
       ${target === undefined ? '' : `AND (${isOf} ${inShow.length > 0 ? 'OR show = ?' : ''})`}
     ORDER BY updated DESC LIMIT ?`,
    [
      ...(createdBy === undefined ? [] : [createdBy]),
      ...(target === undefined ? [] : [target.kind, target.id, ...inShow]),
      mostListed,
    ],
  );
  const place = new Map(rows.map(({ at }, index) => [Number(at), index]));
  const entries = await load(file, [...place.keys()], owner);
  return entries.sort((one, other) => (place.get(one.at) ?? 0) - (place.get(other.at) ?? 0));
}

async function load(file: Reading, ats: readonly number[], owner: string): Promise<Entry[]> {
  if (ats.length === 0) return [];
  const list = JSON.stringify([...new Set(ats)]);
  const rows = await file.read(`SELECT * FROM title WHERE at ${inList} AND owner IN ('', CAST(? AS TEXT))`, [
    list,
    owner,
  ]);
  const shows = rows.some(({ show }) => show !== null)
    ? await file.read(
        `SELECT id, name FROM title WHERE kind = 'show' AND owner IN ('', CAST(? AS TEXT)) AND name IS NOT NULL
           AND id IN (SELECT show FROM title WHERE at ${inList})`,
        [owner, list],
      )
    : [];
  const hasTargets = rows.some(({ kind }) => isTitleSetKind(String(kind)));
  const targets = hasTargets
    ? await file.read(
        `SELECT target.of, target.kind, target.id, title.name FROM target
         LEFT JOIN title ON title.kind = target.kind AND title.id = target.id AND title.owner IN ('', CAST(? AS TEXT))
         WHERE target.of ${inList} ORDER BY target.of, target.place`,
        [owner, list],
      )
    : [];
  const showNames = new Map(shows.map(({ id, name }) => [id, textOf(name)]));
  const byRow = groupedBy(targets, ({ of }) => of);
  return rows.flatMap((row) => {
    const reference = referenceOf(row.kind, row.id);
    if (reference === null) return [];
    const shown = (byRow.get(row.at) ?? []).flatMap(({ kind, id, name }) => {
      const target = referenceOf(kind, id);
      return target === null ? [] : [{ reference: target, name: textOf(name) }];
    });
    const show = showNames.get(row.show) ?? null;
    return [
      {
        row,
        at: Number(row.at),
        reference,
        name: textOf(row.name) ?? '',
        show,
        targets: shown,
        isNumbered: false,
      },
    ];
  });
}

/** Each title once, as its best way scores it, with what both its rows tell: everybody's and the account's own. */
function merged(found: readonly Scored[]): Scored[] {
  const best = new Map<string, Scored>();
  for (const one of found) {
    const { kind, id } = one.entry.reference;
    const key = JSON.stringify([kind, id]);
    const other = best.get(key);
    const better = other === undefined || one.score > other.score ? one : other;
    best.set(key, other === undefined ? one : { ...better, entry: together(one.entry, other.entry) });
  }
  return [...best.values()];
}

function together(one: Entry, other: Entry): Entry {
  if (one.at === other.at) return one;
  const [newer, older] = Number(other.row.seen) > Number(one.row.seen) ? [other, one] : [one, other];
  const told = Object.entries(newer.row).map(([column, value]) => [column, value ?? older.row[column]]);
  return {
    ...newer,
    row: { ...Object.fromEntries(told), own: Math.max(Number(one.row.own), Number(other.row.own)) },
    name: newer.name || older.name,
    show: newer.show ?? older.show,
    targets: newer.targets.length > 0 ? newer.targets : older.targets,
  };
}

function isOfKind({ reference: { kind } }: Entry, wanted: TitleQuestion['kind']): boolean {
  return wanted === undefined || kind === wanted || (wanted === 'set' && isTitleSetKind(kind));
}

function hitOf({ entry: { row, reference, show, targets }, likeness }: Scored): Hit {
  const [target] = targets;
  const showId = numberOf(row.show);
  return {
    ...reference,
    name: textOf(row.name),
    year: numberOf(row.year),
    show: showId === null || reference.kind === 'show' ? null : { id: showId, name: show },
    season: numberOf(row.season),
    episode: numberOf(row.episode),
    creator: textOf(row.creator),
    target: target === undefined ? null : { ...target.reference, name: target.name },
    updated: textOf(row.updated),
    isOwn: row.own === 1,
    likeness,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function referenceOf(kind: unknown, id: unknown): TitleReference | null {
  if (typeof kind !== 'string' || !isTitleKind(kind)) return null;
  return typeof id === 'number' || typeof id === 'string' ? { kind, id } : null;
}
