import { afterAll, beforeAll, expect, it } from 'vitest';
import { hitRates, spokenIn } from './expected.ts';
import { type IndexUnderTest, startIndex } from './index-folder.ts';
import { sightingsOfWholeCatalogue } from './whole-catalogue.ts';

let titles: IndexUnderTest;

beforeAll(async () => {
  titles = await startIndex();
  await titles.index.learn(await sightingsOfWholeCatalogue());
});

afterAll(() => titles.stop());

it.each([
  ['seen.jsonl', 'those that the search was made with'],
  ['held-apart.jsonl', 'those that it was not'],
])('finds what people mean by the queries of %s, %s', async (file) => {
  const spoken = spokenIn(file);
  const rates = await hitRates(titles.index, spoken);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  process.stdout.write(
    `${file}: ${rates.queries} queries, ${percent(rates.atOne)} first, ${percent(rates.atThree)} among three.\n${rates.missed.join('\n')}\n`,
  );
  expect(rates.atOne).toBeGreaterThanOrEqual(0.9);
  expect(rates.atThree).toBeGreaterThanOrEqual(0.97);
});

it('has as many queries as that takes, a third of them apart', () => {
  const [seen, apart] = [spokenIn('seen.jsonl'), spokenIn('held-apart.jsonl')];
  const all = new Set([...seen, ...apart].map(({ query }) => query));
  expect(all.size).toBe(seen.length + apart.length);
  expect(all.size).toBeGreaterThanOrEqual(300);
  expect(apart.length / all.size).toBeGreaterThanOrEqual(1 / 3);
});
