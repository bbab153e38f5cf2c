// How long a search takes in an index of a million titles, what a title costs on the disk, and how fast they are learnt.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { timed } from './measure.mjs';
import { loadParts } from './parts.mjs';

const shows = 10_000;
const episodesOfShow = 100;
const films = 50_000;
const sets = 30_000;

/**
 * `searches`: how many manners of asking, and ms of processor time of all by quantile; `bytesPerTitle` on the disk;
 * `learntPerSecond` titles.
 */
export async function measureTitles() {
  const { createTitleIndex } = await loadParts(
    "export { createTitleIndex } from './src/curation/find/title-index.ts';",
  );
  const home = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  try {
    const silent = { error() {}, warn() {}, info() {}, debug() {} };
    const index = createTitleIndex({ home, service: 'https://bench.example', log: silent });
    const ms = await timed(async () => {
      for (const batch of batches(createNames(7))) await index.learn(batch);
    });
    const { titles } = await index.seen();
    const folder = path.join(home, 'titles');
    let bytes = 0;
    for (const file of await readdir(folder)) bytes += (await stat(path.join(folder, file))).size;
    const searches = await measureSearches(index, createNames(7));
    await index.close();
    return { titles, bytesPerTitle: bytes / titles, learntPerSecond: (titles / ms) * 1000, searches };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measureSearches(index, names) {
  const random = mulberry32(99);
  const some = (count) => Math.floor(random() * count);
  const manners = [
    // A show by its name.
    () => names.show(some(shows)),
    // An episode by its title and show, by its number, and by its title alone.
    () => {
      const show = some(shows);
      return `${names.episode(show, some(episodesOfShow))} ${names.show(show)}`;
    },
    () => `season ${1 + some(10)} episode ${1 + some(10)} of ${names.show(some(shows))}`,
    () => names.episode(some(shows), some(episodesOfShow)),
    // A film with a typing mistake, and two words of one.
    () => mistyped(names.film(some(films)), random),
    () => names.film(some(films)).split(' ').slice(-2).join(' '),
    // One common word, the Sets of a show, and nothing like it.
    () => names.word(some(40)),
    () => `${names.show(some(shows))} sets`,
    () => `${names.word(some(4000))} qwrtzpx`,
  ];
  const times = [];
  for (const ask of manners) {
    for (let round = 0; round < 110; round += 1) {
      const query = ask();
      const begun = process.cpuUsage();
      await index.search({ query, offset: 0, limit: 25 });
      const { user, system } = process.cpuUsage(begun);
      if (round >= 10) times.push((user + system) / 1000);
    }
  }
  const sorted = times.sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  return { manners: manners.length, p50: at(0.5), p99: at(0.99) };
}

function mistyped(name, random) {
  const at = 1 + Math.floor(random() * (name.length - 2));
  return name.slice(0, at) + name.slice(at + 1);
}

/** Titles from words that are as common as words are: the nth one in a share of 1 / n. */
function createNames(seed) {
  const random = mulberry32(seed);
  const pick = (letters) => letters[Math.floor(random() * letters.length)];
  const syllables = Array.from(
    { length: 2_000 },
    () =>
      pick('b br c ch d f g gr h j k l m n p qu r s st t v w z '.split(' ')) +
      pick(['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou']) +
      pick(['', '', 'l', 'm', 'n', 'nd', 'r', 'rt', 's', 't', 'ck']),
  );
  const words = Array.from({ length: 60_000 }, (_, at) => {
    const count = at < 300 ? 1 + (at % 2) : 2 + Math.floor(random() * 3);
    return Array.from({ length: count }, () => pick(syllables)).join('');
  });
  const nameOf = (key, least, most) => {
    const own = mulberry32(key);
    const length = least + Math.floor(own() * (most - least + 1));
    return Array.from({ length }, () => words[Math.floor(words.length ** own()) - 1] ?? words[0]).join(' ');
  };
  return {
    word: (at) => words[at],
    show: (show) => nameOf(1_000_000 + show, 2, 4),
    episode: (show, episode) => nameOf(2_000_000 + show * episodesOfShow + episode, 1, 5),
    film: (film) => nameOf(9_000_000 + film, 2, 5),
  };
}

function* batches(names) {
  for (let show = 0; show < shows; show += 1) {
    const id = show + 1;
    const numbered = Array.from({ length: episodesOfShow }, (_, at) => {
      const season = 1 + Math.floor(at / 10);
      return [
        {
          kind: 'episode',
          id: id * 1000 + at,
          name: names.episode(show, at),
          show: id,
          season,
          episode: 1 + (at % 10),
          year: 2000 + season,
        },
        { kind: 'show', id, name: names.show(show) },
        { kind: 'season', id: id * 100 + season, name: `Season ${season}`, show: id, season },
      ];
    });
    yield numbered.flat();
  }
  for (let film = 0; film < films; film += 500) {
    yield Array.from({ length: 500 }, (_, at) => ({
      kind: 'movie',
      id: film + at + 1,
      name: names.film(film + at),
      year: 1950 + ((film + at) % 75),
    }));
  }
  for (let set = 0; set < sets; set += 500) {
    yield Array.from({ length: 500 }, (_, at) => {
      const show = (set + at) % shows;
      return {
        kind: 'show_set',
        id: set + at + 1,
        name: `${names.show(show)} ${names.word(at % 50)}`,
        creator: `creator ${(set + at) % 300}`,
        targets: [{ kind: 'show', id: show + 1 }],
      };
    });
  }
}

function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
