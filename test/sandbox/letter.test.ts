import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelope, letter, type Resource, records } from '../contract/schemas.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

let catalogue: Embedded;

beforeAll(async () => {
  catalogue = await startEmbedded();
});

afterAll(() => catalogue.stop());

/** The rows of a resource. Episodes are left out: their season shows what they may lack, and most are alike. */
const rowsOf: Readonly<Partial<Record<Resource, string>>> = {
  shows: "entities WHERE kind = 'show'",
  seasons: "entities WHERE kind = 'season'",
  movies: "entities WHERE kind = 'movie'",
  collections: "entities WHERE kind = 'collection'",
  games: "entities WHERE kind = 'game'",
  companies: "entities WHERE kind = 'company'",
  networks: "entities WHERE kind = 'network'",
  people: "entities WHERE kind = 'person'",
  categories: "entities WHERE kind = 'category'",
  'movie-set': "sets WHERE kind = 'movie_set'",
  'show-set': "sets WHERE kind = 'show_set'",
  'game-set': "sets WHERE kind = 'game_set'",
  'collection-set': "sets WHERE kind = 'collection_set'",
  'brand-set': "sets WHERE kind = 'brand_set'",
  boxsets: "groups WHERE kind = 'boxset'",
  loadouts: "groups WHERE kind = 'loadout'",
};

const resources = Object.keys(records).filter((name): name is Resource => name in rowsOf);

test('every record is to the letter of the document, but for what the page names', async () => {
  const text = await readFile(path.resolve(import.meta.dirname, '../../docs/embedded-catalogue.md'), 'utf8');
  const table = [...text.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, work = '']) => work);
  const named = ['Undated Twin', ...table];
  const departing: string[] = [];
  for (const resource of resources) {
    for (const row of catalogue.sandbox.store.all(`SELECT id FROM ${rowsOf[resource]} ORDER BY id`)) {
      const place = `/${resource}/${row.integer('id')}`;
      const body: unknown = await (await fetch(catalogue.sandbox.baseUrl + place)).json();
      envelope(records[resource]).parse(body);
      if (letter.records[resource].safeParse(Object(body).data).success) continue;
      if (!named.some((work) => JSON.stringify(body).includes(work))) departing.push(place);
    }
  }
  expect(departing).toEqual([]);
});
