import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createPrivateFile, makeFilePrivate, makePrivateFolder, prepareHome } from '../../store/home.ts';
import { type ConnectOptions, Database, type Transaction } from '../../store/libsql.ts';
import { fileFailureError, isStoreError } from '../../store/errors.ts';

export interface IndexFileOptions extends ConnectOptions {
  /** Absolute path of the data directory. */
  readonly home: string;
  /** `{base_url}`, or what else tells the service from others. */
  readonly service: string;
  /** Names an account's part, in letters and digits; left out: the shared index. */
  readonly part?: string | undefined;
  readonly log: Log;
}

/** What stands in the file is not what was written there. */
export class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged';
}

/**
 * The file of one service's index, open for as long as it is the one at its path. It is a cache, so it is not synced with
 * each write, and a damaged one is renamed and begun anew. Another process may do so at any time: each use looks first
 * whether the path still leads to the file that is open.
 */
export class IndexFile {
  readonly file: string;
  readonly #options: IndexFileOptions;
  #open: { readonly database: Database; readonly inode: number } | null = null;
  #opening: Promise<Database> | null = null;

  constructor(options: IndexFileOptions) {
    this.file = indexFile(options);
    this.#options = options;
  }

  read<T>(work: (sql: Transaction) => T): Promise<T> {
    return this.#use((database) => database.read(work));
  }

  write<T>(work: (sql: Transaction) => T): Promise<T> {
    return this.#use((database) => database.write(work));
  }

  /** When a damaged file was set aside last, ms; null where none is. */
  async setAsideAt(): Promise<number | null> {
    const folder = path.dirname(this.file);
    const marked = `${path.basename(this.file)}${damagedMark}`;
    const names = await readdir(folder).catch((error: unknown) => {
      throw fileFailureError(folder, error);
    });
    const times = names
      .filter((name) => name.startsWith(marked))
      .map((name) => Number(name.slice(marked.length)))
      .filter(Number.isSafeInteger);
    return times.length === 0 ? null : Math.max(...times);
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }

  async #use<T>(work: (database: Database) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work(await this.#current());
      } catch (error) {
        if (!isDamage(error) || tried === 3) throw error;
        await this.#setAside();
      }
    }
  }

  async #current(): Promise<Database> {
    if (this.#open !== null) {
      if (inodeOf(this.file) === this.#open.inode) return this.#open.database;
      this.close();
    }
    this.#opening ??= this.#begin().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #begin(): Promise<Database> {
    await prepareHome(this.#options.home);
    await this.#prepareFolder();
    for (const end of ['-shm', '-wal']) await makeFilePrivate(`${this.file}${end}`);
    if ((await makeFilePrivate(this.file)) === null) await createPrivateFile(this.file, '');
    const inode = inodeOf(this.file);
    const database = await Database.connect(this.file, this.#options);
    try {
      await prepare(database);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#open = { database, inode: inode ?? 0 };
    return database;
  }

  /** Refuses a link, which may lead to where others read. */
  async #prepareFolder(): Promise<void> {
    const folder = path.dirname(this.file);
    try {
      await makePrivateFolder(folder);
    } catch (error) {
      throw isStoreError(error, 'home_not_private') ? error : fileFailureError(folder, error);
    }
  }

  /** Of several processes that meet the damage the first renames the file; the others find another one at its path. */
  async #setAside(): Promise<void> {
    const damaged = this.#open?.inode ?? inodeOf(this.file);
    this.close();
    if (inodeOf(this.file) !== damaged) return;
    const aside = `${this.file}${damagedMark}`;
    const folder = path.dirname(this.file);
    const old = (await readdir(folder)).filter((name) => name.startsWith(path.basename(aside)));
    // The latest is kept, for a person who wants to know what happened to it.
    for (const name of old) await rm(path.join(folder, name), { force: true });
    try {
      await rename(this.file, `${aside}${Date.now()}`);
      for (const end of ['-shm', '-wal']) await rm(`${this.file}${end}`, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw fileFailureError(this.file, error);
    }
    this.#options.log.warn(
      `The index of titles was damaged. It was set aside as ${path.basename(aside)}… in ${folder}, and is begun anew.`,
    );
  }
}

const damagedMark = '.damaged-';

/** Where an index lies, whether or not there is one. */
export function indexFile({
  home,
  service,
  part,
}: Pick<IndexFileOptions, 'home' | 'service' | 'part'>): string {
  return path.join(home, 'titles', fileName(service, part === undefined ? '' : `-own-${part}`));
}

