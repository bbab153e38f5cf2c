import { createHash } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isStoreError, storeError } from '../../store/errors.ts';
import { createPrivateFile, makeFilePrivate, makePrivateFolder, prepareHome } from '../../store/home.ts';
import { Database } from '../../store/libsql.ts';
import type { SqlRow } from '../../store/sql.ts';

/** A statement with its parameters; texts stand in it as `CAST(? AS TEXT)`. */
export type Statement = readonly [sql: string, parameters: readonly (string | number | null)[]];

export interface TitleFileOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** `{base_url}`, or what else tells the service from others. */
  readonly service: string;
  readonly log: Log;
}

/**
 * The file of one service's index below ARTWORK_HOME/titles, which several processes may use at once. It is a cache: a
 * damaged one is set aside and begun anew, and what the power cut takes is read again.
 */
export class TitleFile {
  readonly #options: TitleFileOptions;
  readonly #file: string;
  #database: Promise<Database> | null = null;

  constructor(options: TitleFileOptions) {
    this.#options = options;
    // A host that a person recognizes, and what tells services of one host apart.
    const host = URL.canParse(options.service) ? new URL(options.service).hostname : options.service;
    const readable = host.replace(/[^a-z0-9.-]/gi, '').slice(0, 60);
    const digest = createHash('sha256').update(options.service).digest('hex').slice(0, 8);
    this.#file = path.join(options.home, 'titles', `${readable}-${digest}.v${schemaVersion}.db`);
  }

  read(...[sql, parameters]: Statement): Promise<readonly SqlRow[]> {
    return this.#use((database) => database.rows(sql, parameters));
  }

  /** All of them or none. @returns how many rows each has changed */
  write(statements: readonly Statement[]): Promise<readonly number[]> {
    return this.#use((database) =>
      database.write((sql) => statements.map(([text, parameters]) => sql.run(text, parameters))),
    );
  }

  async close(): Promise<void> {
    const database = await this.#database?.catch(() => null);
    this.#database = null;
    database?.close();
  }

  async #use<Value>(work: (database: Database) => Promise<Value>): Promise<Value> {
    for (let tried = 1; ; tried += 1) {
      try {
        this.#database ??= this.#open();
        return await work(await this.#database);
      } catch (error) {
        // Another process has set it aside: what stands there now is used.
        const isReplaced = isStoreError(error, 'store_replaced');
        const damaged = isDamage(error);
        await this.close();
        if ((!isReplaced && !damaged) || tried === 3) throw error;
        if (damaged) await this.#setAside();
      }
    }
  }

  async #open(): Promise<Database> {
    await prepareHome(this.#options.home);
    await makePrivateFolder(path.dirname(this.#file));
    for (const end of ['-shm', '-wal']) await makeFilePrivate(`${this.#file}${end}`);
    if ((await makeFilePrivate(this.#file)) === null) await createPrivateFile(this.#file, '');
    const database = await Database.connect(this.#file);
    try {
      await database.transact((raw) => {
        raw.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 4000');
        raw.exec('BEGIN IMMEDIATE');
        try {
          // Of several processes that begin, one makes the tables.
          if (raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length === 0) raw.exec(schema);
          raw.exec('COMMIT');
        } catch (error) {
          if (raw.inTransaction) raw.exec('ROLLBACK');
          throw error;
        }
      });
      const [check] = await database.rows('SELECT count(*) AS known FROM note', []);
      if (check === undefined) throw storeError('store_unreadable', 'The index of titles has no notes.');
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  }

  async #setAside(): Promise<void> {
    const folder = path.dirname(this.#file);
    const mark = `${path.basename(this.#file)}.damaged`;
    // The latest is kept, for a person who wants to know what happened to it.
    for (const name of (await readdir(folder)).filter((one) => one.startsWith(mark)))
      await rm(path.join(folder, name), { force: true });
    try {
      await rename(this.#file, path.join(folder, mark));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    for (const end of ['-shm', '-wal']) await rm(`${this.#file}${end}`, { force: true });
    this.#options.log.warn(`The index of titles was damaged. It is set aside as ${mark}, and is begun anew.`);
  }
}

function isDamage(error: unknown): boolean {
  if (!isStoreError(error, 'store_unreadable')) return false;
  const code = codeOf(error.cause) ?? '';
  // A file of other content may open, and has no such table.
  return code === '' || /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code);
}

/** Part of the file's name: another shape is another file, so that two installed versions don't meet. */
const schemaVersion = 5;

/**
 * `title` has a row for each thing that a public read has shown. `term` has the terms of its name (terms.ts), and
 * `term_count` in how many names each stands. `spelling` has each word of a name, and `spelt` its trigrams, by which a word that was typed wrongly is found.
 */
const schema = `
  CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE title (
    at INTEGER PRIMARY KEY, kind TEXT NOT NULL, id NOT NULL,
    name TEXT, year INTEGER, show INTEGER, season INTEGER, episode INTEGER, creator TEXT, updated TEXT,
    seen INTEGER NOT NULL, read INTEGER, changed INTEGER,
    UNIQUE (kind, id)
  );
  CREATE INDEX title_part ON title (show, season, episode) WHERE show IS NOT NULL;
  CREATE INDEX title_creator ON title (creator COLLATE NOCASE) WHERE creator IS NOT NULL;
  CREATE INDEX title_read ON title (read) WHERE kind NOT IN ('episode', 'season', 'creator');
  CREATE INDEX title_changed ON title (changed) WHERE changed IS NOT NULL;
  CREATE TABLE target (
    kind TEXT NOT NULL, id NOT NULL, of INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (kind, id, of)
  ) WITHOUT ROWID;
  CREATE INDEX target_of ON target (of, place);
  CREATE VIRTUAL TABLE term USING fts5(
    terms, content = '', contentless_delete = 1, detail = 'none',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co'"
  );
  CREATE VIRTUAL TABLE term_count USING fts5vocab(term, row);
  CREATE TABLE spelling (at INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
  CREATE VIRTUAL TABLE spelt USING fts5(word, content = '', detail = 'none', tokenize = 'trigram');
  CREATE VIRTUAL TABLE spelt_count USING fts5vocab(spelt, row);
  CREATE TRIGGER spelling_added AFTER INSERT ON spelling
    BEGIN INSERT INTO spelt (rowid, word) VALUES (new.at, '_' || new.word || '_'); END;
`;
