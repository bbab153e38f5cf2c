import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, FeedName } from '../../catalogue/records/kinds.ts';
import { countOf } from '../../model/words.ts';
import type { ChangeLine, ChangesPage, ChangesQuestion } from './change.ts';
import {
  type ChangeEvent,
  type FeedPlace,
  fromTheBeginning,
  isOfAsset,
  momentOf,
  readFeedOn,
  spanOfTimes,
} from './feeds.ts';
import { keysOf, type LineRead, lineOf, linesOf, type PlaceRead } from './lines.ts';
import type { Naming } from './naming.ts';
import {
  coverageOf,
  coverageWarnings,
  type Looks,
  lateness,
  type Mark,
  type Readings,
  type StoredReading,
} from './readings.ts';
import type { Whose } from './whose.ts';

/** What listing changes touches of the world. */
interface ListingParts {
  readonly readings: Readings;
  readonly looks: Looks;
  readonly naming: Naming;
  whose(): Promise<Whose>;
  readPage<Feed extends FeedName>(feed: Feed, page: string | null): Promise<CataloguePage<FeedItem<Feed>>>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether the call has time for more reads. */
  hasTime(): boolean;
  progress(done: number, message: string): Promise<void>;
}

interface ChangesListing {
  readonly asked: ChangesQuestion;
  /** ISO 8601; null: since the last look that was acknowledged. */
  readonly since: string | null;
  /** What `next` of the page before said; null: a new reading. */
  readonly cursor: string | null;
  /** Whether a page has room for these lines; one line is told in any case. */
  fits(lines: readonly ChangeLine[]): boolean;
}

export interface ListedChanges extends ChangesPage {
  /** For the page that follows; null on the last one. */
  readonly next: string | null;
  /** Whether `since` is that of an earlier look. */
  readonly sinceLook: boolean;
}

/** One call reads no more of the service's pages. */
const mostPages = 20;
/** Where nothing was acknowledged yet, and no time is given. */
const usualSpan = 7 * 24 * 60 * 60_000;

/**
 * One page of what changed: both feeds are read on where that is needed, everything is told once, by lines that name
 * it. What is read and told is kept between the pages.
 * @throws ArtworkError `not_found` for a cursor whose reading is not kept any more; why the service can't be read
 */
export async function readChanges(parts: ListingParts, listing: ChangesListing): Promise<ListedChanges> {
  const { cursor } = listing;
  const found = cursor === null ? await begin(parts, listing) : await parts.readings.find(cursor);
  const whose = await parts.whose();
  // Nothing was looked at then, so that nothing can have been seen.
  if (whose.isEmpty) return pageOf(found.reading, whose.warnings);
  const read = await readFeeds(parts, found.reading, found.events);
  const told = await tell(parts, listing, read.reading, read.events, whose);
  const reading: StoredReading = { ...read.reading, done: [...read.reading.done, ...told.keys] };
  const isLast = told.isAll && !isReading(reading);
  const next = isLast ? null : await parts.readings.keep(reading);
  const until = isLast ? await offer(parts, reading, read.events) : null;
  const warnings = [
    ...whose.warnings,
    ...unnamedWords(reading.asked, told.unnamed),
    ...coverageWarnings(reading, read.events, parts.naming),
  ];
  return { ...pageOf(reading, warnings), lines: told.lines, until, next };
}

function unnamedWords({ createdBy }: ChangesQuestion, unnamed: number): string[] {
  if (createdBy === null || unnamed === 0) return [];
  return [
    `Of ${countOf(unnamed, 'change')} the service does not show who made it: left out here, and told without createdBy.`,
  ];
}

function pageOf(reading: StoredReading, warnings: readonly string[]): ListedChanges {
  const { asked, since, sinceLook } = reading;
  const coverage = coverageOf(reading);
  return { asked, since, sinceLook, lines: [], coverage, until: null, next: null, warnings };
}

interface Read {
  readonly reading: StoredReading;
  readonly events: readonly ChangeEvent[];
}