/** Whether there is a part of any account's beside the shared index of a service. */
export async function anyPartOf(options: Pick<IndexFileOptions, 'home' | 'service'>): Promise<boolean> {
  const folder = path.dirname(indexFile(options));
  const marked = path.basename(indexFile({ ...options, part: '' })).split('.v', 1)[0] ?? '';
  try {
    return (await readdir(folder)).some((name) => name.startsWith(marked));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw fileFailureError(folder, error);
  }
}

/** A readable host, what tells services of one host apart, and whose part it is. */
function fileName(service: string, part: string): string {
  const host = URL.canParse(service) ? new URL(service).hostname : service;
  const readable = host.replace(/[^a-z0-9.-]/gi, '').slice(0, 60);
  const digest = createHash('sha256').update(service).digest('hex').slice(0, 8);
  return `${readable}-${digest}${part}.v${schemaVersion}.db`;
}

/** Makes the tables in an empty file, in one transaction, so that of several processes one does. */
async function prepare(database: Database): Promise<void> {
  // What is lost with the power is read again; a write need not wait for the disk.
  await database.transact((raw) =>
    raw.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 4000'),
  );
  const isOurs = (sql: Transaction): boolean | null => {
    const tables = sql.row('SELECT count(*) AS tables FROM sqlite_schema', []);
    if (tables?.tables === 0) return null;
    const id = sql.row(
      'SELECT application_id AS id, user_version AS version FROM pragma_application_id, pragma_user_version',
      [],
    );
    return id?.id === applicationId && id.version === schemaVersion;
  };
  const found = await database.read(isOurs);
  if (found === true) return;
  if (found === false) throw new IndexDamaged('The file is not an index of titles.');
  await database.transact((raw) =>
    raw
      .transaction(() => {
        if (raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all().length > 0) return;
        raw.exec(
          `${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`,
        );
      })
      .immediate(),
  );
}

function isDamage(error: unknown): boolean {
  if (error instanceof IndexDamaged) return true;
  if (!isStoreError(error, 'store_unreadable')) return false;
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error.cause) ?? '');
}

/** Not awaited: a search takes less time than the way through the thread pool. */
function inodeOf(file: string): number | null {
  try {
    return statSync(file, { throwIfNoEntry: false })?.ino ?? null;
  } catch (error) {
    throw fileFailureError(file, error);
  }
}

/** Part of the file's name: another shape of it is another file, and two installed versions don't meet. */
const schemaVersion = 3;

/** "artT" as SQLite's application_id. */
const applicationId = 0x61727454;

/** Words are tokenized before they come here: this only tells them apart at spaces, marks of Indic scripts included. */
const words = `content = '', contentless_delete = 1, detail = 'none',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co'"`;

/**
 * `title` has a row for each thing. Its words stand in one of two indexes, so that the many episodes and Sets don't
 * hide the few works: `work_words`, or `part_words`, where each also has words for what it belongs to. `name_key`
 * holds whole names and initials without spaces. `word` counts words, and `spelling` holds what each may be misspelt as.
 */
const schema = `
  CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE title (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    ref ANY NOT NULL,
    name TEXT,
    year INTEGER,
    date TEXT,
    show INTEGER,
    season INTEGER,
    episode INTEGER,
    creator TEXT,
    slot TEXT,
    language TEXT,
    updated TEXT,
    own INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    read INTEGER,
    changed INTEGER,
    UNIQUE (kind, ref)
  ) STRICT;
  CREATE INDEX title_part ON title (show, season, episode) WHERE show IS NOT NULL;
  CREATE INDEX title_creator ON title (creator) WHERE creator IS NOT NULL;
  CREATE INDEX title_read ON title (kind, read, ref);
  CREATE INDEX title_unnamed ON title (kind, read, ref) WHERE name IS NULL;
  CREATE INDEX title_changed ON title (changed) WHERE changed IS NOT NULL;
  CREATE TABLE target (
    kind INTEGER NOT NULL,
    ref ANY NOT NULL,
    title INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (kind, ref, title)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX target_title ON target (title, place);
  CREATE TABLE tally (kind INTEGER PRIMARY KEY, named INTEGER NOT NULL, latest INTEGER NOT NULL) STRICT;
  CREATE TABLE name_key (key TEXT NOT NULL, title INTEGER NOT NULL, PRIMARY KEY (key, title)) STRICT, WITHOUT ROWID;
  CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, uses INTEGER NOT NULL) STRICT;
  CREATE TABLE spelling (key TEXT NOT NULL, word INTEGER NOT NULL, PRIMARY KEY (key, word)) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE work_words USING fts5(words, ${words});
  CREATE VIRTUAL TABLE part_words USING fts5(words, ${words});
  INSERT INTO work_words (work_words, rank) VALUES ('usermerge', 2);
  INSERT INTO part_words (part_words, rank) VALUES ('usermerge', 2);
`;
