import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillIndex, type ReaderPorts, runInBackground } from '../../../src/curation/find/reader.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { type IndexUnderTest, startIndex } from './index-folder.ts';
import { type Asked, type Listing, listedCatalogue } from './listed-catalogue.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const log = createLog('error', () => {});
let clock: VirtualClock;
let titles: IndexUnderTest;

beforeEach(async () => {
  clock = virtualClock();
  titles = await startIndex(() => clock.now());
  // Opening it takes time that is not the clock's.
  await titles.index.seen();
});

afterEach(() => titles.stop());

interface World extends ReturnType<typeof listedCatalogue> {
  readonly ports: ReaderPorts;
}

/** A process that reads a catalogue; all share one index and one clock. */
function world(listing: Listing): World {
  const listed = listedCatalogue(clock, listing);
  return {
    ...listed,
    ports: { index: titles.index, catalogue: listed.catalogue, isOurs: false, clock, log },
  };
}

/** What the file says of the process that read last. */
const noteReader = ({ holder, last, count }: { holder: string; last: number; count: number }) =>
  titles.index.write((transaction) => {
    transaction.run('REPLACE INTO reader VALUES (1, ?, ?, ?)', [holder, last, count]);
  });

const unattended = (signal = new AbortController().signal) => ({ signal, isByHand: false });
const byHand = () => ({ signal: new AbortController().signal, isByHand: true });
const background = ({ ports }: World) =>
  runInBackground(async () => ({ ports, close: async () => {} }), ports);
const pathsOf = (asked: readonly Asked[], start: string) =>
  asked.map(({ path }) => path).filter((path) => path.startsWith(start));