async function begin({ looks, now }: ListingParts, { asked, since }: ChangesListing): Promise<Read> {
  const mark = since === null ? await looks.last(asked) : null;
  const usual = new Date(now() - usualSpan).toISOString();
  const from = since ?? mark?.until ?? usual;
  return {
    reading: {
      asked,
      since: from,
      sinceLook: mark !== null,
      from: mark?.from ?? { assets: Date.parse(from), sets: Date.parse(from) },
      before: [...(mark?.told ?? [])],
      feeds: { assets: fromTheBeginning, sets: fromTheBeginning },
      parts: [],
      done: [],
    },
    events: [],
  };
}

/** Reads on until both feeds reach back far enough, or the call has read its share. */
async function readFeeds(
  parts: ListingParts,
  reading: StoredReading,
  before: readonly ChangeEvent[],
): Promise<Read> {
  if (!isReading(reading)) return { reading, events: before };
  const known = new Set(before.map(({ key }) => key));
  let taken = 0;
  const pages = {
    read: async <Feed extends FeedName>(feed: Feed, page: string | null) => {
      await parts.progress(taken, `pages of the feeds read`);
      return parts.readPage(feed, page);
    },
    takePage: () => {
      if (taken >= mostPages || !parts.hasTime()) return false;
      taken += 1;
      return true;
    },
    now: parts.now,
  };
  // Sets first: they are few, and tell whose the Assets are.
  const sets = await readFeedOn('sets', reading.feeds.sets, { since: reading.from.sets, known, pages });
  const { assets: since } = reading.from;
  const assets = await readFeedOn('assets', reading.feeds.assets, { since, known, pages });
  const fresh = [...sets.events, ...assets.events];
  const kept = await parts.readings.keepEvents(fresh);
  const feeds = { assets: assets.place, sets: sets.place };
  return {
    reading: { ...reading, feeds, parts: [...reading.parts, ...kept] },
    events: [...before, ...fresh],
  };
}

function isReading({ feeds }: StoredReading): boolean {
  return feeds.assets.state === 'reading' || feeds.sets.state === 'reading';
}

interface Told {
  readonly lines: readonly ChangeLine[];
  readonly keys: readonly string[];
  /** Nothing waits to be told. */
  readonly isAll: boolean;
  /** Changes that are left out, since nothing shows who made them. */
  readonly unnamed: number;
}

async function tell(
  parts: ListingParts,
  { fits }: ChangesListing,
  { asked, before, done }: StoredReading,
  events: readonly ChangeEvent[],
  whose: Whose,
): Promise<Told> {
  const passed = new Set([...before, ...done]);
  const waiting = events.filter(({ key }) => !passed.has(key));
  const isAsked = filterOf(asked);
  let lines: readonly ChangeLine[] = [];
  let unnamed = 0;
  const keys: string[] = [];
  const wanted = waiting.filter((event) => !('set' in event && leavesOutSets(asked)) && isAsked(event));
  for await (const read of linesOf(wanted, events, parts.naming)) {
    const held = heldOf(read, whose, asked);
    unnamed += held.unnamed;
    keys.push(...held.passed);
    const added = addParts(lines, held.line, fits);
    lines = added.lines;
    keys.push(...added.keys);
    if (!added.isWhole) return { lines, keys, isAll: false, unnamed };
    await parts.progress(keys.length, 'changes told');
    if (!parts.naming.hasRoom() || !parts.hasTime())
      return { lines, keys, isAll: keys.length >= wanted.length, unnamed };
  }
  return { lines, keys, isAll: true, unnamed };
}

/** What of it is asked for: each change by itself, since others change the same works. */
function heldOf(read: LineRead, whose: Whose, { createdBy }: ChangesQuestion) {
  let unnamed = 0;
  const isHeld = (place: PlaceRead | null): boolean => {
    if (!whose.holds({ ...read, place })) return false;
    const by = read.createdBy ?? whose.creator;
    if (createdBy === null) return true;
    if (by === null) unnamed += 1;
    return by !== null && isSameName(by, createdBy);
  };
  const places = read.places.filter(isHeld);
  const own = read.own.length > 0 && isHeld(null) ? read.own : [];
  const line: LineRead = { ...read, createdBy: read.createdBy ?? whose.creator, own, places };
  const told = new Set(keysOf(line));
  return { line, passed: keysOf(read).filter((key) => !told.has(key)), unnamed };
}

