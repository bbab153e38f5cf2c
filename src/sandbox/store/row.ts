export type SqlValue = string | number | null | Uint8Array;

/** One row of an answer. A column that is missing or of another type is a defect of the query, and throws. */
export class Row {
  readonly #columns: object;

  constructor(columns: unknown) {
    if (typeof columns !== 'object' || columns === null) throw new TypeError('A row is an object.');
    this.#columns = columns;
  }

  text(column: string): string {
    const value = this.#read(column);
    if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text.`);
    return value;
  }

  textOrNull(column: string): string | null {
    return this.#read(column) === null ? null : this.text(column);
  }

  integer(column: string): number {
    const value = this.#read(column);
    if (!Number.isSafeInteger(value) || typeof value !== 'number') {
      throw new TypeError(`Column ${column} holds no integer.`);
    }
    return value;
  }

  integerOrNull(column: string): number | null {
    return this.#read(column) === null ? null : this.integer(column);
  }

  flag(column: string): boolean {
    return this.integer(column) !== 0;
  }

  #read(column: string): unknown {
    const value: unknown = Reflect.get(this.#columns, column);
    if (value === undefined) throw new TypeError(`No column ${column}.`);
    return value;
  }
}
