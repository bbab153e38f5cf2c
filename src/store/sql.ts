/** What a column can hold. Whole numbers stay below 2^53. */
export type SqlValue = string | number | null | Uint8Array;

/** One row that was read, by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** One statement, in the part of SQL that SQLite and PostgreSQL share. Made by `sql`. */
export interface Statement {
  /** With a `?` for each value. */
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * A database that several processes share. Both engines run the same statements. Errors: `StoreErrorCode`.
 *
 * A transaction is a list of statements, never a callback: none is open while anything else is awaited. A statement that
 * depends on one before it says so in its `WHERE`, and what became of each is told by the rows of its `RETURNING`.
 */
export interface Sql {
  /** Runs one statement that changes nothing. */
  read(statement: Statement): Promise<readonly SqlRow[]>;
  /**
   * Runs all of them in one transaction, on the disk when it resolves, and answers the rows of each. Another writer's rows
   * are seen whole or not at all; on PostgreSQL a later statement sees what was committed before it began, so a list
   * that decides by other rows begins with an update of one row that all such lists update.
   */
  write(...statements: readonly Statement[]): Promise<readonly (readonly SqlRow[])[]>;
}

/** A statement from a template: each value becomes a `?`, and a statement inside becomes part of it. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (SqlValue | Statement)[]): Statement {
  let text = texts[0] ?? '';
  const values: SqlValue[] = [];
  parts.forEach((part, at) => {
    if (isStatement(part)) {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += texts[at + 1] ?? '';
  });
  return { text, values };
}

/** Parts of a list, as `VALUES` and `IN` take them. At least one. */
export function listed(parts: readonly Statement[]): Statement {
  return {
    text: parts.map(({ text }) => text).join(', '),
    values: parts.flatMap(({ values }) => values),
  };
}

function isStatement(part: SqlValue | Statement): part is Statement {
  return typeof part === 'object' && part !== null && 'text' in part;
}
