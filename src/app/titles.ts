import { createCatalogue } from '../catalogue/client.ts';
import type { CatalogueReading } from '../catalogue/records/kinds.ts';
import { systemClock as clock } from '../clock.ts';
import type { Filling, FillingEnd, ReaderPorts, ReaderStatus } from '../curation/find/reader.ts';
import type { Log } from '../log.ts';
import type { Titles } from '../mcp/context.ts';
import type { Settings } from '../settings.ts';
import { userAgent } from '../version.ts';
import type { ServiceEndpoint } from './endpoint.ts';
import { once } from './once.ts';

/** Readings are gathered until the answer is on its way and a burst of reads is over. ms */
const gatherMs = 150;
/** More than any record of a catalogue names. */
const mostSightings = 20_000;

export type TitleIndexPart = ReturnType<typeof createTitles>;

/**
 * The index of titles, opened at its first use. It learns from public reads alone, so that nothing in it belongs to an
 * account.
 */
export function createTitles(settings: Settings, log: Log) {
  let waiting: CatalogueReading[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let failure: string | null = null;
  const opened = once(async () => {
    const { createTitleIndex } = await import('../curation/find/title-index.ts');
    // The embedded catalogue has no address before it runs, and one for each data folder.
    return createTitleIndex({ home: settings.home, service: settings.baseUrl ?? 'embedded', log });
  });

  const write = async (): Promise<void> => {
    const readings = waiting;
    waiting = [];
    if (readings.length === 0) return;
    try {
      const [index, { sightingsOf }] = await Promise.all([opened.get(), import('../model/sightings.ts')]);
      for (const reading of readings) await index.learn(sightingsOf(reading).slice(0, mostSightings));
      failure = null;
    } catch (error) {
      // The call that has read it succeeds all the same. The log reports each failure once.
      const message = error instanceof Error ? error.message : 'unknown';
      if (message !== failure) log.warn(`The index of titles can't be written: ${message}`);
      failure = message;
    }
  };
  const settled = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  };
  return {
    mode: settings.index,
    isReadAtOnce: settings.baseUrl === null,
    /** Remembers what was read, to be written soon. Never throws. */
    onReading(reading: CatalogueReading): void {
      if (settings.index === 'off') return;
      waiting.push(reading);
      timer ??= setTimeout(() => void settled(), gatherMs);
    },
    settled,
    /** The index, with everything that was read until now. */
    async index() {
      await settled();
      return opened.get();
    },
    async close(): Promise<void> {
      await settled();
      await (await opened.opened())?.close();
    },
  };
}

/** Reads the catalogue for the index: in the background of the server, or while a person waits. */
export function createTitleReader(
  settings: Settings,
  { locate }: ServiceEndpoint,
  titles: TitleIndexPart,
  log: Log,
) {
  const load = () => import('../curation/find/reader.ts');
  let background: ReturnType<typeof runInBackground> | null = null;
  let activity: Titles['filling'] = () => (background === null ? 'idle' : 'reading');

  const runInBackground = async () => (await load()).runInBackground(connect, { log, clock });
  const connect = async () => {
    // The reader itself decides how often and when a request is sent.
    const catalogue = createCatalogue({ locate, userAgent, limits: { connections: 1, tries: 1 } });
    const isOurs = settings.baseUrl === null;
    const ports: ReaderPorts = { index: await titles.index(), catalogue, isOurs, clock, log };
    return { ports, close: catalogue.close };
  };
  const using = async <Value>(work: (ports: ReaderPorts) => Promise<Value>) => {
    const { ports, close } = await connect();
    return work(ports).finally(close);
  };
  return {
    /** Begins in the background where ARTWORK_INDEX allows it. Never throws, and takes no time. */
    begin(): void {
      if (settings.index !== 'on' || background !== null) return;
      background = runInBackground();
      background.then(
        (running) => {
          activity = running.activity;
        },
        () => {
          activity = () => 'failed';
          log.warn('The catalogue is not read for the index of titles: its program could not be loaded.');
        },
      );
    },
    activity: () => activity(),
    /** Reads until nothing is left, or the signal is aborted. */
    async fill(options: Omit<Filling, 'isByHand'>): Promise<FillingEnd> {
      const { fillIndex } = await load();
      return using((ports) => fillIndex(ports, { ...options, isByHand: true }));
    },
    status: async (): Promise<ReaderStatus> => using((await load()).readingStatus),
    /** Ends at once what is being read. */
    close: async (): Promise<void> => (await background)?.close(),
  };
}
