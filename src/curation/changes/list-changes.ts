import { z } from 'zod';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, FeedName } from '../../catalogue/records/kinds.ts';
import { keyOfTarget } from '../../model/target.ts';
import { countOf } from '../../model/words.ts';
import type { OwnState } from '../../store/own.ts';
import type { ChangeLine, ChangesQuestion, Coverage } from './change.ts';
import {
  type ChangeEvent,
  type FeedReach,
  isOfAsset,
  momentOf,
  reachesTo,
  readFeed,
  spanOfTimes,
} from './feeds.ts';
import { type LineRead, lineOf, linesOf, type PlaceRead, rankOf, type Subject, subjectsOf } from './lines.ts';
import type { Naming } from './naming.ts';
import type { Whose } from './whose.ts';

/** What listing changes touches of the world. */
interface ListingParts {
  readonly lastAsked: LastAsked;
  readonly naming: Naming;
  whose(): Promise<Whose>;
  readPage<Feed extends FeedName>(feed: Feed, page: string | null): Promise<CataloguePage<FeedItem<Feed>>>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether the call has time for more reads. */
  hasTime(): boolean;
  progress(done: number, message: string): Promise<void>;
}

/** Where a page of an answer begins, as its cursor says it: the feeds are read anew for it. */
export const startOfPage = z.object({
  since: z.string(),
  until: z.string(),
  /** Rank of the first change that waits, and how many of the same rank have been told. */
  rank: z.number(),
  told: z.int().min(0),
});
export type StartOfPage = Readonly<z.output<typeof startOfPage>>;

interface ChangesListing {
  readonly asked: ChangesQuestion;
  /** ISO 8601; null: since this account last asked. */
  readonly since: string | null;
  /** What `next` of the page before said; null: the first page. */
  readonly start: StartOfPage | null;
  /** Whether a page has room for these lines; one change is told in any case. */
  fits(lines: readonly ChangeLine[]): boolean;
}

export interface ListedChanges {
  /** Changes then or later. */
  readonly since: string;
  readonly lines: readonly ChangeLine[];
  readonly coverage: Coverage;
  /** The `since` of a next call; only with the last page: all before it has been told by then. */
  readonly until: string | null;
  /** For the page that follows; null on the last one. */
  readonly next: StartOfPage | null;
  readonly warnings: readonly string[];
}

/** One call reads no more of the service's pages. */
const mostPages = 100;
/** Where this account has not asked yet, and no time is given. */
const usualSpan = 7 * 24 * 60 * 60_000;

/**
 * One page of what changed: both feeds are read, and everything that they have is told once, by lines that name it.
 * @throws ArtworkError why the service can't be read
 */
export async function readChanges(parts: ListingParts, listing: ChangesListing): Promise<ListedChanges> {
  const { asked, start } = listing;
  const last = start === null && listing.since === null ? await parts.lastAsked.read() : null;
  const since = start?.since ?? listing.since ?? last ?? new Date(parts.now() - usualSpan).toISOString();
  const first = last === null && start === null && listing.since === null ? [neverAsked] : [];
  const whose = await parts.whose();
  const warnings = [...first, ...whose.warnings];
  if (whose.isEmpty) {
    const coverage = { oldest: null, newest: null, complete: false };
    return { since, lines: [], coverage, until: null, next: null, warnings };
  }
  const { events, sets, assets } = await readFeeds(parts, Date.parse(since));
  const until = start?.until ?? untilOf([sets.newest, assets.newest], since, parts.now());
  const told = await tell(parts, listing, events, whose);
  const next = told.next === null ? null : { since, until, ...told.next };
  if (next === null) await parts.lastAsked.write(until);
  return {
    since,
    lines: told.lines,
    coverage: {
      // Of the two, the one that reaches less far says it.
      oldest: spanOfTimes([assets.oldest, sets.oldest]).last,
      newest: spanOfTimes([assets.newest, sets.newest]).last,
      complete: [assets, sets].every((reach) => reachesTo(reach, Date.parse(since))),
    },
    until: next === null ? until : null,
    next,
    warnings: [
      ...warnings,
      ...unnamedWords(asked, told.unnamed),
      ...reachWords('assets', assets, since),
      ...reachWords('sets', sets, since),
      ...oddWords(events, parts.naming),
    ],
  };
}

const neverAsked =
  'This account has not asked before: this is of the last seven days. Another time goes into since.';

/** Right after the newest change, so that the next call does not tell that one again. */
function untilOf(newest: readonly (string | null)[], since: string, now: number): string {
  const { last } = spanOfTimes(newest);
  return last === null ? since : new Date(Math.min(Date.parse(last), now) + 1).toISOString();
}

async function readFeeds(parts: ListingParts, since: number) {
  let taken = 0;
  const pages = {
    read: async <Feed extends FeedName>(feed: Feed, page: string | null) => {
      await parts.progress(taken, `pages of the feeds read`);
      return parts.readPage(feed, page);
    },
    takePage() {
      if (taken >= mostPages || !parts.hasTime()) return false;
      taken += 1;
      return true;
    },
    now: parts.now,
  };
  // Sets first: they are few, and tell whose the Assets are.
  const sets = await readFeed('sets', since, pages);
  const assets = await readFeed('assets', since, pages);
  return { events: [...sets.events, ...assets.events], sets: sets.reach, assets: assets.reach };
}

