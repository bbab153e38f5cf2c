import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readContent } from '../../src/sandbox/seed/content.ts';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { fillPrepared, preparedName } from '../../src/sandbox/seed/prepared.ts';
import { type Database, openDatabase } from '../../src/sandbox/store/database.ts';
import { bundle } from '../support/bundle.ts';
import { oncePerRun } from '../support/once-per-run.ts';
import { temporaryFolder } from '../support/temporary.ts';

const data = path.resolve(import.meta.dirname, '../../src/sandbox/seed/data');
const jsonLines = async (folder: string) =>
  (await readdir(folder)).filter((file) => file.endsWith('.jsonl')).sort();

const named = z.object({ name: z.string(), sql: z.string() });
const numbered = z.object({ show: z.string(), season: z.int().default(0), number: z.int() });

test('every data file passes, and every line of it is used', async () => {
  const content = readContent();
  const seasons = content.shows.flatMap((show) => show.seasons);
  const read = { ...content, seasons, episodes: seasons.flatMap((season) => season.episodes) };
  const files = await jsonLines(data);
  expect(files).toEqual(
    Object.keys(read)
      .map((name) => `${name}.jsonl`)
      .sort(),
  );
  for (const [name, records] of Object.entries(read)) {
    const lines = (await readFile(path.join(data, `${name}.jsonl`), 'utf8')).split('\n');
    expect(lines.pop(), `the end of ${name}`).toBe('');
    expect(records.length, name).toBe(lines.length);
  }
});

test('seasons and episodes stand in the order of their shows and numbers', async () => {
  const { shows } = readContent();
  const places = new Map(shows.map(({ title }, index) => [title, index]));
  const keys = async (file: string) => {
    const lines = (await readFile(path.join(data, file), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => {
      const { show, season, number } = numbered.parse(JSON.parse(line));
      return [places.get(show), season, number].map((part) => String(part).padStart(5, '0')).join(' ');
    });
  };
  for (const file of ['seasons.jsonl', 'episodes.jsonl']) {
    const found = await keys(file);
    expect(found, file).toEqual(found.toSorted());
  }
});

describe('what the build has prepared', () => {
  const tables = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
  const contentOf = async (fill: (database: Database) => void) => {
    const folder = await temporaryFolder();
    openDatabase(folder.path, fill).close();
    const connection = new Libsql(path.join(folder.path, 'catalogue.db'));
    const schema = z.array(named).parse(connection.prepare(tables).all([]));
    const rows = schema
      .filter(({ sql }) => sql.startsWith('CREATE TABLE'))
      .map(({ name }): [string, unknown[]] => [name, connection.prepare(`SELECT * FROM ${name}`).all([])]);
    const counters = connection.prepare('SELECT * FROM sqlite_sequence ORDER BY name').all([]);
    connection.close();
    await folder.remove();
    return { schema, rows: new Map(rows), counters };
  };

  test.each(['2026-05-04T03:02:01.007Z', '2031-12-31T23:59:59.999Z'])(
    'fills a catalogue at %s with what the data makes, to the row',
    async (at) => {
      const prepared = await contentOf((empty) => fillPrepared(empty, new Date(at)));
      const made = await contentOf((empty) => fillCatalogue(empty, new Date(at)));
      expect(prepared.schema).toEqual(made.schema);
      for (const [table, rows] of made.rows) expect(prepared.rows.get(table), table).toEqual(rows);
      expect(prepared.counters).toEqual(made.counters);
    },
  );

  test.each<[what: string, damage: (file: string) => Promise<void>]>([
    ['is cut off', async (file) => writeFile(file, (await readFile(file)).subarray(0, 100_000))],
    [
      'has one wrong byte',
      async (file) => {
        const content = await readFile(file);
        content[300_000] = (content[300_000] ?? 0) ^ 1;
        await writeFile(file, content);
      },
    ],
    ['is missing', (file) => rm(file)],
  ])('ends the program before it serves anything, with one line, where it %s', async (what, damage) => {
    const programs = await bundle({ sandbox: 'src/sandbox/main.ts' });
    // Below the repository, where the program finds native packages.
    const copy = await oncePerRun(`catalogue whose content ${what}`, async (place) => {
      await cp(path.dirname(programs.program('sandbox')), place, { recursive: true });
      await damage(path.join(place, preparedName));
    });
    const folder = await temporaryFolder();
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(copy, 'sandbox.js'), '--data', path.join(folder.path, 'catalogue')],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(stderr).toMatch(/^[^\n]+ is missing or damaged\. Install the package again\.\n$/);
    expect(status).toBe(1);
    await folder.remove();
    await programs.remove();
  });
});

