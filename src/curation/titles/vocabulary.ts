import type { Sql } from '../../storage/libsql/database.ts';
import { jsonListOf } from './record.ts';
import { spellingsOf } from './spelling.ts';

/** How often words stand in names; written once for all that a transaction has learnt. */
export class Vocabulary {
  readonly #sql: Sql;
  readonly #more = new Map<string, number>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  count(word: string, more: number): void {
    this.#more.set(word, (this.#more.get(word) ?? 0) + more);
  }

  write(): void {
    const changed = [...this.#more].filter(([, more]) => more !== 0);
    if (changed.length === 0) return;
    const counts = JSON.stringify(changed);
    // Those that are new now, before all are written.
    const fresh = jsonListOf(
      this.#sql.row(
        `SELECT CAST(json_group_array(each.value ->> 0) AS BLOB) AS found FROM json_each(CAST(? AS TEXT)) AS each
         WHERE NOT EXISTS (SELECT 1 FROM word WHERE text = each.value ->> 0)`,
        [counts],
      ),
    );
    this.#sql.run(
      `INSERT INTO word (text, uses) SELECT value ->> 0, value ->> 1 FROM json_each(CAST(? AS TEXT)) WHERE true
       ON CONFLICT (text) DO UPDATE SET uses = max(0, uses + excluded.uses)`,
      [counts],
    );
    const spelt = fresh.flatMap((word) =>
      typeof word === 'string' ? spellingsOf(word).map((key) => [key, word]) : [],
    );
    this.#sql.run(
      `INSERT OR IGNORE INTO spelling (key, word)
       SELECT each.value ->> 0, word.id FROM json_each(CAST(? AS TEXT)) AS each, word WHERE word.text = each.value ->> 1`,
      [JSON.stringify(spelt)],
    );
    this.#more.clear();
  }
}

/** How many names have each of the words, for those that any has. */
export function usesOf(sql: Sql, words: readonly string[]): Map<string, number> {
  const found = jsonListOf(
    sql.row(
      `SELECT CAST(json_group_array(json_array(text, uses)) AS BLOB) AS found
       FROM json_each(CAST(? AS TEXT)) AS each CROSS JOIN word ON text = each.value WHERE uses > 0`,
      [JSON.stringify([...new Set(words)])],
    ),
  );
  return new Map(found.flatMap(wordAndUses));
}

/** A pair of a word and how many names have it; none where it is no such pair. */
export function wordAndUses(value: unknown): [string, number][] {
  const [word, uses]: unknown[] = Array.isArray(value) ? value : [];
  return typeof word === 'string' && typeof uses === 'number' ? [[word, uses]] : [];
}
