import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { slotsOf } from '../../src/sandbox/artwork/targets.ts';
import type { Database } from '../../src/sandbox/store/database.ts';
import { openFilled } from '../support/filled.ts';

let database: Database;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ database, remove } = await openFilled());
});
afterAll(() => remove());

interface Season {
  readonly id: number;
  readonly number: number;
  /** Ids of the episodes that have aired. */
  readonly aired: readonly number[];
}

/** What the catalogue holds of a Set and what it is for. */
interface Found {
  readonly kind: string;
  readonly edition: string | null;
  /** Whether the Set has a picture there. */
  has(kind: string, id: number, slot: string): boolean;
  /** The Set's own target; 0 for a Brand Set. */
  readonly target: number;
  readonly slots: readonly string[];
  readonly seasons: readonly Season[];
  readonly movies: readonly number[];
  readonly members: readonly { readonly kind: string; readonly id: number }[];
}

const idsOf = (sql: string, ...values: (number | string)[]) =>
  database.all(sql, ...values).map((row) => row.integer('id'));

function find(id: number): Found {
  const set = database.only(
    'SELECT s.*, e.name AS edition FROM sets s LEFT JOIN editions e ON e.id = s.edition_id WHERE s.id = ?',
    id,
  );
  const artwork = database.all('SELECT * FROM assets WHERE set_id = ? AND replaced_from IS NULL', id);
  const places = new Set(
    artwork.map((row) => `${row.text('target_kind')} ${row.integer('target_id')} ${row.text('slot')}`),
  );
  const target = set.integerOrNull('target_id') ?? 0;
  return {
    kind: set.text('kind'),
    edition: set.textOrNull('edition'),
    has: (kind, targetId, slot) => places.has(`${kind} ${targetId} ${slot}`),
    target,
    slots: [...new Set(artwork.map((row) => row.text('slot')))],
    seasons: database
      .all('SELECT * FROM seasons WHERE show_id = ? ORDER BY season_number', target)
      .map((season) => ({
        id: season.integer('id'),
        number: season.integer('season_number'),
        aired: idsOf(
          'SELECT id FROM episodes WHERE season_id = ? AND air_date IS NOT NULL',
          season.integer('id'),
        ),
      })),
    movies: idsOf('SELECT id FROM movies WHERE collection_id = ?', target),
    members: database
      .all('SELECT * FROM brand_set_members WHERE set_id = ? ORDER BY position', id)
      .map((row) => ({ kind: row.text('kind'), id: row.integer('id') })),
  };
}

/** How many aired episodes of a season have a title card in the Set: none, some or all (of none: all). */
function cards(set: Found, { aired }: Season): 'none' | 'some' | 'all' {
  const count = aired.filter((id) => set.has('episode', id, 'titlecard')).length;
  return count === aired.length ? 'all' : count === 0 ? 'none' : 'some';
}

const isEmpty = (set: Found, season: Season) =>
  cards(set, season) !== 'some' &&
  (season.aired.length === 0 || cards(set, season) === 'none') &&
  !set.has('season', season.id, 'poster') &&
  !set.has('season', season.id, 'backdrop');

const numbered = (text: string) => text.split(', ').map((name) => Number(name.replace('season ', '')));
const hasAll = (set: Found, kind: string, id: number, slots: readonly string[]) =>
  slots.every((slot) => set.has(kind, id, slot));

