import { groupedBy } from '../../grouped-by.ts';
import { isSetKind } from '../../model/kinds.ts';
import { likeness } from '../../model/names/likeness.ts';
import { isFiller, kindsMeantBy, type Way, waysToRead } from './query.ts';
import { type AskedWord, byScore, type Entry, type Scored, scoreAll } from './score.ts';
import { inLatin, wholeName } from './terms.ts';
import type { TitleFile } from './title-file.ts';
import { type Findings, isTitleKind, type TitleQuestion, type TitleReference } from './titles.ts';

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

/** Each is made only where the one before has found nothing sure. */
const efforts = ['all words', 'some words', 'other spellings'] as const;
type Effort = (typeof efforts)[number];

/**
 * Finds titles by name: those that have all words, then those that have the rarest of them, then other spellings of the
 * words, by their trigrams. What belongs to a work (seasons, episodes, Sets) is found by the work's name too.
 */
export async function searchTitles(file: Reading, question: TitleQuestion): Promise<Findings> {
  const { query = '', createdBy, target, kind, offset, limit } = question;
  const isOfKind = ({ entry }: Scored) =>
    kind === undefined || entry.kind === kind || (kind === 'set' && isSetKind(entry.kind));
  const isWithin = createdBy !== undefined || target !== undefined;
  const among = isWithin ? await listed(file, question) : null;
  let found: Scored[] = (among ?? []).map((entry) => ({ entry, score: 1, likeness: 1 }));
  const ways = waysToRead(query);
  /** Ways and efforts share words: each is looked for in other spellings once. */
  const respelled: Respelled = new Map();
  for (const effort of ways.length === 0 ? [] : efforts) {
    const best = new Map<number, Scored>();
    for (const way of ways) {
      const words = await wordsIn(file, way.words, effort, respelled);
      const { entries, numbered } =
        among === null
          ? await gathered(file, way, words, effort)
          : {
              entries: among,
              numbered: await numberedParts(file, way, target === undefined ? [] : [target]),
            };
      for (const one of scoreAll(entries, way, words, new Set(numbered))) {
        const other = best.get(one.entry.at);
        if (isOfKind(one) && (other === undefined || one.score > other.score)) best.set(one.entry.at, one);
      }
    }
    found = [...best.values()];
    if (found.some(({ score }) => score >= sure)) break;
  }
  const sorted = found.filter(isOfKind).sort(byScore);
  const likely = sorted.filter(({ score }) => score >= 0.45 * (sorted[0]?.score ?? 0));
  const hits = likely.slice(offset, offset + limit).map(({ entry, likeness }) => {
    const { at: _, targets, ...told } = entry;
    return { ...told, target: targets[0] ?? null, likeness };
  });
  return { hits, total: likely.length };
}

type Respelled = Map<string, readonly (readonly [string, number])[]>;

