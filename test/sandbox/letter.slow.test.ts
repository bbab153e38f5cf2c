import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/sandbox/store/database.ts';
import { readAllPages } from '../contract/read.ts';
import {
  assetFeedItem,
  envelope,
  feedMeta,
  indexMeta,
  letter,
  page,
  type Resource,
} from '../contract/schemas.ts';
import { departures, unavoidable } from './departures.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

/*
 * Every public record of the embedded catalogue, read over HTTP and held against the interface document: null
 * stands only where the document says so, apart from the departures that are listed.
 */

let embedded: Embedded;
let ids: ReadonlyMap<Resource, readonly number[]>;

/** Where the ids of each resource are. */
const tables: Readonly<Record<Resource, string>> = {
  shows: 'shows',
  seasons: 'seasons',
  episodes: 'episodes',
  movies: 'movies',
  collections: 'collections',
  games: 'games',
  companies: 'companies',
  networks: 'networks',
  people: 'people',
  categories: 'categories',
  'movie-set': "sets WHERE kind = 'movie_set'",
  'show-set': "sets WHERE kind = 'show_set'",
  'game-set': "sets WHERE kind = 'game_set'",
  'collection-set': "sets WHERE kind = 'collection_set'",
  'brand-set': "sets WHERE kind = 'brand_set'",
  boxsets: "groups WHERE kind = 'boxset'",
  loadouts: "groups WHERE kind = 'loadout'",
};
const resources = Object.keys(letter.records).filter((name): name is Resource => name in tables);

beforeAll(async () => {
  embedded = await startEmbedded();
  const database = openDatabase(embedded.dataDir, () => expect.unreachable());
  ids = new Map(
    resources.map((resource) => [
      resource,
      database.all(`SELECT id FROM ${tables[resource]} ORDER BY id`).map((row) => row.integer('id')),
    ]),
  );
  database.close();
});
afterAll(() => embedded.stop());

async function read(path: string): Promise<unknown> {
  const response = await fetch(embedded.sandbox.baseUrl + path);
  expect(response.status, path).toBe(200);
  return response.json();
}

/**
 * The members, such as `movies[].releaseDate`, that are null although the type has no null there.
 * @throws Error for anything else that the type does not allow.
 */
function nullsAgainst(type: z.ZodType, record: unknown, what: string): readonly string[] {
  const { error } = type.safeParse(record, { reportInput: true });
  const members = (error?.issues ?? []).map((issue) => {
    if (issue.code !== 'invalid_type' || issue.input !== null) {
      throw new Error(`${what} is not as documented:\n${z.prettifyError(new z.ZodError([issue]))}`);
    }
    return issue.path
      .map((step) => (typeof step === 'number' ? '[]' : `.${String(step)}`))
      .join('')
      .replace(/^\./, '');
  });
  return [...new Set(members)];
}

const named = z.object({
  title: z.string().optional(),
  name: z.string().optional(),
  show: z.object({ title: z.string() }).optional(),
});

/** The text in which a record says that it is fictional. */
const described = z.record(z.string(), z.unknown());

/** What the list calls a record; the Sets of one work, and the groups of one category, are called alike. */
function nameOf(resource: Resource, record: unknown): string {
  const { title, name, show } = named.parse(record);
  const own = title ?? name ?? '';
  if (resource === 'seasons' || resource === 'episodes') return `${show?.title} · ${own}`;
  const madeByPeople = resource.endsWith('-set') || resource === 'boxsets' || resource === 'loadouts';
  return madeByPeople ? own.slice(0, own.lastIndexOf(' · ')) : own;
}

const line = (resource: string, of: string, member: string) => `${resource} | ${of} | ${member}`;
const listed = departures.flatMap(({ places }) =>
  places.flatMap(({ resource, of, members }) => members.map((member) => line(resource, of, member))),
);

