import type { Sql } from '../../storage/libsql/database.ts';
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