async function wordsIn(
  file: Reading,
  texts: readonly string[],
  effort: Effort,
  respelled: Respelled,
): Promise<AskedWord[]> {
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
    // A word that stands in many names was hardly meant to be another.
    if (isTypedWrong || (effort === 'other spellings' && count <= mostOfSlip)) {
      const spellings = respelled.get(text) ?? (await spelledLike(file, text));
      respelled.set(text, spellings);
      for (const [word, alike] of spellings) {
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

/** What is typed wrongly is another word by chance, and then a rare one: in so many names at most. */
const mostOfSlip = 20;
/** Words that share a trigram with what was typed and are compared with it. */
const mostSpellings = 1_000;
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

async function matches(file: Reading, table: 'term' | 'spelt', match: string, limit: number) {
  const sql = `SELECT rowid AS at FROM ${table} WHERE ${table} MATCH CAST(? AS TEXT) LIMIT ?`;
  return (await file.read(sql, [match, limit])).map(({ at }) => Number(at));
}

interface Gathered {
  readonly entries: readonly Entry[];
  /** Rows of the season or episode that was asked for by its number. */
  readonly numbered: readonly number[];
}

/** What one way may mean: what is called so, and the parts and Sets of such works. */
async function gathered(
  file: Reading,
  way: Way,
  words: readonly AskedWord[],
  effort: Effort,
): Promise<Gathered> {
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
  const named = await load(file, ats);
  if (way.number === null && !way.sets) return { entries: named, numbered: [] };
  const works = scoreAll(named, { ...way, sets: false, number: null }, words)
    .filter(({ entry, score }) => score > 0.3 && !isSetKind(entry.kind))
    .sort(byScore)
    .slice(0, mostWorks)
    .map(({ entry }) => entry);
  const numbered = await numberedParts(file, way, works);
  const makers = way.creator.length > 0 ? named.filter(({ kind }) => kind === 'creator') : [];
  const sets = way.sets ? await setsOf(file, works, makers) : [];
  return { entries: [...named, ...(await load(file, [...numbered, ...sets]))], numbered };
}

async function numberedParts(file: Reading, way: Way, works: readonly TitleReference[]): Promise<number[]> {
  if (way.number === null) return [];
  const { season, episode } = way.number;
  const [kind, order, limit]: [string, string, number] =
    episode === null
      ? ['season', 'season', 1]
      : episode === 'last'
        ? ['episode', 'season DESC, episode DESC', 1]
        : ['episode', 'season', mostSeasons];
  const inSeason = season === null ? 'season > 0' : `season = ${season}`;
  const inEpisode = typeof episode === 'number' ? `AND episode = ${episode}` : '';
  const ats: number[] = [];
  for (const { id } of works.filter((work) => work.kind === 'show')) {
    const rows = await file.read(
      `SELECT at FROM title WHERE show = ? AND kind = '${kind}' AND ${inSeason} ${inEpisode}
       ORDER BY ${order} LIMIT ?`,
      [id, limit],
    );
    ats.push(...rows.map(({ at }) => Number(at)));
  }
  return ats;
}

/** The Sets of some works, and those that some creators made. */
async function setsOf(
  file: Reading,
  works: readonly TitleReference[],
  makers: readonly TitleReference[],
): Promise<number[]> {
  const ats: number[] = [];
  for (const { kind, id } of works) {
    const sql = 'SELECT of AS at FROM target WHERE kind = CAST(? AS TEXT) AND id = ? LIMIT ?';
    ats.push(...(await file.read(sql, [kind, id, mostRows])).map(({ at }) => Number(at)));
  }
  const made = await file.read(`SELECT at FROM title WHERE creator ${inList} ORDER BY updated DESC LIMIT ?`, [
    JSON.stringify(makers.map(({ id }) => id)),
    mostListed,
  ]);
  return [...ats, ...made.map(({ at }) => Number(at))];
}

/** What a creator made and what belongs to a target. */
async function listed(file: Reading, { query, createdBy, target }: TitleQuestion): Promise<Entry[]> {
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
  return load(
    file,
    rows.map(({ at }) => Number(at)),
  );
}

async function load(file: Reading, ats: readonly number[]): Promise<Entry[]> {
  if (ats.length === 0) return [];
  const list = JSON.stringify([...new Set(ats)]);
  const rows = await file.read(
    `SELECT *, (SELECT name FROM title AS whole
       WHERE whole.kind = 'show' AND whole.id = title.show) AS show_name
     FROM title WHERE at ${inList}`,
    [list],
  );
  const hasTargets = rows.some(({ kind }) => isSetKind(String(kind)));
  const targets = hasTargets
    ? await file.read(
        `SELECT target.of, target.kind, target.id, title.name FROM target
         LEFT JOIN title ON title.kind = target.kind AND title.id = target.id
         WHERE target.of ${inList} ORDER BY target.of, target.place`,
        [list],
      )
    : [];
  const targetsOf = groupedBy(targets, ({ of }) => of);
  return rows.flatMap((row) => {
    const reference = referenceOf(row.kind, row.id);
    const show = numberOf(row.show);
    if (reference === null) return [];
    const entry: Entry = {
      ...reference,
      at: Number(row.at),
      name: textOf(row.name),
      year: numberOf(row.year),
      show: show === null || reference.kind === 'show' ? null : { id: show, name: textOf(row.show_name) },
      season: numberOf(row.season),
      episode: numberOf(row.episode),
      creator: textOf(row.creator),
      targets: (targetsOf.get(row.at) ?? []).flatMap(({ kind, id, name }) => {
        const target = referenceOf(kind, id);
        return target === null ? [] : [{ ...target, name: textOf(name) }];
      }),
      updated: textOf(row.updated),
    };
    return [entry];
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** A row's kind and id; null for a kind that this version does not know. */
export function referenceOf(kind: unknown, id: unknown): TitleReference | null {
  if (typeof kind !== 'string' || !isTitleKind(kind)) return null;
  return typeof id === 'number' || typeof id === 'string' ? { kind, id } : null;
}
