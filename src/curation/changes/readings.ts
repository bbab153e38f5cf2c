import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FeedName } from '../../catalogue/records/kinds.ts';
import { ArtworkError } from '../../errors.ts';
import type { OwnRecords, OwnState } from '../../storage/records.ts';
import { type ChangesQuestion, type Coverage, scopes } from './change.ts';
import {
  type ChangeEvent,
  changeEvent,
  type FeedPlace,
  feedPlace,
  momentOf,
  reachesTo,
  spanOfTimes,
} from './feeds.ts';
import type { Naming } from './naming.ts';

// A reading is kept between the calls that page through it: what was told must not come again, a chain can be told
// whole only by one who has all of it, and a long feed takes more than one call to read. It is no cache: of the seed's
// feeds, which are read in 0.4 s, a later page comes 0.15 s sooner by it. Records never change; each page writes where
// it stands as a new one.

const part = z.object({ events: z.array(changeEvent) });

const question = z.object({
  scope: z.enum(scopes),
  changeType: z.string().nullable(),
  slot: z.string().nullable(),
  // Earlier versions did not ask by creator.
  createdBy: z.string().nullable().default(null),
});

const reading = z.object({
  asked: question,
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

export type Readings = ReturnType<typeof keepFeedReadings>;

/** Well below what a record can hold. */
const perPart = 5_000;

/** Long enough to go on tomorrow. */
const keptForMs = 2 * 24 * 60 * 60_000;

/** Keeps how far the feeds were read, and the events that were read, for the next page of changes. */
export function keepFeedReadings(records: OwnRecords) {
  return {
    /** @returns the ids */
    async keepEvents(events: readonly ChangeEvent[]): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let at = 0; at < events.length; at += perPart) {
        const id = randomUUID();
        await records.set(id, { events: events.slice(at, at + perPart) }, keptForMs);
        ids.push(id);
      }
      return ids;
    },
    /** @returns the id */
    async keep(now: StoredReading): Promise<string> {
      const id = randomUUID();
      await records.set(id, now, keptForMs);
      return id;
    },
    /** @throws ArtworkError `not_found` */
    async find(id: string) {
      const found = reading.safeParse(await records.get(id));
      if (!found.success) throw gone();
      const events: ChangeEvent[] = [];
      for (const partId of found.data.parts) {
        const of = part.safeParse(await records.get(partId));
        if (!of.success) throw gone();
        events.push(...of.data.events);
      }
      const kept: StoredReading = found.data;
      return { reading: kept, events };
    },
  };
}

function gone(): ArtworkError {
  return new ArtworkError(
    'not_found',
    'The reading that this cursor goes on with is not kept any more: it is kept for two days, on the machine that began it.',
  );
}

/** How far back both feeds were seen to reach: of the two, the one that reaches less far says it. */
export function coverageOf({ feeds, from }: StoredReading): Coverage {
  return {
    oldest: spanOfTimes([feeds.assets.oldest, feeds.sets.oldest]).last,
    newest: spanOfTimes([feeds.assets.newest, feeds.sets.newest]).last,
    complete: reachesTo(feeds.assets, from.assets) && reachesTo(feeds.sets, from.sets),
  };
}

/** What has to be known beside the lines, in sentences. */
export function coverageWarnings(
  { feeds, from, since }: StoredReading,
  events: readonly ChangeEvent[],
  naming: Naming,
): string[] {
  const untimed = events.filter((event) => momentOf(event) === null).length;
  return [
    wordsOf('assets', feeds.assets, from.assets, since),
    wordsOf('sets', feeds.sets, from.sets, since),
    untimed > 0 &&
      `${untimed} changes show no time that can be right: they are told whatever time was asked for.`,
    naming.unread.size > 0 &&
      `Could not be read now, so that names are missing: ${[...naming.unread].slice(0, 10).join(', ')}.`,
  ].filter((words) => words !== false);
}

function wordsOf(feed: FeedName, place: FeedPlace, from: number, since: string): string | false {
  const name = feed === 'assets' ? 'The feed of Assets' : 'The feed of Sets';
  if (place.state === 'gave_up') {
    return `${name} was not read as far back as was asked for: its pages lead in a circle, hold more than any feed of recent changes, or are gone before they can be read.`;
  }
  if (place.state !== 'ended' || reachesTo(place, from)) return false;
  return place.oldest === null
    ? `${name} shows no changes at all.`
    : `${name} reaches back to ${place.oldest} only: what changed from ${since} until then may be missing.`;
}

