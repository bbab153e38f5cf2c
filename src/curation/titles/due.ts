import type { Sql } from '../../storage/libsql/database.ts';
import { codeOfKind } from './kinds.ts';
import { jsonListOf } from './record.ts';
import type { TitleKind } from './title.ts';
import type { Due, DueOnly } from './title-index.ts';

/** What a reading of the catalogue has to go to: never read first, then those read before a moment (ms), by id. */
export function dueIn(
  sql: Sql,
  kind: TitleKind,
  readBefore: number,
  limit: number,
  only: DueOnly = 'unread',
): Due[] {
  // Two questions, each answered by its index: as one, all that were never read would be sorted each time.
  const ask = (which: string, rest: readonly number[]) => {
    const found = sql.row(
      `SELECT CAST(json_group_array(json_array(ref, name, read)) AS BLOB) AS found FROM
       (SELECT ref, name, read FROM title WHERE kind = ? AND ${which} LIMIT ?)`,
      [codeOfKind(kind), ...rest],
    );
    return jsonListOf(found).flatMap((cells) => dueOf(kind, cells));
  };
  const unnamed = only === 'unnamed' ? 'AND name IS NULL' : '';
  const never = ask(`read IS NULL ${unnamed} ORDER BY ref`, [limit]);
  if (never.length >= limit) return never;
  return [...never, ...ask(`read < ? ${unnamed} ORDER BY read`, [readBefore, limit - never.length])];
}

/** How many titles a reading of the catalogue has to go to, of all these kinds together. */
export function countDueIn(
  sql: Sql,
  wanted: readonly (readonly [TitleKind, DueOnly])[],
  readBefore: number,
): number {
  const whole = new Set(wanted.filter(([, only]) => only === 'unread').map(([kind]) => kind));
  return wanted.reduce((sum, [kind, only]) => {
    // Those without a name are among those that were not read.
    if (only === 'unnamed' && whole.has(kind)) return sum;
    const unnamed = only === 'unnamed' ? 'AND name IS NULL' : '';
    const counted = sql.row(
      `SELECT (SELECT count(*) FROM title WHERE kind = ? AND read IS NULL ${unnamed}) +
              (SELECT count(*) FROM title WHERE kind = ? AND read < ? ${unnamed}) AS due`,
      [codeOfKind(kind), codeOfKind(kind), readBefore],
    );
    return sum + (typeof counted?.due === 'number' ? counted.due : 0);
  }, 0);
}

function dueOf(kind: TitleKind, cells: unknown): Due[] {
  const [id, name, readAt]: unknown[] = Array.isArray(cells) ? cells : [];
  if (typeof id !== 'number' && typeof id !== 'string') return [];
  return [
    {
      kind,
      id,
      name: typeof name === 'string' ? name : null,
      readAt: typeof readAt === 'number' ? readAt : null,
    },
  ];
}