interface Told {
  readonly lines: readonly ChangeLine[];
  /** Where the next page begins; null: nothing waits to be told. */
  readonly next: Pick<StartOfPage, 'rank' | 'told'> | null;
  /** Changes that are left out, since nothing shows who made them. */
  readonly unnamed: number;
}

/** Changes that are named together: those of one Set mostly stand beside each other. */
const mostAtOnce = 40;

async function tell(
  parts: ListingParts,
  { asked, start, fits }: ChangesListing,
  events: readonly ChangeEvent[],
  whose: Whose,
): Promise<Told> {
  const isAsked = filterOf(asked);
  const subjects = subjectsOf(events.filter(isAsked));
  let at = start === null ? 0 : subjects.findIndex((one) => rankOf(one) <= start.rank) + start.told;
  if (start !== null && subjects.every((one) => rankOf(one) > start.rank)) at = subjects.length;
  let lines: readonly LineRead[] = [];
  let unnamed = 0;
  for (let most = mostAtOnce; at < subjects.length; ) {
    const some = subjects.slice(at, at + most);
    const held: LineRead[] = [];
    let left = 0;
    for await (const read of linesOf(some, events, parts.naming)) {
      const found = heldOf(read, whose, asked);
      left += found.unnamed;
      if (found.line.own.length + found.line.places.length > 0) held.push(found.line);
    }
    const all = joined([...lines, ...held]);
    if (!fits(all.map(lineOf)) && (lines.length > 0 || some.length > 1)) {
      most = Math.floor(some.length / 2);
      if (most === 0) break;
      continue;
    }
    [lines, unnamed, at] = [all, unnamed + left, at + some.length];
    await parts.progress(at, 'changes told');
    if (!parts.naming.hasRoom() || !parts.hasTime()) break;
  }
  return { lines: lines.map(lineOf), next: placeIn(subjects, at), unnamed };
}

function placeIn(subjects: readonly Subject[], at: number): Told['next'] {
  const first = subjects[at];
  if (first === undefined) return null;
  const rank = rankOf(first);
  return { rank, told: at - subjects.findIndex((one) => rankOf(one) === rank) };
}

/** What was named in several steps of one Set is one line. */
function joined(lines: readonly LineRead[]): LineRead[] {
  const found = new Map<unknown, LineRead>();
  for (const line of lines) {
    const key = line.set === null ? line : keyOfTarget(line.set);
    const before = found.get(key);
    const { own = [], places = [] } = before ?? {};
    found.set(key, { ...line, own: [...own, ...line.own], places: [...places, ...line.places] });
  }
  return [...found.values()];
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
  return { line, unnamed };
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

function filterOf({ changeType, slot }: ChangesQuestion): (event: ChangeEvent) => boolean {
  return (event) => {
    // A Set is neither replaced nor of a slot.
    if (!isOfAsset(event) && (slot !== null || changeType === 'replaced')) return false;
    if (isOfAsset(event) && slot !== null && event.slot !== slot) return false;
    if (changeType === null || event.change === changeType) return true;
    // The feeds call a replacement an update.
    return changeType === 'updated' && event.change === 'replaced';
  };
}

function unnamedWords({ createdBy }: ChangesQuestion, unnamed: number): string[] {
  if (createdBy === null || unnamed === 0) return [];
  return [
    `Of ${countOf(unnamed, 'change')} the service does not show who made it: left out here, and told without createdBy.`,
  ];
}

function reachWords(feed: FeedName, reach: FeedReach, since: string): string[] {
  const name = feed === 'assets' ? 'The feed of Assets' : 'The feed of Sets';
  if (reachesTo(reach, Date.parse(since))) return [];
  if (reach.state === 'gave_up' || reach.state === 'cut') {
    return [
      `${name} was not read as far back as was asked for: its pages lead in a circle, are more than one call reads, or are gone before they can be read.`,
    ];
  }
  return [
    reach.oldest === null
      ? `${name} shows no changes at all.`
      : `${name} reaches back to ${reach.oldest} only: what changed from ${since} until then may be missing.`,
  ];
}

function oddWords(events: readonly ChangeEvent[], { unread }: Naming): string[] {
  const untimed = events.filter((event) => momentOf(event) === null).length;
  return [
    untimed > 0 &&
      `${untimed} changes show no time that can be right: they are told whatever time was asked for.`,
    unread.size > 0 &&
      `Could not be read now, so that names are missing: ${[...unread].slice(0, 10).join(', ')}.`,
  ].filter((words) => words !== false);
}

const asked = z.object({ until: z.string() });

export type LastAsked = ReturnType<typeof keepLastAsked>;

/** Keeps up to when an account was told of changes, on this machine alone. */
export function keepLastAsked(state: OwnState) {
  return {
    /** ISO 8601; null where it has not asked yet. */
    read: async (): Promise<string | null> => asked.safeParse(await state.read()).data?.until ?? null,
    write: async (until: string): Promise<void> => {
      await state.update(() => ({ until }));
    },
  };
}
