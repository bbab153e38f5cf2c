import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { recordAssets, recordSet } from '../artwork.ts';
import { later } from '../context.ts';
import { isSlot, type Kind, slots } from '../model.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';
import type { Store } from '../store.ts';

/** The file of the build with the rows of `data/`: a line for each file there, its name before a JSON array. */
export const rowsName = 'catalogue.gz';

/** Beside the program that the build makes; this source finds it in the build folder. */
const file = new URL(
  import.meta.url.endsWith('.ts') ? `../../../dist/${rowsName}` : rowsName,
  import.meta.url,
);

/** Which members of a kind's rows are columns of `entities`. What is not named here is a fact. */
const workFiles: Readonly<
  Record<
    string,
    { kind: Kind; title?: 'name'; parent?: string; number?: string; date?: string; leftOut?: string[] }
  >
> = {
  shows: { kind: 'show', date: 'first_air_date' },
  seasons: { kind: 'season', parent: 'show_id', number: 'season_number', date: 'air_date' },
  episodes: {
    kind: 'episode',
    parent: 'season_id',
    number: 'episode_number',
    date: 'air_date',
    leftOut: ['show_id', 'season_number'],
  },
  collections: { kind: 'collection' },
  movies: { kind: 'movie', parent: 'collection_id', date: 'release_date' },
  games: { kind: 'game', date: 'first_release_date' },
  companies: { kind: 'company', title: 'name', parent: 'parent_id' },
  networks: { kind: 'network', title: 'name' },
  people: { kind: 'person', title: 'name' },
  categories: { kind: 'category', title: 'name' },
};

/** A member is a column, or a fact, with underscores in its name. */
export type SeedRow = Readonly<Record<string, unknown>>;

/**
 * Puts the rows that every catalogue begins with into an empty database.
 * @param now - the rows tell their times as seconds before it
 * @throws SandboxError when the file of the build is missing or damaged
 */
export function fillCatalogue(store: Store, now: Date): void {
  const written = readRows();
  const rows = (name: string): SeedRow[] => {
    const text = (written.get(name) ?? '[]').replace(/"(\d+) s ago"/g, (_, seconds: string) =>
      JSON.stringify(new Date(now.getTime() - Number(seconds) * 1_000)),
    );
    return JSON.parse(text);
  };
  const images = groupBy(rows('metadata_images'), ({ kind, id }) => `${kind} ${id}`);
  const related = groupBy(rows('related_games'), (row) => String(row.game_id));
  for (const [file, { kind }] of Object.entries(workFiles)) {
    const works = rows(file).map((row) => ({
      ...row,
      images: images.get(`${kind} ${row.id}`)?.map(({ slot }) => slot),
      related: related.get(String(row.id))?.map((one) => one.related_id),
    }));
    addWorks(store, file, works);
  }

  const timed = (row: SeedRow) => ({ updated_at: row.created_at, public_from: row.created_at, ...row });
  const members = groupBy(rows('brand_set_members'), (row) => String(row.set_id));
  const sets = rows('sets').map((row) => ({
    ...timed(row),
    members: JSON.stringify(members.get(String(row.id))?.map(({ kind, id }) => ({ kind, id })) ?? []),
  }));
  const assets = rows('assets').map((row) => ({ ...timed(row), ...pixelsOf(row) }));
  put(store, 'accounts', rows('accounts'));
  put(store, 'relationships', rows('relationships'));
  put(store, 'editions', rows('editions'));
  put(store, 'groups', rows('groups').map(timed));
  put(store, 'sets', sets);
  put(store, 'assets', assets);
  // The feed of Assets shows what came of late, and what was edited of late.
  const since = later(now.toISOString(), -feedSpanMs);
  recordAssets(store, 'arrival', 'a.public_from > ?', since);
  recordAssets(store, 'edit', 'a.updated_at > ? AND a.updated_at <> a.created_at', since);
  for (const { set_id: setId, kind, change_type: changeType, changed_at: changedAt } of rows('set_changes')) {
    recordSet(store, { setId, kind, changeType, changedAt });
  }
}

/** The pixels that a picture is drawn with. One in sixteen of the WebP posters moves. */
function pixelsOf({ id, slot, format }: SeedRow): SeedRow {
  const name = String(slot);
  if (!isSlot(name)) throw new TypeError(`There is no slot ${name}.`);
  const [width, height] = slots[name].drawn;
  const moves = format === 'webp' && name === 'poster' && String(id).startsWith('0');
  return { width, height, frames: moves ? 6 : 1 };
}

/** Adds works. The rows are those of a file in `data/`, such as `episodes`. */
export function addWorks(store: Store, file: string, rows: readonly SeedRow[]): void {
  const columns = workFiles[file];
  if (columns === undefined) throw new TypeError(`There are no ${file}.`);
  const { kind, title = 'title', parent = '', number = '', date = '', leftOut = [] } = columns;
  const placed = new Set(['id', title, parent, number, date, ...leftOut]);
  const entities = rows.map((row) => {
    const facts = Object.entries(row).flatMap(([column, value]) =>
      placed.has(column) ? [] : [[camelCase(column), value]],
    );
    return {
      ...{ kind, id: row.id, title: row[title], parent_id: row[parent] },
      ...{ number: row[number], date: row[date], facts: JSON.stringify(Object.fromEntries(facts)) },
    };
  });
  put(store, 'entities', entities);
}

/** How far back the feed of Assets goes when a catalogue is new: 45 days. */
const feedSpanMs = 45 * 24 * 3_600_000;

/** All rows of a table at once; a member that is left out is NULL. */
function put(store: Store, table: string, rows: readonly SeedRow[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = columns.map((column) => `value ->> '${column}'`).join(', ');
  store.run(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values} FROM json_each(?)`,
    JSON.stringify(rows),
  );
}

function groupBy(rows: readonly SeedRow[], keyOf: (row: SeedRow) => string): ReadonlyMap<string, SeedRow[]> {
  const groups = new Map<string, SeedRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readRows(): ReadonlyMap<string, string> {
  try {
    const lines = gunzipSync(readFileSync(file)).toString().split('\n');
    return new Map(
      lines.map((line) => {
        const end = line.indexOf(' ');
        return [line.slice(0, end), line.slice(end)];
      }),
    );
  } catch (error) {
    if (systemCode(error) === null) throw error;
    throw new SandboxError(
      `What the embedded catalogue is filled with (${rowsName}) is missing or damaged. Install the package again.`,
    );
  }
}
