import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBackgroundFiller, fillIndex } from '../../../src/curation/filler/filler.ts';
import type { FillerPorts } from '../../../src/curation/filler/ports.ts';
import { leaseMs } from '../../../src/curation/filler/turns.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { type Asked, type Listing, listedCatalogue } from './listed-catalogue.ts';
import { type MemoryIndex, memoryIndex } from './memory-index.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const log = createLog('error', () => {});

interface World extends ReturnType<typeof listedCatalogue> {
  readonly clock: VirtualClock;
  readonly index: MemoryIndex;
  readonly ports: FillerPorts;
}

function world(listing: Listing, clock = virtualClock(), index = memoryIndex(clock)): World {
  const listed = listedCatalogue(clock, listing);
  const self = { holder: randomUUID(), hasEnded: async (holder: string) => holder.startsWith('ended') };
  const { catalogue } = listed;
  const ports = { index, catalogue, isOurs: false, own: null, user: 'default', self, clock, log };
  return { ...listed, clock, index, ports };
}

const unattended = (signal = new AbortController().signal) => ({ signal, isByHand: false });

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
  it('asks two at a time, twice a second and 2,000 times an hour at most, and for nothing twice', async () => {
    const { clock, ports, asked, mostAtOnce, index } = world({
      films: 4_500,
      episodePages: 300,
      takesMs: 1_300,
    });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
    // Both feeds, the index, its shows, and the films.
    expect(asked).toHaveLength(45 + 1 + 300 + 300 + 4_500);
    expect(repeated(asked)).toEqual([]);
    expect(mostAtOnce()).toBe(2);
    expect(mostWithin(asked, 1_000)).toBe(2);
    expect(mostWithin(asked, hour)).toBe(2_000);
    expect(index.notes.get('complete')).toBe(String(clock.now()));
  });

  it('asks for nothing more once the index takes no more, and goes on where there is room again', async () => {
    const { clock, ports, asked, index } = world({ films: 500, episodePages: 5 });
    index.most = 200;
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'full' });
    const before = asked.length;
    expect(before).toBeLessThan(100);
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'full' });
    expect(asked).toHaveLength(before);
    expect(index.notes.has('complete')).toBe(false);
    index.most = Number.POSITIVE_INFINITY;
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
  });

  it('keeps to the hour across processes, wherever it begins', async () => {
    const listing = { films: 5_000, episodePages: 10 };
    const first = world(listing);
    const { clock, index } = first;
    const asked: Asked[] = [];
    for (const after of [7 * minute, 19 * minute, 3 * minute]) {
      const { ports, asked: some } = world(listing, clock, index);
      const stopping = new AbortController();
      const filling = fillIndex(ports, unattended(stopping.signal));
      await clock.pass(after);
      stopping.abort();
      expect(await clock.run(filling)).toEqual({ end: 'stopped' });
      asked.push(...some);
    }
    const last = world(listing, clock, index);
    expect(await clock.run(fillIndex(last.ports, unattended()))).toEqual({ end: 'done' });
    asked.push(...last.asked);
    expect(mostWithin(asked, hour)).toBe(2_000);
    expect(mostWithin(asked, 1_000)).toBe(2);
    // What was under way when it was stopped is asked for again, and nothing else.
    expect(repeated(asked).length).toBeLessThanOrEqual(3 * 2);
  });

  it('is not led to ask more, or never again, by a clock that is set', async () => {
    for (const change of [-30 * 24 * hour, 2 * hour]) {
      const { clock, ports, asked } = world({ films: 600, episodePages: 1 });
      const filling = fillIndex(ports, unattended());
      await clock.pass(2 * minute);
      const before = asked.length;
      clock.set(clock.now() + change);
      await clock.run(filling);
      expect(before).toBeGreaterThan(100);
      expect(mostWithin(asked.slice(before), 1_000)).toBe(2);
      expect(repeated(asked).length).toBeLessThanOrEqual(4);
    }
  });

  it('asks a catalogue of its own as fast as that answers, with nobody waiting for it', async () => {
    const listing = { films: 4_500, episodePages: 300, takesMs: 10 };
    const { clock, ports, asked, mostAtOnce } = world(listing);
    const since = clock.now();
    expect(await clock.run(fillIndex({ ...ports, isOurs: true }, unattended()))).toEqual({ end: 'done' });
    expect(repeated(asked)).toEqual([]);
    expect(mostAtOnce()).toBe(4);
    expect(clock.now() - since).toBeLessThan(minute);
  });

  it('asks nothing for as long as the service wants it, in the next process too', async () => {
    const limited = new ArtworkError('rate_limited', 'Too many requests.', {
      details: { retryAfterSeconds: 900 },
    });
    const listing: Listing = {
      films: 300,
      episodePages: 3,
      refuse(_, nth) {
        if (nth === 40) throw limited;
      },
    };
    const { clock, index, ports, asked } = world(listing);
    const stopping = new AbortController();
    const filling = fillIndex(ports, unattended(stopping.signal));
    await clock.pass(5 * minute);
    const refusedAt = (asked[39]?.at ?? 0) + 120;
    // One other may have been on its way.
    expect(asked.length).toBeLessThanOrEqual(41);
    stopping.abort();
    await clock.run(filling);
    const next = world({ films: 300, episodePages: 3 }, clock, index);
    expect(await clock.run(fillIndex(next.ports, unattended()))).toEqual({ end: 'done' });
    expect(next.asked[0]?.at).toBeGreaterThanOrEqual(refusedAt + 900_000);
  });

  it('leaves the service alone for a day at most, and tells a person who waits until when', async () => {
    const limited = new ArtworkError('rate_limited', 'Too many requests.', {
      details: { retryAfterSeconds: 99_999_999_999 },
    });
    const listing = { films: 30, episodePages: 3 };
    const clock = virtualClock();
    let refusedAt = 0;
    const refuse = (_: string, nth: number) => {
      if (nth !== 9) return;
      refusedAt = clock.now();
      throw limited;
    };
    const byHand = { signal: new AbortController().signal, isByHand: true };
    const { index, ports } = world({ ...listing, refuse }, clock);
    const began = clock.now();
    expect(await clock.run(fillIndex(ports, byHand))).toMatchObject({ end: 'failed' });
    expect(clock.now() - began).toBeLessThan(minute);
    const again = world(listing, clock, index);
    expect(await clock.run(fillIndex(again.ports, byHand))).toMatchObject({
      end: 'failed',
      error: { message: expect.stringContaining(new Date(refusedAt + 24 * hour).toISOString()) },
    });
    expect(again.asked).toEqual([]);
    expect(await clock.run(fillIndex(again.ports, unattended()))).toEqual({ end: 'done' });
    expect(again.asked[0]?.at).toBe(refusedAt + 24 * hour);
    // What an earlier version has written is no longer either.
    index.notes.set('pace', JSON.stringify({ last: 0, alone: [clock.now(), 1e15], minutes: [] }));
    const later = clock.now();
    await clock.run(fillIndex(world(listing, clock, index).ports, { ...unattended(), isFull: true }));
    expect(clock.now() - later).toBeLessThan(25 * hour);
  });

  it('is done by one process at a time; one that dies hands over', async () => {
    const { clock, index, ports, asked } = world({ films: 200, episodePages: 2 });
    // One that says nothing any more, but whose process may be there.
    await index.hold('filler', 'silent', leaseMs);
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'busy' });
    expect(asked).toEqual([]);

    const fillers = [0, 1].map(() => {
      const one = world({ films: 200, episodePages: 2 }, clock, index);
      const filler = createBackgroundFiller(
        async () => ({ ports: one.ports, close: async () => {} }),
        one.ports,
      );
      filler.begin();
      return { ...one, filler };
    });
    const [one, other] = fillers;
    if (one === undefined || other === undefined) throw new Error('There are two.');
    await clock.pass(2 * minute);
    const [reader, waiter] = one.asked.length > 0 ? [one, other] : [other, one];
    expect(reader.asked.length).toBeGreaterThan(50);
    expect(waiter.asked).toEqual([]);
    await clock.run(reader.filler.close());
    const read = reader.asked.length;
    await clock.pass(5 * minute);
    expect(reader.asked).toHaveLength(read);
    expect(waiter.asked.length).toBeGreaterThan(0);
    expect(repeated([...reader.asked, ...waiter.asked]).length).toBeLessThanOrEqual(2);
    await clock.run(waiter.filler.close());
    // Of one whose process has ended nobody waits for the lease to end.
    await index.hold('filler', 'ended', 100 * hour);
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
  });

  it('leaves it to a person who asks for it, at once', async () => {
    const { clock, index, ports, asked } = world({ films: 900, episodePages: 9 });
    const before = fillIndex(ports, unattended());
    await clock.pass(minute);
    const byHand = world({ films: 900, episodePages: 9 }, clock, index);
    const filling = fillIndex(byHand.ports, { signal: new AbortController().signal, isByHand: true });
    expect(await clock.run(before)).toEqual({ end: 'lost' });
    expect(await clock.run(filling)).toEqual({ end: 'done' });
    expect(byHand.mostAtOnce()).toBe(4);
    expect(mostWithin(byHand.asked, 1_000)).toBeGreaterThan(10);
    expect(repeated([...asked, ...byHand.asked]).length).toBeLessThanOrEqual(2);
    // A second person's reading is left out, not queued.
    await index.hold('filler by hand', 'another', leaseMs);
    expect(
      await clock.run(fillIndex(byHand.ports, { signal: new AbortController().signal, isByHand: true })),
    ).toEqual({
      end: 'busy',
    });
  });

  it('asks for nothing while all is fresh, and for all again when it is told to', async () => {
    const listing = { films: 120, episodePages: 2 };
    const { clock, index, ports, asked } = world(listing);
    await clock.run(fillIndex(ports, unattended()));
    const once = asked.length;
    await clock.pass(hour);
    await clock.run(fillIndex(ports, unattended()));
    expect(asked).toHaveLength(once);
    // A day later only what changed is asked for: one page of each feed.
    await clock.pass(24 * hour);
    await clock.run(fillIndex(ports, unattended()));
    expect(asked.slice(once).map(({ path }) => path)).toEqual(['/feeds/assets', '/feeds/sets']);
    const full = world(listing, clock, index);
    await clock.run(
      fillIndex(full.ports, { signal: new AbortController().signal, isByHand: true, isFull: true }),
    );
    expect(full.asked).toHaveLength(once);
  });

  it('reads what has changed since, also after a change from the future', async () => {
    const future = '9999-12-31T23:59:59.000Z';
    const { clock, index, ports } = world({
      films: 300,
      episodePages: 1,
      changedAt: (film) => (film === 0 ? future : undefined),
    });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
    const newestKept = () =>
      z.object({ newest: z.number() }).parse(JSON.parse(index.notes.get('list assets') ?? '')).newest;
    expect(newestKept()).toBeLessThanOrEqual(clock.now());
    await clock.pass(24 * hour);
    // More than two pages of the feed have changed in the meantime.
    const pages = async () => {
      const later = world(
        { films: 600, episodePages: 1, changedAt: (film) => (film === 0 ? future : undefined) },
        clock,
        index,
      );
      expect(await clock.run(fillIndex(later.ports, unattended()))).toEqual({ end: 'done' });
      return later.asked.filter(({ path }) => path.startsWith('/feeds/assets')).length;
    };
    expect(await pages()).toBe(6);
    // What an earlier version has kept is not trusted either.
    const kept = z.record(z.string(), z.unknown()).parse(JSON.parse(index.notes.get('list assets') ?? ''));
    index.notes.set('list assets', JSON.stringify({ ...kept, newest: Date.parse(future) }));
    await clock.pass(24 * hour);
    expect(await pages()).toBe(6);
    expect(newestKept()).toBeLessThanOrEqual(clock.now());
  });

  it('begins a feed anew whose snapshot has expired, and gives one up that can’t be read in time', async () => {
    const { clock, ports, asked, index } = world({ films: 2_000, episodePages: 1, snapshotMs: 4_000 });
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
    expect(asked.filter(({ path }) => path === '/feeds/assets').length).toBeLessThanOrEqual(3);
    expect(JSON.parse(index.notes.get('list assets') ?? '')).toMatchObject({ whole: false, next: null });
    // What it could not read to the end is not the whole catalogue.
    expect(index.notes.has('complete')).toBe(false);
  });

  const address = (page: number) => `/episodes/pages/${page}`;
  const bare = { page: null, totalPages: null };
  it.each([
    [
      'a circle of numbered pages',
      4,
      (at: number) => (at === 3 ? { nextPage: address(2), page: 3, totalPages: 3 } : undefined),
    ],
    [
      'a circle of two pages without numbers',
      8,
      (at: number) => ({ nextPage: address(at === 2 ? 3 : 2), ...bare }),
    ],
    [
      'a circle of thirty pages without numbers',
      150,
      (at: number) => ({ nextPage: address(at === 40 ? 11 : at + 1), ...bare }),
    ],
    [
      'ever more pages than it has',
      4,
      (at: number) => ({ nextPage: address(at + 1), page: at, totalPages: 3 }),
    ],
  ])('ends a list short whose pages do not end, as %s, and says why', async (_, most, astray) => {
    for (const isByHand of [false, true]) {
      const { clock, ports, asked, index } = world({ films: 1, episodePages: 3, astray });
      const stopping = new AbortController();
      const filling = fillIndex(ports, { signal: stopping.signal, isByHand });
      await clock.pass(10 * minute);
      stopping.abort();
      expect(await clock.run(filling)).toEqual({ end: 'done' });
      expect(asked.filter(({ path }) => path.startsWith('/episodes')).length).toBeLessThanOrEqual(most);
      expect(JSON.parse(index.notes.get('list episodes') ?? '')).toMatchObject({
        whole: false,
        why: expect.stringContaining('its pages'),
      });
      expect(index.notes.has('complete')).toBe(false);
    }
  });

  it('takes back that it has seen all, where a later reading could not be led to its end', async () => {
    const { clock, ports, index } = world({ films: 1, episodePages: 3 });
    expect(await clock.run(fillIndex(ports, { ...unattended(), isFull: true }))).toEqual({ end: 'done' });
    expect(index.notes.has('complete')).toBe(true);
    await clock.pass(24 * hour);
    const astray = () => ({ nextPage: '/episodes?page=1', page: null, totalPages: null });
    const later = world({ films: 1, episodePages: 3, astray }, clock, index);
    expect(await clock.run(fillIndex(later.ports, { ...unattended(), isFull: true }))).toEqual({
      end: 'done',
    });
    expect(index.notes.has('complete')).toBe(false);
  });

  it('leaves out what is gone or can’t be read, and goes on where the service was away', async () => {
    let away = 0;
    const { clock, ports, asked, index } = world({
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
    expect(await clock.run(fillIndex(ports, unattended()))).toEqual({ end: 'done' });
    const times = (path: string) => asked.filter((one) => one.path === path).length;
    expect([times('/movies/7'), times('/movies/8')]).toEqual([1, 1]);
    expect(times('/movies/9')).toBeLessThanOrEqual(8);
    expect([...index.titles.values()].filter(({ name }) => name?.startsWith('The movie'))).toHaveLength(297);
  });

  it('tells a person who waits that the service can’t be read', async () => {
    const failure = new ArtworkError('network', 'It can’t be reached.');
    const { clock, ports, asked } = world({
      films: 1,
      episodePages: 1,
      refuse() {
        throw failure;
      },
    });
    const end = await clock.run(fillIndex(ports, { signal: new AbortController().signal, isByHand: true }));
    expect(end).toEqual({ end: 'failed', error: failure });
    expect(asked.length).toBeLessThan(12);
  });
});