/** Up to where something has been told, of each feed: one may be quiet for long while the other is not. */
const mark = question.extend({
  /** As the answer gives it. */
  until: z.string(),
  /** From when on each feed is read the next time, milliseconds since 1970: some time is read once more. */
  from: z.object({ assets: z.number(), sets: z.number() }),
  /** What was told of the time that is read once more, by its keys. */
  told: z.array(z.string()),
});

export type Mark = Readonly<z.output<typeof mark>>;

const stored = z.object({
  /** What was answered, until it is acknowledged: the newest last. */
  offered: z.array(mark),
  /** One for each way of asking. */
  seen: z.array(mark),
});

type Stored = z.output<typeof stored>;

/** How late a feed may show something, in milliseconds: for so long before its newest change it is read once more. */
export const lateness = 60 * 60_000;

const mostOffered = 20;
const mostSeen = 50;
const mostTold = 5_000;

export type Looks = ReturnType<typeof keepLastLooks>;

/** Keeps up to when a person has looked at what changed, in this user's own state, of one service on this machine. */
export function keepLastLooks(state: OwnState) {
  return {
    /** The newest that was acknowledged and told all that is asked for now; null: none was. */
    async last(asked: ChangesQuestion): Promise<Mark | null> {
      const { seen } = looksOf(await state.read());
      const covering = seen.filter((one) => covers(one, asked));
      return covering.sort((one, other) => Date.parse(other.until) - Date.parse(one.until))[0] ?? null;
    },
    /** Keeps what an answer has told, so that it can be acknowledged. */
    async offer(given: Mark): Promise<void> {
      const offered = { ...given, told: given.told.slice(-mostTold) };
      await state.update((now) => {
        const looks = looksOf(now);
        const others = looks.offered.filter(
          (one) => !(isAskedAlike(one, offered) && one.until === offered.until),
        );
        return { ...looks, offered: [...others, offered].slice(-mostOffered) };
      });
    },
    /** All answers up to this have been seen. @throws ArtworkError `invalid_arguments` for a time that is still to come */
    async acknowledge(until: string, asked: ChangesQuestion, now: number): Promise<void> {
      const moment = Date.parse(until);
      await state.update((value) => {
        const looks = looksOf(value);
        const meant = looks.offered.filter((one) => Date.parse(one.until) === moment);
        // What an answer offered had passed then: only the clock of this machine can have gone back.
        if (meant.length === 0 && moment > now) throw stillToCome(now);
        const plain = { until, from: { assets: moment, sets: moment }, told: [], ...asked };
        const marks: readonly Mark[] = meant.length > 0 ? meant : [plain];
        return { ...looks, seen: marks.reduce(withSeen, looks.seen) };
      });
    },
  };
}

/** A person may have gone back on purpose: the latest word stands. */
function withSeen(seen: readonly Mark[], next: Mark): Mark[] {
  const others = seen.filter((one) => !isAskedAlike(one, next));
  return [...others, next].slice(-mostSeen);
}

/** Whether what was told for the one holds all that the other asks for. */
function covers(one: Mark, asked: ChangesQuestion): boolean {
  const holds = (mine: string | null, its: string | null) => mine === null || mine === its;
  return (
    (one.scope === 'all' || one.scope === asked.scope) &&
    holds(one.changeType, asked.changeType) &&
    holds(one.slot, asked.slot) &&
    holds(one.createdBy, asked.createdBy)
  );
}

function isAskedAlike(one: ChangesQuestion, other: ChangesQuestion): boolean {
  return (
    one.scope === other.scope &&
    one.changeType === other.changeType &&
    one.slot === other.slot &&
    one.createdBy === other.createdBy
  );
}

function looksOf(value: unknown): Stored {
  if (value === undefined) return { offered: [], seen: [] };
  const parsed = stored.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ArtworkError(
    'internal',
    'What was seen of the changes is damaged in the store: restore the whole data folder from a backup.',
    { code: 'store_unreadable' },
  );
}

function stillToCome(now: number): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    `seenUntil lies in the future: hand back the until of an answer, or a time that has passed. Today is ${new Date(now).toISOString().slice(0, 10)}.`,
    { issues: [{ code: 'seenUntil', message: 'is still to come', path: ['seenUntil'] }] },
  );
}