/** People write a name as they hear it: `Quiet Reel` for `quiet.reel`. */
function isSameName(one: string, other: string): boolean {
  const plain = (name: string) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  return plain(one) === plain(other) && (plain(one) !== '' || one === other);
}

interface Added {
  readonly lines: readonly ChangeLine[];
  /** Of the events that are told. */
  readonly keys: readonly string[];
  /** False: the rest of it waits for the next page. */
  readonly isWhole: boolean;
}

/** Adds as many of its places as fit; one in any case where there is no line yet, so that paging moves on. */
function addParts(lines: readonly ChangeLine[], read: LineRead, fits: ChangesListing['fits']): Added {
  if (read.own.length + read.places.length === 0) return { lines, keys: [], isWhole: true };
  const upTo = (count: number): LineRead => ({ ...read, places: read.places.slice(0, count) });
  const withLine = (count: number): readonly ChangeLine[] => {
    const line = lineOf(upTo(count));
    const at = lines.findIndex((other) => isAlike(other, line));
    return at < 0
      ? [...lines, line]
      : lines.map((other, index) => (index === at ? together(other, line) : other));
  };
  const least = read.own.length > 0 ? 0 : 1;
  let [some, all] = [least - 1, read.places.length];
  // The most that fit: more take more room.
  while (some < all) {
    const middle = Math.ceil((some + all) / 2);
    if (fits(withLine(middle))) some = middle;
    else all = middle - 1;
  }
  const count = lines.length === 0 ? Math.max(some, least) : some;
  if (count < least) return { lines, keys: [], isWhole: false };
  return { lines: withLine(count), keys: keysOf(upTo(count)), isWhole: count === read.places.length };
}

/** Assets of one creator that stand in no Set are one line. */
function isAlike(line: ChangeLine, other: ChangeLine): boolean {
  return (
    line.set === null && other.set === null && line.createdBy !== null && line.createdBy === other.createdBy
  );
}

function together(line: ChangeLine, other: ChangeLine): ChangeLine {
  const labelled = ({ of, places }: ChangeLine) =>
    places.map((place) => (of === null ? place : { ...place, label: of.title ?? `${of.kind} ${of.id}` }));
  const span = spanOfTimes([line.firstAt, line.lastAt, other.firstAt, other.lastAt]);
  const places = [...labelled(line), ...labelled(other)];
  return { ...line, of: null, firstAt: span.first, lastAt: span.last, places };
}

/** A Set is neither replaced nor of a slot. */
function leavesOutSets({ changeType, slot }: ChangesQuestion): boolean {
  return slot !== null || changeType === 'replaced';
}

function filterOf({ changeType, slot }: ChangesQuestion): (event: ChangeEvent) => boolean {
  return (event) => {
    if (slot !== null && !(isOfAsset(event) && event.slot === slot)) return false;
    if (changeType === null || event.change === changeType) return true;
    // The feeds call a replacement an update.
    return changeType === 'updated' && event.change === 'replaced';
  };
}

/** Keeps up to where all was told, for the look that acknowledges it. */
async function offer(
  { looks, now }: ListingParts,
  { asked, since, feeds, from }: StoredReading,
  events: readonly ChangeEvent[],
): Promise<string> {
  const upTo = ({ newest }: FeedPlace) =>
    newest === null ? null : new Date(Math.min(Date.parse(newest), now())).toISOString();
  const [assets, sets] = [upTo(feeds.assets), upTo(feeds.sets)];
  const until = spanOfTimes([assets, sets]).last ?? since;
  const again = (feed: FeedName, time: string | null) =>
    time === null ? from[feed] : Math.max(from[feed], Date.parse(time) - lateness);
  const next = { assets: again('assets', assets), sets: again('sets', sets) };
  const comesAgain = (event: ChangeEvent) => {
    const moment = momentOf(event);
    return moment === null || moment >= next[isOfAsset(event) ? 'assets' : 'sets'];
  };
  const mark: Mark = {
    ...{ until, from: next, ...asked },
    told: events.filter(comesAgain).map(({ key }) => key),
  };
  await looks.offer(mark);
  return until;
}
