import { damagedRecord } from './errors.ts';

/** What a column can hold. Numbers are whole, and stay below 2^53. */
export type SqlValue = string | number | null;

/** One row that was read, by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** One statement in the SQL that SQLite and PostgreSQL share. Made by `sql`. Tables are named `artwork.table`. */
export interface Statement {
  /** With a `?` for each value. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** Where it answers no row, all statements of its `write` are undone. */
  readonly must?: boolean;
}

/**
 * A database that several processes share. Both engines run the same statements. Errors: `StoreErrorCode`.
 *
 * A transaction is a list of statements, never a callback: none is open while anything else is awaited. What became of
 * each is told by the rows of its `RETURNING`, and on what all others depend is a `must`.
 */
export interface Sql {
  /** Runs one statement that changes nothing. */
  read(statement: Statement): Promise<readonly SqlRow[]>;
  /**
   * Runs all of them in one transaction, on the disk when it resolves, and answers the rows of each. After a `must`
   * without rows nothing is changed, and those behind it answer none. On PostgreSQL a statement sees what was committed
   * before it began: a list that decides by other rows begins with an update of one row that all such lists update.
   */
  write(...statements: readonly Statement[]): Promise<readonly (readonly SqlRow[])[]>;
}

/** A statement from a template: each value becomes a `?`, and a statement inside becomes part of it. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (SqlValue | Statement)[]): Statement {
  let text = texts[0] ?? '';
  const values: SqlValue[] = [];
  parts.forEach((part, at) => {
    if (typeof part === 'object' && part !== null) {
      text += part.text;
      values.push(...part.values);
    } else {
      // libsql would cut the text there, and PostgreSQL takes none.
      if (typeof part === 'string' && part.includes('\0')) throw new RangeError('A text with NUL.');
      text += '?';
      values.push(part);
    }
    text += texts[at + 1] ?? '';
  });
  return { text, values };
}

/** The same statement, as one that has to answer a row. */
export function must(statement: Statement): Statement {
  return { ...statement, must: true };
}

/** Parts of a list, as `VALUES` and `IN` take them. At least one. */
export function listed(parts: readonly Statement[]): Statement {
  return {
    text: parts.map(({ text }) => text).join(', '),
    values: parts.flatMap(({ values }) => values),
  };
}

/** The text in a column. @throws store_unreadable */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw damagedRecord();
}

/** The text in a column that may be empty. @throws store_unreadable */
export function textOrNull(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : textIn(row, column);
}

/** The whole number in a column. @throws store_unreadable */
export function numberIn(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw damagedRecord();
}

/** The whole number in a column that may be empty. @throws store_unreadable */
export function numberOrNull(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : numberIn(row, column);
}
