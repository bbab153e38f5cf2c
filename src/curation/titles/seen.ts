import type { Sql } from '../../storage/libsql/database.ts';
import { jsonListOf } from './record.ts';
import { codeOfKind, kindOfCode } from './kinds.ts';
import type { Seen, TitleKind } from './title.ts';

/** What the index has seen so far: how many titles of each kind, and how recent they are. */
export function seenIn(sql: Sql): Seen {
  const tallies = jsonListOf(
    sql.row('SELECT CAST(json_group_array(json_array(kind, named, latest)) AS BLOB) AS found FROM tally', []),
  ).flatMap((tally) => {
    const [code, named, latest]: unknown[] = Array.isArray(tally) ? tally : [];
    return typeof named === 'number' && typeof latest === 'number'
      ? [{ kind: kindOfCode(code), named, latest }]
      : [];
  });
  const named = (...kinds: readonly unknown[]) =>
    tallies.reduce(
      (sum, tally) => sum + (kinds.length === 0 || kinds.includes(tally.kind) ? tally.named : 0),
      0,
    );
  const note = sql.row("SELECT value FROM note WHERE name = 'complete'", []);
  const completeAt = typeof note?.value === 'string' ? Number(note.value) : Number.NaN;
  const complete = Number.isSafeInteger(completeAt);
  const latest = Math.max(0, ...tallies.map((tally) => tally.latest));
  const at = complete ? completeAt : latest;
  return {
    titles: named(),
    shows: named('show'),
    films: named('movie'),
    complete,
    asOf: at === 0 ? null : new Date(at).toISOString(),
  };
}

/** Longer ids are none of a catalogue's. */
const mostDigits = 15;

/** Numbers that begin with the same digits lie in one range for each length: no row between is looked at. */
export function idsFrom(sql: Sql, kind: TitleKind, digits: string, limit: number): number[] {
  if (!/^[1-9]\d*$/.test(digits)) return [];
  const found: number[] = [];
  for (let more = 0; digits.length + more <= mostDigits && found.length < limit; more += 1) {
    const from = Number(digits) * 10 ** more;
    const rows = sql.rows(
      'SELECT ref FROM title WHERE kind = ? AND ref >= ? AND ref < ? AND public = 1 ORDER BY ref LIMIT ?',
      [codeOfKind(kind), from, from + 10 ** more, limit - found.length],
    );
    found.push(...rows.flatMap(({ ref }) => (typeof ref === 'number' ? [ref] : [])));
  }
  return found;
}
