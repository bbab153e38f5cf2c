// Learns as one of several processes: `learner.js HOME NAME`. Each has 400 films of its own, and 100 that all have.
import { createTitleIndex } from '../../../src/curation/find/open.ts';
import type { Sighting } from '../../../src/curation/find/title-index.ts';

const [home = '', name = ''] = process.argv.slice(2);
const silent = () => {};
const index = createTitleIndex({
  home,
  service: 'https://catalogue.example/api',
  log: { error: silent, warn: silent, info: silent, debug: silent },
});
for (let batch = 0; batch < 50; batch += 1) {
  const own = Array.from({ length: 8 }, (_, at): Sighting => {
    const number = batch * 8 + at;
    return { kind: 'movie', id: Number(name) * 1000 + number, name: `Film ${name} x${number}` };
  });
  const common = [0, 1].map(
    (at): Sighting => ({ kind: 'movie', id: 1 + batch * 2 + at, name: `Common ${batch * 2 + at}` }),
  );
  await index.learn([...own, ...common]);
  await index.search({ query: `film ${name}`, offset: 0, limit: 3 });
}
await index.close();
