import type { Transaction } from '../../store/libsql.ts';
import type { TitleQuery } from './asked.ts';
import { isGroupKind, isKind, kinds } from '../../model/kinds.ts';
import { type ComparedName, Comparison } from './comparison.ts';
import { listBy, titleReferenceOf, type TitleRecord } from './record.ts';
import { latinTermsOf, partsOfName, termsOf } from './terms.ts';
import {
  codeOfKind,
  hasTargets,
  isPartKind,
  isTitleSetKind,
  type TitleKind,
  type TitleReference,
  titleSetKinds,
} from './title-index.ts';

/** A candidate with what it belongs to. */
interface RankedTitle {
  readonly record: TitleRecord;
  readonly showName: string | null;
  readonly target: (TitleReference & { readonly name: string | null }) | null;
}

export interface Ranked extends RankedTitle {
  readonly score: number;
  /** It is called otherwise: only another spelling of what was said is in its name. */
  readonly isGuessed: boolean;
}

/** If two titles are alike, the kind that people ask for more often comes first. */
function priorOf(kind: TitleKind): number {
  if (isKind(kind)) return kinds[kind].asked;
  if (kind === 'creator') return 0.03;
  if (kind === 'asset') return 0;
  return isGroupKind(kind) ? 0.008 : 0.01;
}

/**
 * Puts candidates in the order in which they are answered. What was ranked before is not compared again.
 * @param readings of what was asked; each is compared in all of them
 * @param isFiltered only what belongs to works is asked for: then what it belongs to says enough
 * @returns ranks these and all that came before them, best first; those that are too unlike are left out
 */
export function createRanking(
  sql: Transaction,
  readings: readonly TitleQuery[],
  isFiltered: boolean,
): (records: readonly TitleRecord[]) => Ranked[] {
  const comparisons = readings.map((asked) => ({
    asked,
    whole: new Comparison(asked.said),
    numbered: asked.numbered === null ? null : new Comparison(asked.numbered.said),
  }));
  const known = new Map<number, Ranked>();
  return (records) => {
    const fresh = records.filter(({ row }) => !known.has(row));
    for (const one of withParentTitles(sql, fresh)) {
      const compared = comparedOf(one);
      const scores = comparisons.map(({ asked, whole, numbered }) =>
        scoreOf(one, asked, whole, numbered, compared, isFiltered),
      );
      const isGuessed = comparisons.every(
        ({ whole, numbered }) => (numbered ?? whole).of(compared).isGuessed && whole.of(compared).isGuessed,
      );
      known.set(one.record.row, { ...one, score: Math.max(...scores), isGuessed });
    }
    return bestFirst([...known.values()]);
  };
}

function bestFirst(ranked: readonly Ranked[]): Ranked[] {
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  return ranked
    .filter(({ score }) => score >= Math.max(0.38, 0.5 * best))
    .sort((one, other) => other.score - one.score || inOrder(one.record, other.record));
}

function scoreOf(
  { record }: RankedTitle,
  asked: TitleQuery,
  whole: Comparison,
  numbered: Comparison | null,
  compared: ComparedName,
  isFiltered: boolean,
): number {
  const { kind } = record;
  const isSet = isTitleSetKind(kind);
  const wantsSets = titleSetKinds.some((one) => asked.kinds.has(one));
  const hinted = asked.kinds.has(kind) ? 0.05 : wantsSets && !isSet ? -0.18 : 0;
  const said = whole.of(compared);
  let score = said.all;
  if (isPartKind(kind) && said.own < 0.05 && !isFiltered && !(wantsSets && isSet)) score = 0;
  // What a Set is for tells as much of it as its own name.
  if (isSet && (wantsSets || isFiltered)) score = Math.max(score, said.said * (0.9 + 0.1 * said.name));
  else if (isSet) score *= 0.9;
  else if (isFiltered && isPartKind(kind)) score = Math.max(score, said.said * 0.85);
  if (said.said > 0.98 && said.name > 0.98) score += 0.06;
  const number = asked.numbered;
  if (number !== null && numbered !== null && isNumbered(record, number)) {
    const rest = numbered.of({ ...compared, names: [compared.around], parts: [] });
    const found = number.said.some(({ weight }) => weight === 1) ? rest.said : 0.6;
    score = Math.max(score, 0.98 * found * (0.7 + 0.3 * rest.name) + 0.06);
  }
  if (number !== null && numbered !== null && number.episode === null && kind === 'episode') {
    // A title with its season: season 7 waterloo.
    const named = numbered.of(compared);
    if (record.season === number.season && named.own > 0.2) score = Math.max(score, named.all + 0.06);
  }
  if (kind === 'episode' && said.own >= 0.2 && endsWithShow(asked, compared)) score += 0.015;
  return score <= 0 ? 0 : score + hinted + priorOf(kind);
}