test('every entity, Set and group, and the episodes index, is to the letter, but for the listed departures', async () => {
  const found = new Set<string>();
  /** How many Sets are called alike, and how many of them have a null in one place. */
  const sets = new Map<string, number>();
  const nulls = new Map<string, number>();
  const more = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const check = (resource: Resource, type: z.ZodType, record: unknown, what: string) => {
    const of = nameOf(resource, record);
    more(sets, `${resource} | ${of}`);
    for (const member of nullsAgainst(type, record, what)) {
      found.add(line(resource, of, member));
      more(nulls, line(resource, of, member));
    }
  };
  for (const resource of resources) {
    const own = ids.get(resource) ?? [];
    expect(own.length, `no id of ${resource}`).toBeGreaterThan(0);
    for (const id of own) {
      const path = `/${resource}/${id}`;
      const { data } = envelope(z.unknown()).parse(await read(path));
      check(resource, letter.records[resource], data, path);
    }
  }
  const index = page(z.unknown(), indexMeta);
  for (const { data } of await readAllPages(embedded.sandbox.baseUrl, '/episodes', index)) {
    for (const item of data)
      check('episodes', letter.episodesIndexItem, item, 'an item of the episodes index');
  }
  expect([...found].sort()).toEqual([...listed].sort());
  for (const [where, count] of nulls) {
    const [resource = '', of = ''] = where.split(' | ');
    if (!resource.endsWith('-set')) continue;
    expect(count, `all Sets of ${of} are alike in ${where}`).toBe(sets.get(`${resource} | ${of}`));
  }
});

test('an item of the Asset feed names the Asset before it wherever there was one', async () => {
  const feed = page(z.unknown(), feedMeta);
  const strict = assetFeedItem.extend({ previousAssetId: z.uuid() });
  const found = new Set<string>();
  for (const { data } of await readAllPages(embedded.sandbox.baseUrl, '/feeds/assets', feed)) {
    for (const item of data) {
      const members = nullsAgainst(strict, item, 'an item of the Asset feed');
      for (const member of members) found.add(member);
      expect(assetFeedItem.parse(item).replacements.length > 0).toBe(members.length === 0);
    }
  }
  expect([...found]).toEqual(unavoidable.members);
});

describe('the list of departures', () => {
  test('names nothing twice, and nothing that is not plainly fictional', async () => {
    expect(new Set(listed).size).toBe(listed.length);
    // Networks have no text of their own, and a Brand Set has one work or more.
    const fictional = new Set(['Imaginary Broadcasting Union', 'Broadcasters of Nowhere']);
    for (const resource of [
      'shows',
      'movies',
      'collections',
      'games',
      'companies',
      'people',
      'categories',
    ] as const) {
      for (const id of ids.get(resource) ?? []) {
        const { data } = envelope(described).parse(await read(`/${resource}/${id}`));
        const said = [data.overview, data.description, data.biography, data.summary].join(' ');
        if (/^(A f|F)ictional /.test(said.trim())) fictional.add(nameOf(resource, data));
      }
    }
    for (const { work } of departures) expect(fictional, work).toContain(work);
  });

  test('is told member by member by the page on the interface', async () => {
    const members = new Map<string, Set<string>>();
    for (const { resource, members: own } of departures.flatMap(({ places }) => places)) {
      members.set(resource, new Set([...(members.get(resource) ?? []), ...own]));
    }
    const told = await readFile('docs/interface.md', 'utf8');
    const from = told.indexOf('## What the embedded catalogue shows differently');
    const rows = [...told.slice(from).matchAll(/^\| `\/([\w-]+)` \| (.+) \|$/gm)];
    const table = rows.map(([, resource, cell = '']) => [resource, cell.replaceAll('`', '').split(' ')]);
    const served = [...members].map(([resource, own]) => [resource, [...own].sort()]);
    expect(table).toEqual(served.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
    expect(told).toContain(`\`${unavoidable.members.join()}: null\``);
  });

  test('is told in full by the documentation of the embedded catalogue', async () => {
    const told = await readFile('docs/embedded-catalogue.md', 'utf8');
    const rows = [...told.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, work, lacks]) => [work, lacks]);
    expect(rows.slice(1)).toEqual(departures.map(({ work, lacks }) => [work, lacks]));
  });
});