/** Every sentence that a description may hold, and when it is true. `all` are the description's sentences. */
const claims: readonly (readonly [
  sentence: RegExp,
  isTrue: (set: Found, named: string, all: readonly string[]) => boolean,
])[] = [
  [
    /^The show and its seasons\.$/,
    (set, _, all) =>
      hasAll(set, 'show', set.target, ['poster', 'backdrop']) &&
      set.has('show', set.target, 'logo') === !all.includes('No logo yet.') &&
      set.seasons.every(({ id }) => set.has('season', id, 'backdrop')) &&
      postersAre(set, all),
  ],
  [
    /^Posters for the show and its seasons\.$/,
    (set, _, all) => set.has('show', set.target, 'poster') && postersAre(set, all),
  ],
  [
    /^A title card for every episode that has aired\.$/,
    (set) =>
      set.seasons.some(({ aired }) => aired.length > 0) &&
      set.seasons.every((season) => cards(set, season) === 'all'),
  ],
  [
    /^No poster yet for ((?:season \d+(?:, )?)+)\.$/,
    (set, named) =>
      set.seasons
        .filter(({ id }) => !set.has('season', id, 'poster'))
        .map(({ number }) => number)
        .join() === numbered(named).join(),
  ],
  [
    /^No title cards yet for season (\d+)\.$/,
    (set, named) =>
      set.seasons.every((season) =>
        season.number === Number(named)
          ? season.aired.length > 0 && cards(set, season) === 'none'
          : cards(set, season) === 'all',
      ),
  ],
  [/^Title cards only\.$/, (set) => set.slots.join() === 'titlecard'],
  [
    /^Season (\d+) is still missing\.$/,
    (set, named) =>
      set.seasons.length > 1 &&
      set.seasons
        .filter(({ number, aired }) => number > 0 && aired.length > 0)
        .every((season) => isEmpty(set, season) === (season.number === Number(named))),
  ],
  [
    /^Begun with the first season\.$/,
    (set) =>
      set.seasons.filter(({ number }) => number > 0).length > 1 &&
      set.seasons.every(
        (season) => (season.aired.length === 0 ? 1 : season.number) === 1 || isEmpty(set, season),
      ) &&
      set.seasons.some((season) => season.number === 1 && cards(set, season) === 'all'),
  ],
  [/^Nothing here yet\.$/, (set) => set.slots.length === 0],
  [/^No logo yet\.$/, (set) => !set.slots.includes('logo') && set.slots.length > 0],
  [/^In the taller frame of the IMAX prints\.$/, (set) => set.edition === 'IMAX'],
  [
    /^The collection and each of its movies\.$/,
    (set) =>
      set.movies.length > 0 &&
      hasAll(set, 'collection', set.target, slotsOf.collection) &&
      set.movies.every((id) => hasAll(set, 'movie', id, slotsOf.movie)),
  ],
  [/^Posters only\.$/, (set) => set.slots.join() === 'poster'],
  [
    /^One movie is still missing\.$/,
    (set) => set.movies.filter((id) => !set.has('movie', id, 'poster')).length === 1,
  ],
  [
    /^The collection alone\.$/,
    (set) => set.movies.length === 0 && hasAll(set, 'collection', set.target, slotsOf.collection),
  ],
  [/^Cover, hero and logo\.$/, (set) => set.slots.toSorted().join() === 'cover,hero,logo'],
  [/^Every slot that a launcher shows\.$/, (set) => hasAll(set, 'game', set.target, slotsOf.game)],
  [
    /^One ([a-z]+(?:, one [a-z]+)*) for each\.$/,
    (set, named) => set.members.every(({ kind, id }) => hasAll(set, kind, id, named.split(', one '))),
  ],
  [
    /^Every third logo is still missing\.$/,
    (set) =>
      set.members.length > 2 &&
      set.members.every(({ kind, id }, index) => set.has(kind, id, 'logo') === (index % 3 !== 2)),
  ],
];

/** Every season has a poster in the Set, but for those that the description names. */
function postersAre(set: Found, all: readonly string[]): boolean {
  const lacking = set.seasons.some(({ id }) => !set.has('season', id, 'poster'));
  return lacking === all.some((sentence) => sentence.startsWith('No poster yet for '));
}

test('every description of a Set is true of what it holds', () => {
  const used = new Set<RegExp>();
  const described = database.all('SELECT * FROM sets WHERE description IS NOT NULL');
  expect(described.length).toBeGreaterThan(100);
  for (const row of described) {
    const set = find(row.integer('id'));
    const all = row.text('description').split(/(?<=\.) /);
    for (const sentence of all) {
      const [claim] = claims.filter(([pattern]) => pattern.test(sentence));
      if (claim === undefined) throw new Error(`It is unknown when this is true: ${sentence}`);
      const [pattern, isTrue] = claim;
      const named = pattern.exec(sentence)?.[1] ?? '';
      expect(isTrue(set, named, all), `${set.kind} ${row.text('title')}: ${sentence}`).toBe(true);
      used.add(pattern);
    }
  }
  expect(claims.map(([pattern]) => pattern).filter((pattern) => !used.has(pattern))).toEqual([]);
  const silent = database.all('SELECT DISTINCT kind FROM sets WHERE description IS NULL');
  expect(silent.map((row) => row.text('kind'))).toEqual(
    expect.arrayContaining(['movie_set', 'show_set', 'game_set']),
  );
});

describe('the gaps', () => {
  const seasons = 'seasons s WHERE s.season_number > 0';
  const pictured = (slot: string) =>
    `EXISTS (SELECT 1 FROM assets a WHERE a.target_kind = 'season' AND a.target_id = s.id AND a.slot = '${slot}')`;
  const ids = (from: string) => idsOf(`SELECT s.id FROM ${from}`);

  test('some seasons, not many, have no poster in the whole catalogue', () => {
    const without = ids(`${seasons} AND NOT ${pictured('poster')}`);
    const real = new Set(
      idsOf(
        `SELECT w.id FROM seasons s JOIN shows w ON w.id = s.show_id
         WHERE s.id IN (${without.join()}) AND w.overview NOT LIKE 'A fictional work%'`,
      ),
    );
    expect(real.size, 'real shows with such a season').toBeGreaterThan(2);
    expect(without.length).toBeLessThan(ids(seasons).length / 4);
    expect(
      idsOf(`SELECT id FROM metadata_images WHERE kind = 'season' AND id IN (${without.join()})`),
    ).toEqual([]);
  });

  test.each([
    ['Season % is still missing.', 5],
    ['%No title cards yet for season %', 5],
    ['%No poster yet for %', 5],
    ['%No logo yet.%', 20],
    ['Nothing here yet.', 1],
  ])('at least so many Sets say %j: %i', (words, least) => {
    const found = idsOf(`SELECT id FROM sets WHERE description LIKE ?`, `%${words}`);
    expect(found.length).toBeGreaterThanOrEqual(least);
  });
});
