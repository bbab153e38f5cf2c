import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { type Database, openDatabase } from '../../src/sandbox/store/database.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';

const now = new Date('2026-05-04T03:02:01.000Z');

const manySeasonsShow = 'Forty Winters in Mossbottom';

async function filled() {
  const folder = await temporaryFolder();
  const database = openDatabase(folder.path, (empty) => fillCatalogue(empty, now));
  // Rows as they are, without a name for each column.
  const connection = new Libsql(path.join(folder.path, 'catalogue.db'));
  return {
    database,
    rows: (table: string) => connection.prepare(`SELECT * FROM ${table} ORDER BY 1`).all([]),
    async remove() {
      connection.close();
      database.close();
      await folder.remove();
    },
  };
}

let database: Database;
let rows: (table: string) => unknown[];
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ database, rows, remove } = await filled());
});

afterAll(() => remove());

const count = (from: string) => database.only(`SELECT count(*) AS rows FROM ${from}`).integer('rows');

describe('the seed', () => {
  test('has the works that it promises', () => {
    expect(count('shows')).toBeGreaterThanOrEqual(8);
    expect(count('episodes')).toBeGreaterThanOrEqual(400);
    expect(count('movies')).toBeGreaterThanOrEqual(100);
    expect(count('collections')).toBeGreaterThanOrEqual(12);
    expect(count('games')).toBeGreaterThanOrEqual(30);
    for (const table of ['companies', 'networks', 'people', 'categories']) {
      expect(count(table), table).toBeGreaterThan(0);
    }
  });

  test('has Sets of every kind, Boxsets and Loadouts, by several creators and by none', () => {
    const kinds = database.all('SELECT DISTINCT kind FROM sets').map((row) => row.text('kind'));
    expect(kinds.sort()).toEqual([
      'brand_set',
      'category_set',
      'collection_set',
      'game_set',
      'movie_set',
      'show_set',
      'talent_set',
    ]);
    for (const kind of ['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set']) {
      expect(
        count(`sets WHERE kind = '${kind}' AND owner_id IS NULL`),
        `${kind} without owner`,
      ).toBeGreaterThan(0);
    }
    expect(count("groups WHERE kind = 'boxset'")).toBeGreaterThan(1);
    expect(count("groups WHERE kind = 'loadout'")).toBeGreaterThan(1);
    expect(count('(SELECT DISTINCT owner_id FROM sets)')).toBeGreaterThan(4);
    expect(count('(SELECT DISTINCT language_code FROM sets)')).toBeGreaterThan(3);
    expect(count('(SELECT DISTINCT edition_id FROM sets WHERE edition_id IS NOT NULL)')).toBeGreaterThan(1);
  });

  test('has what is hard to show: many posters, many seasons, Sets with gaps', () => {
    for (const title of ['The Lighthouse That Collected Posters', manySeasonsShow]) {
      const show = database.only('SELECT id FROM shows WHERE title = ?', title).integer('id');
      const posters = count(
        `assets WHERE target_kind = 'show' AND target_id = ${show} AND slot = 'poster' AND set_id IS NULL
         AND replaced_from IS NULL`,
      );
      expect(posters, title).toBe(500);
    }
    const winters = database.only('SELECT id FROM shows WHERE title = ?', manySeasonsShow).integer('id');
    expect(count(`seasons WHERE show_id = ${winters} AND season_number > 0`)).toBe(40);
    const withoutCards = count(
      `sets s JOIN seasons z ON z.show_id = s.target_id WHERE s.kind = 'show_set'
       AND EXISTS (SELECT 1 FROM assets a WHERE a.set_id = s.id AND a.slot = 'titlecard')
       AND NOT EXISTS (SELECT 1 FROM assets a JOIN episodes e ON e.id = a.target_id
         WHERE a.set_id = s.id AND a.slot = 'titlecard' AND e.season_id = z.id)`,
    );
    expect(withoutCards, 'seasons without title cards in a Set with some').toBeGreaterThan(0);
    const withoutLogo = count(
      `sets s WHERE s.kind = 'movie_set'
       AND NOT EXISTS (SELECT 1 FROM assets a WHERE a.set_id = s.id AND a.slot = 'logo')`,
    );
    expect(withoutLogo, 'Movie Sets without a logo').toBeGreaterThan(0);
  });

  test('a Set has one current Asset at most for each slot of each target', () => {
    expect(
      count(
        `(SELECT 1 FROM assets WHERE set_id IS NOT NULL AND replaced_from IS NULL
          GROUP BY set_id, target_kind, target_id, slot HAVING count(*) > 1)`,
      ),
    ).toBe(0);
  });

  test('every Asset is for something that is there, and all references hold', () => {
    expect(
      count(
        `assets a WHERE NOT EXISTS
          (SELECT 1 FROM targets t WHERE t.kind = a.target_kind AND t.id = a.target_id)`,
      ),
    ).toBe(0);
    expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
    expect(database.only('PRAGMA integrity_check').text('integrity_check')).toBe('ok');
  });

  test('is the same wherever it is filled', async () => {
    const other = await filled();
    for (const table of [
      ...[
        'shows',
        'seasons',
        'episodes',
        'movies',
        'collections',
        'games',
        'companies',
        'networks',
        'people',
      ],
      ...['categories', 'assets', 'sets', 'groups', 'asset_changes', 'set_changes', 'metadata_images'],
    ]) {
      expect(other.rows(table), table).toEqual(rows(table));
    }
    await other.remove();
  });
});

describe('processes on one empty folder', () => {
  let programs: Bundle;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    programs = await bundle({ fill: 'test/sandbox/fill-program.ts' });
  });
  afterAll(() => programs.remove());
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** The lines that one of them printed. */
  const run = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [programs.program('fill'), folder.path]);
    return stdout.trim().split('\n');
  };
  const whole = () =>
    JSON.stringify(['assets', 'sets', 'asset_changes', 'set_changes'].map((table) => count(table)));

  test('that start at the same moment fill it once', async () => {
    const printed = await Promise.all([run(), run(), run(), run()]);
    expect(printed.filter((lines) => lines.includes('filling'))).toHaveLength(1);
    for (const lines of printed) expect(lines.at(-1)).toBe(whole());
  });

  test('of which the first is killed while it fills leave it to the next', async () => {
    const killed = promisify(execFile)(process.execPath, [programs.program('fill'), folder.path, 'die']);
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL', stdout: 'filling\n' });
    expect(await run()).toEqual(['filling', whole()]);
    expect(await run()).toEqual([whole()]);
  });
});

test('a database of another schema is refused, and left as it is', async () => {
  const folder = await temporaryFolder();
  const first = openDatabase(folder.path, (empty) => empty.execute('CREATE TABLE mine (id INTEGER)'));
  first.execute('PRAGMA user_version = 4711');
  first.close();
  expect(() => openDatabase(folder.path, () => expect.unreachable())).toThrow('4711');
  await folder.remove();
});

test('a filling that fails leaves nothing behind', async () => {
  const folder = await temporaryFolder();
  const broken = (empty: Database) => {
    empty.execute('CREATE TABLE mine (id INTEGER)');
    throw new Error('broken');
  };
  expect(() => openDatabase(folder.path, broken)).toThrow('broken');
  const tables = openDatabase(folder.path, () => {}).all(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  expect(tables).toEqual([]);
  await folder.remove();
});
