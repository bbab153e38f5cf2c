import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from '../../src/catalogue/client.ts';
import { systemClock } from '../../src/clock.ts';
import { fillIndex } from '../../src/curation/find/reader.ts';
import type { Hit } from '../../src/curation/find/titles.ts';
import { createLog } from '../../src/log.ts';
import { isSetKind } from '../../src/model/kinds.ts';
import { readKinds, sightingsOf } from '../../src/model/sightings.ts';
import { type IndexUnderTest, startIndex } from '../curation/find/index-folder.ts';
import { startHousehold } from '../support/account.ts';

let titles: IndexUnderTest;

/** All that the embedded catalogue has. */
beforeAll(async () => {
  titles = await startIndex();
  const household = await startHousehold();
  const catalogue = createCatalogue({
    locate: async () => ({ baseUrl: household.baseUrl, assetOrigin: household.baseUrl }),
    userAgent: 'test',
  });
  const { index } = titles;
  try {
    const ports = { index, catalogue, isOurs: true, clock: systemClock, log: createLog('error', () => {}) };
    const end = await fillIndex(ports, { signal: new AbortController().signal, isByHand: true });
    expect(end).toEqual({ end: 'done' });
    for (const kind of readKinds) {
      for (const id of idsOf(
        kind === 'person'
          ? 'people'
          : kind === 'category'
            ? 'categories'
            : kind === 'company'
              ? 'companies'
              : `${kind}s`,
      )) {
        const record = await catalogue.readEntity(kind, id);
        await index.learn(sightingsOf({ of: 'entity', kind, record }));
      }
    }
    for (const { kind, id } of linesOf('sets').concat(linesOf('groups'))) {
      if (!isSetKind(kind)) continue;
      const record = await catalogue.readSet(kind, id).catch(() => null);
      if (record !== null) await index.learn(sightingsOf({ of: 'set', kind, record }));
    }
  } finally {
    await catalogue.close();
    await household.remove();
  }
});

afterAll(() => titles.stop());

/** The embedded catalogue's own data, since no list names its people, nor films without artwork. */
function linesOf(name: string) {
  const file = path.join(import.meta.dirname, `../../src/sandbox/seed/data/${name}.jsonl`);
  const record = z.object({ id: z.int(), kind: z.string().default('') });
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => record.parse(JSON.parse(one)));
}

const idsOf = (name: string) => linesOf(name).map(({ id }) => id);

const line = z.strictObject({ query: z.string().min(1), expect: z.array(z.string().min(1)).min(1) });
const queries = path.join(import.meta.dirname, '../curation/find/queries');

/** What a person says, and what of the embedded catalogue is meant by it: any of several where it may be either. */
function spokenIn(name: string) {
  const lines = readFileSync(path.join(queries, name), 'utf8').split('\n');
  return lines.filter((one) => one !== '').map((one) => line.parse(JSON.parse(one)));
}

/**
 * Whether a hit is what was meant: `movie:Dune`, `movie:Dune (2021)`, `episode:Dark/2x3`, `season:Dark/2`,
 * `sets of Dark`, `sets by azulejo`, `sets of Dark by azulejo`.
 */
function isMeant(hit: Hit, meant: string): boolean {
  const [, target, maker] = /^sets(?: of (.+?))?(?: by (.+))?$/.exec(meant) ?? [];
  if (target !== undefined || maker !== undefined) {
    const isSet = /^(?:\w+_set|boxset|loadout)$/.test(hit.kind);
    const isOfTarget = target === undefined || hit.target?.name === target;
    return isSet && isOfTarget && (maker === undefined || hit.creator === maker);
  }
  const [, kind = '', name = ''] = /^(\w+):(.+)$/.exec(meant) ?? [];
  if (kind === '') throw new Error(`Not a description of a title: ${meant}`);
  if (hit.kind !== kind) return false;
  const [, show, season, episode] = /^(.+)\/(\d+)(?:x(\d+))?$/.exec(name) ?? [];
  if (kind === 'episode' || kind === 'season') {
    const number = episode === undefined ? null : Number(episode);
    return hit.show?.name === show && hit.season === Number(season) && hit.episode === number;
  }
  const [, title, year] = /^(.+) \((\d{4})\)$/.exec(name) ?? [];
  // The catalogue writes some accents apart from their letters.
  const called = hit.name?.normalize('NFC');
  return called === name || (called === title && hit.year === Number(year));
}

it.each(['seen.jsonl', 'held-apart.jsonl'])('finds what people mean by the queries of %s', async (file) => {
  const spoken = spokenIn(file);
  const search = titles.index;
  let [first, third] = [0, 0];
  for (const { query, expect } of spoken) {
    const { hits } = await search.search({ query, offset: 0, limit: 3 });
    const at = hits.findIndex((hit) => expect.some((meant) => isMeant(hit, meant)));
    if (at === 0) first += 1;
    if (at >= 0) third += 1;
    if (at !== 0)
      process.stdout.write(
        `${at}: ${query} → ${hits.map((hit) => `${hit.kind}:${hit.name} ${hit.likeness.toFixed(2)}`).join(' | ')}\n`,
      );
  }
  process.stdout.write(`${file}: ${first} and ${third} of ${spoken.length} first and among three\n`);
  expect(first / spoken.length).toBeGreaterThanOrEqual(0.96);
  expect(third / spoken.length).toBeGreaterThanOrEqual(0.985);
});
