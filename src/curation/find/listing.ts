import type { Transaction } from '../../store/libsql.ts';
import { recordsBy, type TitleRecord } from './record.ts';
import {
  codeOfKind,
  type TitleId,
  type TitleQuestion,
  type TitleReference,
  titleSetKinds,
} from './title-index.ts';

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
export function listTitles(
  sql: Transaction,
  { kind, offset, limit, without = [] }: TitleQuestion,
  { target, creator }: Belonging,
): { records: TitleRecord[]; total: number } {
  const isInShow = target?.kind === 'show' && (kind === 'episode' || kind === 'season');
  const codes = kind === undefined || kind === 'set' ? titleSetKinds.map(codeOfKind) : [codeOfKind(kind)];
  const left = without.map((one) => [codeOfKind(one.kind), one.id]);
  const given = [creator, target === null ? null : codeOfKind(target.kind), target?.id ?? null, left];
  const from = [
    '(SELECT CAST(? AS TEXT) AS j)',
    target === null || isInShow
      ? 'CROSS JOIN title'
      : 'CROSS JOIN target AS of ON of.kind = j ->> 1 AND of.ref = j ->> 2 CROSS JOIN title ON title.id = of.title',
    `WHERE title.kind IN (${codes.join(', ')})`,
    isInShow ? 'AND title.show = j ->> 2' : '',
    creator === null ? '' : 'AND title.creator = j ->> 0',
    left.length === 0
      ? ''
      : `AND NOT EXISTS (SELECT 1 FROM json_each(j -> 3) AS out
          WHERE out.value ->> 0 = title.kind AND out.value ->> 1 = title.ref)`,
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
