import type { CatalogueReading } from '../catalogue/readings.ts';
import type { Sighting } from '../curation/titles/title.ts';
import type { TitleIndex } from '../curation/titles/title-index.ts';
import type { Log } from '../log.ts';
import type { Titles } from '../mcp/context.ts';
import type { Settings } from '../settings.ts';

export interface LearningTitles extends Omit<Titles, 'fill' | 'fillingFailed'> {
  /** Remembers what was read, and writes it once the answer is on its way. Never throws. */
  onReading(reading: CatalogueReading): void;
  /** Writes what is left, and lets the file go. */
  close(): Promise<void>;
}

/** How long what was read waits for more of it, ms: until the answer has been written, and a burst of reads is over. */
const gatherMs = 150;
/** Readings that wait hold their records in memory: with so many, none waits longer. */
const mostWaiting = 50;
/** More than any record of a catalogue names: what names a million is no such record. */
const mostSightings = 20_000;

/** The index of the configured service, loaded and opened at the first reading or search, and what it learns from. */
export function createTitles(settings: Settings, log: Log): LearningTitles {
  let waiting: CatalogueReading[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let failed: string | null = null;
  let opened: Promise<TitleIndex> | null = null;

  const open = (): Promise<TitleIndex> => {
    opened ??= import('../curation/titles/open.ts').then(({ createTitleIndex }) =>
      createTitleIndex({
        home: settings.home,
        // The embedded catalogue has an address of its own for each data folder, and no other before it runs.
        service: settings.baseUrl ?? 'embedded',
        user: settings.user,
        log,
      }),
    );
    return opened;
  };

  const write = async (): Promise<void> => {
    timer = null;
    // A record that was read several times is learnt once, as it was last.
    const readings = [...new Map(waiting.map((reading) => [placeOf(reading), reading])).values()];
    waiting = [];
    if (readings.length === 0) return;
    try {
      const [index, { sightingsOf }] = await Promise.all([open(), import('../curation/titles/sightings.ts')]);
      const sightings: Sighting[] = readings.flatMap((reading) =>
        sightingsOf(reading, settings.user).slice(0, mostSightings),
      );
      await index.learn(sightings);
      for (const reading of readings) if (reading.of === 'gone') await index.forget(reading);
      failed = null;
    } catch (error) {
      // It is only remembered for later: the call that has read it goes on, and the log says it once.
      const message = error instanceof Error ? error.message : 'unknown';
      if (message !== failed) log.warn(`The index of titles could not be written: ${message}`);
      failed = message;
    }
  };
  const writeNext = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    writing = writing.then(write);
    return writing;
  };

  return {
    mode: settings.index,
    onReading(reading) {
      if (settings.index === 'off') return;
      waiting.push(reading);
      if (waiting.length >= mostWaiting) void writeNext();
      else timer ??= setTimeout(() => void writeNext(), gatherMs);
    },
    settled: writeNext,
    async index() {
      // What was read a moment ago is found too.
      await writeNext();
      return open();
    },
    async close() {
      await writeNext();
      await (await opened)?.close();
    },
  };
}

/** What a reading is of; unlike for all that are of lists. */
function placeOf(reading: CatalogueReading): unknown {
  switch (reading.of) {
    case 'entity':
    case 'set':
      return `${reading.kind} ${reading.record.id}`;
    default:
      return reading;
  }
}
