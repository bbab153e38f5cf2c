import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import type { OwnRecords } from '../../storage/records.ts';
import { scopes } from './change.ts';
import { type ChangeEvent, changeEvent } from './events.ts';
import { feedPlace } from './read-feeds.ts';

// A reading is kept between the calls that page through it: what was told must not come again, and a chain can be
// told whole only by one who has all of it. Records never change; each page writes where it stands as a new one.

const part = z.object({ version: z.literal(1), events: z.array(changeEvent) });

const reading = z.object({
  version: z.literal(1),
  asked: z.object({
    scope: z.enum(scopes),
    changeType: z.string().nullable(),
    slot: z.string().nullable(),
  }),
  /** Changes then or later, as the answer gives it. */
  since: z.string(),
  /** It is that of an earlier look. */
  sinceLook: z.boolean(),
  /** Milliseconds since 1970, of each feed. */
  from: z.object({ assets: z.number(), sets: z.number() }),
  /** Told in an earlier look. */
  before: z.array(z.string()),
  feeds: z.object({ assets: feedPlace, sets: feedPlace }),
  /** Where the events lie. */
  parts: z.array(z.uuid()),
  /** Keys of the events that were told, or that the scope leaves out. */
  done: z.array(z.string()),
});

export type StoredReading = Readonly<z.output<typeof reading>>;

export interface Readings {
  /** @returns the ids */
  keepEvents(events: readonly ChangeEvent[]): Promise<readonly string[]>;
  /** @returns the id */
  keep(reading: StoredReading): Promise<string>;
  /** @throws ArtworkError `not_found` */
  find(id: string): Promise<{ readonly reading: StoredReading; readonly events: readonly ChangeEvent[] }>;
}

/** Well below what a record can hold. */
const perPart = 5_000;

/** Long enough to go on tomorrow. */
const keptForMs = 2 * 24 * 60 * 60_000;

/** Keeps how far the feeds were read, and the events that were read, for the next page of changes. */
export function keepFeedReadings(records: OwnRecords): Readings {
  return {
    async keepEvents(events) {
      const ids: string[] = [];
      for (let at = 0; at < events.length; at += perPart) {
        const id = randomUUID();
        await records.set(id, { version: 1, events: events.slice(at, at + perPart) }, keptForMs);
        ids.push(id);
      }
      return ids;
    },
    async keep(now) {
      const id = randomUUID();
      await records.set(id, now, keptForMs);
      return id;
    },
    async find(id) {
      const found = reading.safeParse(await records.get(id));
      if (!found.success) throw gone();
      const events: ChangeEvent[] = [];
      for (const partId of found.data.parts) {
        const of = part.safeParse(await records.get(partId));
        if (!of.success) throw gone();
        events.push(...of.data.events);
      }
      return { reading: found.data, events };
    },
  };
}

function gone(): ArtworkError {
  return new ArtworkError(
    'not_found',
    'The reading that this cursor goes on with is not kept any more: it is kept for two days, on the machine that began it.',
  );
}
