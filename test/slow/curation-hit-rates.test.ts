import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createCatalogue } from '../../src/catalogue/client.ts';
import { systemClock } from '../../src/clock.ts';
import { fillIndex } from '../../src/curation/find/reader/reader.ts';
import { sightingsOf } from '../../src/curation/find/sightings.ts';
import type { Hit } from '../../src/curation/find/title-index.ts';
import { createLog } from '../../src/log.ts';
import { changeShownBy } from '../../src/model/feed-item.ts';
import { isSetKind } from '../../src/model/kinds.ts';
import { createLeaseJudge, holdersOfMachine } from '../../src/store/lease.ts';
import { type IndexUnderTest, startIndex } from '../curation/find/index-folder.ts';
import { startHousehold } from '../support/account.ts';

let titles: IndexUnderTest;

/** All that the embedded catalogue lists, and the Sets that its feed names. */
beforeAll(async () => {
  titles = await startIndex();
  const household = await startHousehold();
  const catalogue = createCatalogue({
    locate: async () => ({ baseUrl: household.baseUrl, assetOrigin: household.baseUrl }),
    userAgent: 'test',
  });
  try {
    const judge = createLeaseJudge(systemClock, holdersOfMachine());
    const ports = { index: titles.index, catalogue, isOurs: true, judge, clock: systemClock };
    const log = createLog('error', () => {});
    await fillIndex({ ...ports, log }, { signal: new AbortController().signal, isByHand: true });
    for (let page: string | null = null, first = true; first || page !== null; first = false) {
      const read: Awaited<ReturnType<typeof catalogue.readFeedPage<'sets'>>> = await catalogue.readFeedPage(
        'sets',
        page,
      );
      for (const { kind, setId: id } of read.items.map(changeShownBy)) {
        if (kind === null || !isSetKind(kind) || id === null) continue;
        const record = await catalogue.readSet(kind, id).catch(() => null);
        if (record !== null) await titles.index.learn(sightingsOf({ of: 'set', kind, record }));
      }
      page = read.nextPage;
    }
  } finally {
    await catalogue.close();
    await household.remove();
  }
});

afterAll(() => titles.stop());

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
  let [first, third] = [0, 0];
  for (const { query, expect } of spoken) {
    const { hits } = await titles.index.search({ query, offset: 0, limit: 3 });
    const at = hits.findIndex((hit) => expect.some((meant) => isMeant(hit, meant)));
    if (at === 0) first += 1;
    if (at >= 0) third += 1;
    else process.stdout.write(`not found: ${query}\n`);
  }
  process.stdout.write(`${file}: ${first} and ${third} of ${spoken.length} first and among three\n`);
  // The twelfth part of what is meant is nothing that lists name: people, and films without artwork.
  expect(first / spoken.length).toBeGreaterThanOrEqual(0.88);
  expect(third / spoken.length).toBeGreaterThanOrEqual(0.9);
});
