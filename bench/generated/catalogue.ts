import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { openFolder } from '../../src/sandbox/process/folder.ts';
import { fillCatalogue } from '../../src/sandbox/seed/fill.ts';
import { openStore, type Store } from '../../src/sandbox/store.ts';
import { generateEvents } from './events.ts';
import { randomOf } from './random.ts';
import { generateFilms, generateGames, generateNames, generateShows } from './works.ts';

export interface Scale {
  readonly episodes: number;
  readonly films: number;
  /** Of both feeds together. */
  readonly events: number;
}

export const wholeScale: Scale = { episodes: 1_000_000, films: 50_000, events: 200_000 };

export interface GeneratedCatalogue {
  readonly dataDir: string;
  /** What it holds, the catalogue's own works among it. */
  readonly counts: Scale & { readonly shows: number; readonly games: number; readonly sets: number };
  readonly bytes: number;
}

/**
 * Makes a data folder of the embedded catalogue that holds just so many episodes, films and feed events: the
 * works that every catalogue comes with, and generated ones up to the scale. The same seed and `now` make the
 * same catalogue. It is there once it is whole: until then it is beside its place, under another name.
 * @throws Error when the folder holds a catalogue already, or the scale is below what every catalogue has.
 */
export async function generateCatalogue(
  dataDir: string,
  options: { readonly scale: Scale; readonly seed: string; readonly now: Date },
): Promise<GeneratedCatalogue> {
  const { scale, seed, now } = options;
  if (existsSync(dataDir)) throw new Error(`${dataDir} is there already: name a folder that is not.`);
  const draft = `${path.resolve(dataDir)}.partial`;
  await rm(draft, { recursive: true, force: true });
  await openFolder(draft);
  const store = openStore(draft, (empty) => fillCatalogue(empty, now));
  let counts: GeneratedCatalogue['counts'];
  try {
    // Nobody reads it before it is whole, and it can be made again.
    store.all('PRAGMA synchronous = OFF');
    store.all('PRAGMA cache_size = -64000');
    grow(store, scale, seed, now);
    store.all('PRAGMA wal_checkpoint(TRUNCATE)');
    store.all('PRAGMA optimize');
    counts = countsOf(store);
  } finally {
    store.close();
  }
  await rename(draft, dataDir);
  const { size: bytes } = await stat(path.join(dataDir, 'catalogue.db'));
  return { dataDir, counts, bytes };
}

function grow(store: Store, scale: Scale, seed: string, now: Date): void {
  const own = countsOf(store);
  const missing = {
    episodes: scale.episodes - own.episodes,
    films: scale.films - own.films,
    events: scale.events - own.events,
  };
  if (Math.min(...Object.values(missing)) < 0) {
    throw new Error(
      `Every catalogue has ${own.episodes} episodes, ${own.films} films and ${own.events} feed events: the scale must not be below.`,
    );
  }
  const random = (part: string) => randomOf(`${seed} ${part}`);
  const { shows, seasons, episodes } = generateShows(store, random('shows'), missing.episodes);
  const { films, collections } = generateFilms(store, random('films'), missing.films);
  const games = generateGames(store, random('games'), Math.ceil(missing.films / 10));
  const { people, networks } = generateNames(store, random('names'), Math.ceil(missing.films / 10));
  generateEvents(store, random('events'), {
    events: missing.events,
    now,
    targets: {
      movie: { ids: films, share: 35 },
      episode: { ids: episodes, share: 25 },
      show: { ids: shows, share: 15 },
      season: { ids: seasons, share: 10 },
      game: { ids: games, share: 6 },
      collection: { ids: collections, share: 4 },
      person: { ids: people, share: 4 },
      network: { ids: networks, share: 1 },
    },
  });
}

function countsOf(store: Store): GeneratedCatalogue['counts'] {
  const count = (rows: string) => store.only(`SELECT count(*) AS n FROM ${rows}`).integer('n');
  const works = (kind: string) => count(`entities WHERE kind = '${kind}'`);
  return {
    episodes: works('episode'),
    films: works('movie'),
    events: count('changes'),
    shows: works('show'),
    games: works('game'),
    sets: count('sets'),
  };
}