describe('a fault in the data', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await cp(data, folder.path, { recursive: true });
  });
  afterEach(() => folder.remove());

  /** Changes a file's lines, and reads the data; answers the message of the refusal. */
  async function refusalOf(file: string, change: (lines: string[]) => string[]): Promise<string> {
    const place = path.join(folder.path, file);
    const lines = (await readFile(place, 'utf8')).trimEnd().split('\n');
    await writeFile(place, `${change(lines).join('\n')}\n`);
    try {
      readContent(pathToFileURL(`${folder.path}/`));
    } catch (error) {
      if (error instanceof Error) return error.message;
      throw error;
    }
    throw new Error('The data was taken.');
  }

  type Fields = Record<string, unknown>;
  const edited = (line: number, edit: (record: Fields) => Fields) => (lines: string[]) =>
    lines.with(line - 1, JSON.stringify(edit(JSON.parse(lines[line - 1] ?? ''))));
  const without = (left: string) => (record: Fields) =>
    Object.fromEntries(Object.entries(record).filter(([field]) => field !== left));
  const repeated = (line: number) => (lines: string[]) => [...lines, lines[line - 1] ?? ''];

  // The last number of each file is that of a line which the change adds.
  test.each<[file: string, change: (lines: string[]) => string[], fault: RegExp]>([
    ['movies.jsonl', (lines) => lines.with(2, '{"title": "Half'), /movies\.jsonl:3: the record must be JSON/],
    ['movies.jsonl', (lines) => lines.with(2, '[]'), /movies\.jsonl:3: the record must be of type object/],
    ['movies.jsonl', (lines) => lines.toSpliced(2, 0, ''), /movies\.jsonl:3: the record must be JSON/],
    ['movies.jsonl', edited(3, without('runtimeMinutes')), /movies\.jsonl:3: runtimeMinutes is missing/],
    ['shows.jsonl', edited(2, (one) => ({ ...one, network: 'AMC' })), /shows\.jsonl:2: network is no field/],
    [
      'games.jsonl',
      edited(1, (one) => ({ ...one, developers: [{ name: 'Nintendo', part: 'developer' }] })),
      /games\.jsonl:1: developers\[0\]\.role is missing; games\.jsonl:1: developers\[0\]\.part is no field/,
    ],
    [
      'movies.jsonl',
      edited(1, (one) => ({ ...one, releaseDate: '2001-02-30' })),
      /movies\.jsonl:1: releaseDate must be a date/,
    ],
    [
      'movies.jsonl',
      edited(1, (one) => ({ ...one, runtimeMinutes: '178' })),
      /movies\.jsonl:1: runtimeMinutes must be of type number/,
    ],
    [
      'movies.jsonl',
      edited(1, (one) => ({ ...one, runtimeMinutes: 0 })),
      /movies\.jsonl:1: runtimeMinutes must be more than 0/,
    ],
    [
      'companies.jsonl',
      edited(1, (one) => ({ ...one, homepage: 'http://example.org' })),
      /companies\.jsonl:1: homepage must be an https:\/\/ address/,
    ],
    [
      'networks.jsonl',
      edited(1, (one) => ({ ...one, originCountry: 'USA' })),
      /networks\.jsonl:1: originCountry must be two capital letters/,
    ],
    ['categories.jsonl', repeated(4), /categories\.jsonl:84: name must be another one than on line 4/],
    ['people.jsonl', repeated(4), /people\.jsonl:155: name must be another one than on line 4/],
    ['companies.jsonl', repeated(4), /companies\.jsonl:77: name must be another one than on line 4/],
    ['networks.jsonl', repeated(4), /networks\.jsonl:15: name must be another one than on line 4/],
    ['collections.jsonl', repeated(4), /collections\.jsonl:36: title must be another one than on line 4/],
    ['movies.jsonl', repeated(4), /movies\.jsonl:267: title must be another one than on line 4/],
    ['games.jsonl', repeated(4), /games\.jsonl:70: title must be another one than on line 4/],
    ['shows.jsonl', repeated(4), /shows\.jsonl:27: title must be another one than on line 4/],
    ['seasons.jsonl', repeated(4), /seasons\.jsonl:119: number must be another one than on line 4/],
    ['episodes.jsonl', repeated(4), /episodes\.jsonl:1046: title must be another one than on line 4/],
    [
      'movies.jsonl',
      edited(5, (one) => ({ ...one, people: ['Peter Jackson', 'Peter Jackson'] })),
      /movies\.jsonl:5: people must not name anything twice/,
    ],
    ...(
      [
        ['shows.jsonl', 'networks', 'a network'],
        ['shows.jsonl', 'companies', 'a company'],
        ['movies.jsonl', 'people', 'a person'],
        ['movies.jsonl', 'categories', 'a category'],
        ['games.jsonl', 'genres', 'a category'],
        ['games.jsonl', 'categories', 'a category'],
      ] as const
    ).map(([file, field, what]): [string, (lines: string[]) => string[], RegExp] => [
      file,
      edited(6, (one) => ({ ...one, [field]: ['Missing & Sons'] })),
      new RegExp(`${file}:6: ${field} names "Missing & Sons", which must be ${what}`),
    ]),
    [
      'movies.jsonl',
      edited(6, (one) => ({ ...one, collection: 'Missing & Sons' })),
      /movies\.jsonl:6: collection names "Missing & Sons", which must be a collection/,
    ],
    [
      'companies.jsonl',
      edited(1, (one) => ({ ...one, parentCompany: 'BBC' })),
      /companies\.jsonl:1: parentCompany names "BBC", which must be a company on a line above/,
    ],
    [
      'games.jsonl',
      edited(6, (one) => ({ ...one, relatedGames: ["Demon's Souls"] })),
      /games\.jsonl:6: relatedGames\[0\] must be the title of one other game, with its date/,
    ],
    [
      'seasons.jsonl',
      edited(1, (one) => ({ ...one, show: 'Breaking Good' })),
      /seasons\.jsonl:1: show must be the title of a show/,
    ],
    [
      'episodes.jsonl',
      edited(1, (one) => ({ ...one, season: 9 })),
      /episodes\.jsonl:1: season must be the number of a season of this show/,
    ],
    [
      'people.jsonl',
      (lines) => lines.map(() => '{}'),
      /people\.jsonl:1: name is missing; .*; and 1068 faults more\. Install the package again\.$/,
    ],
  ])('in %s is named with file, line and field (%#)', async (file, change, fault) => {
    expect(await refusalOf(file, change)).toMatch(fault);
  });

  test('is no fault where the line only has other spaces or line ends', async () => {
    const place = path.join(folder.path, 'networks.jsonl');
    await writeFile(place, (await readFile(place, 'utf8')).replaceAll('\n', ' \r\n'));
    expect(readContent(pathToFileURL(`${folder.path}/`))).toEqual(readContent());
  });

  test('is also a file that is missing', async () => {
    await rm(path.join(folder.path, 'movies.jsonl'));
    expect(() => readContent(pathToFileURL(`${folder.path}/`))).toThrow(
      "movies.jsonl can't be read (ENOENT)",
    );
  });
});