/** The show is said behind the episode: breaking bad of better call saul. */
function endsWithShow({ said }: TitleQuery, { around }: ComparedName): boolean {
  const end = said.slice(-around.length).map(({ term }) => term);
  return around.length > 0 && said.length > around.length && end.join(' ') === around.join(' ');
}

function isNumbered(
  { kind, season, episode }: TitleRecord,
  asked: NonNullable<TitleQuery['numbered']>,
): boolean {
  if (asked.season !== null && season !== asked.season) return false;
  if (asked.episode === null) return kind === 'season';
  return kind === 'episode' && (asked.episode === 'last' || episode === asked.episode);
}

function comparedOf({ record, showName, target }: RankedTitle): ComparedName {
  const { name, creator, kind } = record;
  const [, ...parts] = name === null || isPartKind(kind) ? [] : partsOfName(name);
  const around = [showName, target?.name ?? null, kind === 'creator' ? null : creator];
  return {
    names: [...(name === null ? [[]] : [termsOf(name), latinTermsOf(name)])].filter(
      (terms, at) => terms.length > 0 || at === 0,
    ),
    parts: parts.map(termsOf),
    around: around.flatMap((one) => (one === null ? [] : [...termsOf(one), ...latinTermsOf(one)])),
    year: record.year,
  };
}

/** Episodes in the order of their show, and what is newer first. */
function inOrder(one: TitleRecord, other: TitleRecord): number {
  if (one.show !== null && one.show === other.show) {
    return (one.season ?? 0) - (other.season ?? 0) || (one.episode ?? 0) - (other.episode ?? 0);
  }
  return (
    (other.updated ?? other.date ?? '').localeCompare(one.updated ?? one.date ?? '') || one.row - other.row
  );
}

/** Looks up what the candidates belong to, all at once. */
export function withParentTitles(sql: Transaction, records: readonly TitleRecord[]): RankedTitle[] {
  const shows = [...new Set(records.flatMap(({ show }) => (show === null ? [] : [show])))];
  const names = new Map(
    listBy(
      sql,
      'ref, name',
      `json_each(CAST(? AS TEXT)) AS each CROSS JOIN title ON kind = ${codeOfKind('show')} AND ref = each.value`,
      [JSON.stringify(shows)],
    ).map(([id, name]) => [id, name]),
  );
  const rows = records.filter(({ kind }) => hasTargets(kind));
  const targets = new Map(
    listBy(
      sql,
      'of.title, of.kind, of.ref, title.name',
      `json_each(CAST(? AS TEXT)) AS each
       CROSS JOIN target AS of INDEXED BY target_title ON of.title = each.value AND of.place = 0
       LEFT JOIN title ON title.kind = of.kind AND title.ref = of.ref`,
      [JSON.stringify(rows.map(({ row }) => row))],
    ).flatMap(([row, code, id, name]) =>
      titleReferenceOf([code, id]).map(
        (of) => [row, { ...of, name: typeof name === 'string' ? name : null }] as const,
      ),
    ),
  );
  return records.map((record) => {
    const name = record.show === null ? null : names.get(record.show);
    const target = targets.get(record.row) ?? null;
    return { record, showName: typeof name === 'string' ? name : null, target };
  });
}
