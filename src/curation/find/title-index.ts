import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Sighting, TitleReference } from '../../model/sightings.ts';
import { createPrivateFile, makeFilePrivate, makePrivateFolder, prepareHome } from '../../store/home.ts';
import { Database, type Transaction } from '../../store/libsql.ts';
import type { SqlValue } from '../../store/sql.ts';
import { searchTitles } from './search.ts';
import { columns, entryIn, isDue, numberOf, ofWorks, rememberTitle, schema, textOf } from './table.ts';
import type { Findings, Seen, TitleQuestion } from './titles.ts';

export type TitleIndex = ReturnType<typeof createTitleIndex>;

interface Options {
  readonly home: string;
  /** Whose titles they are: each service has an index of its own. */
  readonly service: string;
  readonly log: Log;
  readonly now?: () => number;
}

/** More are not remembered in memory. */
const mostWords = 100_000;

/**
 * The titles of one service that public reads have shown, in a file of their own below `titles` in the data directory:
 * FTS5 of the store's SQLite. What can be read again is no loss: a damaged file is removed and begun anew.
 */
export function createTitleIndex({ home, service, log, now = Date.now }: Options) {
  const folder = path.join(home, 'titles');
  const file = path.join(folder, `${createHash('sha256').update(service).digest('hex').slice(0, 16)}.db`);
  let opened: Promise<Database> | null = null;
  /** Words that the file surely has, so that they are not written again. */
  const words = new Set<string>();

  const open = async (): Promise<Database> => {
    await prepareHome(home);
    await makePrivateFolder(folder);
    if ((await makeFilePrivate(file)) === null) await createPrivateFile(file, '');
    // What a lost write held is read again: none is waited for.
    const fast = 'PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 4000;';
    return Database.connect(file, { setUp: `${fast} BEGIN IMMEDIATE; ${schema} COMMIT` });
  };
  const close = async (): Promise<void> => {
    const database = await opened?.catch(() => null);
    opened = null;
    database?.close();
  };
  const using = async <Value>(work: (database: Database) => Promise<Value>): Promise<Value> => {
    try {
      opened ??= open();
      return await work(await opened);
    } catch (error) {
      // One that could not be opened is tried again by the next call.
      await opened?.catch(close);
      if (!isDamage(error)) throw error;
      await close();
      words.clear();
      for (const side of ['', '-wal', '-shm']) await rm(`${file}${side}`, { force: true });
      log.warn('The index of titles was damaged, and is begun anew.');
      opened = open();
      return work(await opened);
    }
  };
  const rows = (sql: string, ...values: readonly SqlValue[]) =>
    using((database) => database.rows(sql, values));
  const write = <Value>(work: (transaction: Transaction) => Value) =>
    using((database) => database.write(work));
  const note = async (name: string) =>
    textOf((await rows('SELECT value FROM note WHERE name = ?', name))[0]?.value);

  return {
    /**
     * Remembers what records have shown, all or nothing.
     * @param beside notes that are written with it, by name
     */
    async learn(
      sightings: readonly Sighting[],
      beside: Readonly<Record<string, string>> = {},
    ): Promise<void> {
      const makers = new Set(sightings.flatMap(({ creator }) => creator || []));
      const all = [...sightings, ...[...makers].map((id) => ({ kind: 'creator', id }) as const)];
      const notes = Object.entries({ ...beside, latest: new Date(now()).toISOString() });
      const learnt = await write((transaction) => {
        for (const each of notes) transaction.run('REPLACE INTO note VALUES (?, ?)', each);
        return all.flatMap((seen) => rememberTitle(transaction, seen, now(), words));
      });
      if (words.size > mostWords) words.clear();
      for (const word of learnt) words.add(word);
    },
    search: (question: TitleQuestion): Promise<Findings> => searchTitles(rows, question),
    async seen(): Promise<Seen> {
      const named = await rows('SELECT kind, count FROM named');
      const counts = new Map(named.map((row) => [row.kind, numberOf(row.count) ?? 0]));
      const titles = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const [shows, films] = [counts.get('show') ?? 0, counts.get('movie') ?? 0];
      const complete = await note('complete');
      return { titles, shows, films, complete: complete !== null, asOf: complete ?? (await note('latest')) };
    },
    /** The works that a reading goes to: what changed since it was read, the latest first, then what was never read. */
    async wanted(limit: number): Promise<TitleReference[]> {
      const due = `SELECT ${columns} FROM title WHERE ${isDue} ORDER BY changed DESC LIMIT ${limit}`;
      return (await rows(due)).flatMap((row) => entryIn(row) ?? []);
    },
    /** How many those are. */
    async left(): Promise<number> {
      return numberOf((await rows(`SELECT count(*) AS n FROM title WHERE ${isDue}`))[0]?.n) ?? 0;
    },
    /** All that was read is to be read once more. */
    forgetReadings: () =>
      write((transaction) => {
        transaction.run(`UPDATE title SET read = NULL WHERE ${ofWorks}`, []);
        transaction.run("DELETE FROM note WHERE name LIKE 'list %'", []);
      }),
    note,
    write,
    close,
  };
}

/** What is wrong with the file itself, which trying again does not mend. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error ? (codeOf(error.cause) ?? '') : '';
  return code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB');
}