/** The most requests that began within any time of this length. */
function mostWithin(asked: readonly Asked[], length: number): number {
  let [from, most] = [0, 0];
  for (const [to, { at }] of asked.entries()) {
    while ((asked[from]?.at ?? at) <= at - length) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

function repeated(asked: readonly Asked[]): string[] {
  const seen = new Set<string>();
  return asked.flatMap(({ path }) => (seen.size === seen.add(path).size ? [path] : []));
}

describe('reading the catalogue for the index', () => {
  it('asks one at a time, once a second and 1,000 times in any day at most, and goes on the next day', async () => {
    const one = world({ films: 1_000, episodePages: 2, takesMs: 300 });
    const { asked, mostAtOnce } = one;
    const reader = background(one);
    await clock.pass(hour);
    expect(asked).toHaveLength(1_000);
    expect(reader.activity()).toBe('idle');
    await clock.pass(2 * day);
    await clock.run(reader.close());
    expect(mostAtOnce()).toBe(1);
    expect(mostWithin(asked, 1_000)).toBe(1);
    expect(mostWithin(asked, day)).toBe(1_000);
    // Both feeds, the index, its shows, and the films.
    const pages = asked.map(({ path }) => path.replace(/pages\/\d+\/(?=\d)/, 'pages/'));
    expect(new Set(pages).size).toBe(10 + 1 + 2 + 2 + 1_000);
    expect(repeated(asked).filter((path) => !path.startsWith('/feeds/'))).toEqual([]);
    expect((await titles.index.seen()).complete).toBe(true);
  });

  it('reads all of it where a person waits, at the same pace, and leaves nothing of the day', async () => {
    const { ports, asked, mostAtOnce } = world({ films: 150, episodePages: 1 });
    // Another process has asked for most of the day's share, and has ended since.
    await noteReader({ holder: 'another', last: clock.now(), count: 900 });
    await clock.pass(2 * minute);
    expect(await clock.run(fillIndex(ports, byHand()))).toEqual({ end: 'done' });
    expect(asked).toHaveLength(2 + 1 + 1 + 1 + 150);
    expect(repeated(asked)).toEqual([]);
    expect(mostAtOnce()).toBe(1);
    expect(mostWithin(asked, 1_000)).toBe(1);
    expect(await titles.index.seen()).toMatchObject({ complete: true, films: 150, shows: 1 });
    await clock.pass(7 * hour);
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'rests' });
  });

  it('reads sixty works, which name their Sets, within two minutes', async () => {
    const { ports, asked } = world({ films: 50, episodePages: 10 });
    const begun = clock.now();
    expect(await clock.run(fillIndex(ports, byHand()))).toEqual({ end: 'done' });
    expect(asked).toHaveLength(2 + 10 + 10 + 50);
    expect(clock.now() - begun).toBeLessThan(2 * minute);
  });

  it('reads the works that the feeds name, newest first', async () => {
    const { ports, asked } = world({ films: 150, episodePages: 1 });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
    expect(pathsOf(asked, '/movies/')).toEqual(asked.slice(-150).map((_, at) => `/movies/${at + 1}`));
  });

  it('asks nothing for a day after a 429, in the next process too', async () => {
    const refuse = (_: string, nth: number) => {
      if (nth === 40) throw new ArtworkError('rate_limited', 'Not now.', { status: 429 });
    };
    const { ports, asked } = world({ films: 300, episodePages: 3, refuse });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'rests' });
    expect(asked).toHaveLength(40);
    const refusedAt = clock.now();
    const next = world({ films: 300, episodePages: 3 });
    expect(await clock.run(fillIndex(next.ports, unattended()))).toEqual({ end: 'rests' });
    const reader = background(next);
    await clock.pass(day - 1);
    expect(next.asked).toEqual([]);
    await clock.pass(20 * minute);
    expect(next.asked[0]?.at).toBeGreaterThanOrEqual(refusedAt + day);
    expect(repeated(next.asked)).toEqual([]);
    await clock.run(reader.close());
  });

  it('is done by one process at a time; one that dies hands over', async () => {
    const listing = { films: 400, episodePages: 2 };
    const { ports, asked } = world(listing);
    await noteReader({ holder: 'another', last: clock.now(), count: 1 });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'busy' });
    expect(asked).toEqual([]);
    await clock.pass(2 * minute);

    const [one, other] = [world(listing), world(listing)];
    const [reader, waiter] = [background(one), background(other)];
    await clock.pass(4 * minute);
    expect(one.asked.length + other.asked.length).toBeGreaterThan(50);
    expect(Math.min(one.asked.length, other.asked.length)).toBe(0);
    await clock.run(one.asked.length > 0 ? reader.close() : waiter.close());
    await clock.pass(5 * minute);
    expect(Math.min(one.asked.length, other.asked.length)).toBeGreaterThan(0);
    expect(repeated([...one.asked, ...other.asked]).length).toBeLessThanOrEqual(2);
    await clock.run(Promise.all([reader.close(), waiter.close()]));
  });

  it('asks for nothing while all is fresh, and for all again when it is told to', async () => {
    const listing = { films: 120, episodePages: 2 };
    const { ports, asked } = world(listing);
    await clock.run(fillIndex(ports, unattended()));
    const once = asked.length;
    await clock.pass(hour);
    await clock.run(fillIndex(ports, unattended()));
    expect(asked).toHaveLength(once);
    // A day later only what changed is asked for: of a feed of several pages one more, which is older as a whole.
    await clock.pass(day);
    await clock.run(fillIndex(ports, unattended()));
    expect(asked.slice(once).map(({ path }) => path)).toEqual([
      '/feeds/assets',
      '/feeds/assets/pages/2/2',
      '/feeds/sets',
    ]);
    const full = world(listing);
    await clock.run(fillIndex(full.ports, { ...byHand(), isFull: true }));
    expect(full.asked).toHaveLength(once);
  });

  it('begins a feed anew whose snapshot has expired, and gives one up that can’t be read in time', async () => {
    const { ports, asked } = world({ films: 400, episodePages: 1, snapshotMs: 2_000 });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
    expect(asked.filter(({ path }) => path === '/feeds/assets').length).toBeLessThanOrEqual(3);
    expect(JSON.parse((await titles.index.note('list assets')) ?? '')).toMatchObject({
      whole: 0,
      next: null,
    });
    // What it could not read to the end is not the whole catalogue.
    expect((await titles.index.seen()).complete).toBe(false);
  });

  it('ends a list short whose pages do not end', async () => {
    const astray = (at: number) => ({
      nextPage: `/episodes/pages/${at === 2 ? 3 : 2}`,
      page: null,
      totalPages: null,
    });
    const { ports, asked } = world({ films: 1, episodePages: 3, astray });
    const filling = fillIndex(ports, byHand());
    expect(await clock.run(filling)).toEqual({ end: 'done' });
    expect(pathsOf(asked, '/episodes').length).toBeLessThanOrEqual(8);
    expect(JSON.parse((await titles.index.note('list episodes')) ?? '')).toMatchObject({ whole: 0 });
    expect((await titles.index.seen()).complete).toBe(false);
  });

  it('leaves out what is gone or can’t be read, and goes on where the service was away', async () => {
    let away = 0;
    const one = world({
      films: 300,
      episodePages: 3,
      refuse(path, nth) {
        if (path === '/movies/7') throw new ArtworkError('not_found', 'It does not exist.', { status: 404 });
        if (path === '/movies/8') throw new ArtworkError('bad_response', 'It is no JSON.');
        if (path === '/movies/9') throw new ArtworkError('service_unavailable', 'It fails.', { status: 500 });
        if (nth > 60 && away < 12) {
          away += 1;
          throw new ArtworkError('network', 'It can’t be reached.');
        }
      },
    });
    const { asked } = one;
    const reader = background(one);
    await clock.pass(hour);
    expect(reader.activity()).toBe('idle');
    await clock.run(reader.close());
    const times = (path: string) => asked.filter((one) => one.path === path).length;
    expect(times('/movies/7')).toBe(1);
    for (const path of ['/movies/8', '/movies/9']) expect(times(path)).toBeLessThanOrEqual(13);
    expect((await titles.index.seen()).films).toBe(297);
  });
});
