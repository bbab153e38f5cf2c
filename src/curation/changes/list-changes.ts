import { z } from 'zod';
import type { Deadline } from '../../deadline.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { keyOfTarget } from '../../model/target.ts';
import type { NamedCatalogue } from '../../model/target-names.ts';
import { keyOf, termsOf } from '../find/terms.ts';
import { type ChangeEvent, type FeedPages, reachesTo, readFeed, spanOfTimes } from './feeds.ts';
import { createNaming, type NamedChange, readsAtOnce, type Subject } from './name-changes.ts';
import type { keepLastAsked } from './watches.ts';
import type { Whose } from './whose.ts';

/** Where a page of an answer begins: the feeds are read anew for it. */
export const startOfPage = z.object({ since: z.string(), until: z.string(), told: z.int().min(0) });

export interface ChangesQuestion {
  /** ISO 8601; null: since this account last asked. */
  readonly since: string | null;
  /** `added`, `replaced`, `updated` (replacements too, as the feeds have it), or the service's own word. */
  readonly changeType: string | null;
  readonly slot: string | null;
  /** The name of a creator, as people write it. */
  readonly createdBy: string | null;
  /** What `next` of the page before said; null: the first page. */
  readonly start: z.output<typeof startOfPage> | null;
  /** Most changes of a page. */
  readonly limit: number;
}

interface Parts {
  readonly catalogue: Pick<NamedCatalogue, 'readEntity' | 'readSet' | 'nameOf'>;
  readonly pages: FeedPages;
  readonly lastAsked: ReturnType<typeof keepLastAsked>;
  readonly whose: Whose;
  readonly deadline: Deadline;
  /** Whether the call has time for more reads. */
  hasTime(): boolean;
}

/** Where this account has not asked yet, and no time is given, ms. */
const usualSpan = 7 * 24 * 60 * 60_000;
/** Changes that are named before it is looked whether there is time for more; so few don't fill a page. */
const step = 20;

/**
 * One page of what changed, by creator and target, each change with its own time: both feeds are read, and what they
 * have is told once, the latest first. Where little that is asked for was found yet, it goes on until its time is over.
 * @throws ArtworkError why the service can't be read
 */
export async function listChanges(parts: Parts, asked: ChangesQuestion) {
  const { whose, pages, lastAsked } = parts;
  const { start } = asked;
  const last = start === null && asked.since === null ? await lastAsked.read() : null;
  const since = start?.since ?? asked.since ?? last ?? new Date(pages.now() - usualSpan).toISOString();
  const isFirst = last === null && start === null && asked.since === null;
  const warnings = [...(isFirst ? [neverAsked] : []), ...whose.warnings];
  if (whose.isEmpty) {
    const coverage = { oldest: null, newest: null, complete: false };
    return { since, data: [], coverage, until: null, next: null, warnings };
  }
  const moment = Date.parse(since);
  // Sets first: they are few, and tell whose the Assets are.
  const sets = await readFeed('sets', moment, pages);
  const assets = await readFeed('assets', moment, pages);
  const reaches = [assets.reach, sets.reach];
  const { newest } = spanOfTimes(reaches.map((reach) => reach.newest));
  // Right after the newest change, so that the next call does not tell that one again.
  const latest =
    newest === null ? since : new Date(Math.min(Date.parse(newest), pages.now()) + 1).toISOString();
  const until = start?.until ?? latest;
  const subjects = subjectsOf([...sets.events, ...assets.events].filter(filterOf(asked)), until);

  const naming = createNaming(parts.catalogue, parts.deadline, sets.events);
  const told: NamedChange[] = [];
  const hasRoomFor = roomOf(asked.limit);
  let [passed, unnamed, isFull] = [start?.told ?? 0, 0, false];
  while (passed < subjects.length && !isFull) {
    for (const change of await mapLimit(subjects.slice(passed, passed + step), readsAtOnce, naming.name)) {
      const { createdBy } = change.about;
      const isBy = asked.createdBy === null || plainName(createdBy ?? '') === plainName(asked.createdBy);
      if (whose.holds(change.about)) {
        isFull = isBy && !hasRoomFor(change);
        if (isFull) break;
        if (isBy) told.push(change);
        if (asked.createdBy !== null && createdBy === null) unnamed += 1;
      }
      passed += 1;
    }
    isFull ||= !parts.hasTime() || (told.length >= step && !naming.hasRoom());
  }
  const next = passed < subjects.length ? { since, until, told: passed } : null;
  if (next === null) await lastAsked.write(until);
  const complete = reaches.every((reach) => reachesTo(reach, moment));
  return {
    since,
    data: byCreator(told),
    // Of the two, the one that reaches less far says it.
    coverage: { oldest: spanOfTimes(reaches.map(({ oldest }) => oldest)).newest, newest, complete },
    until: next === null ? until : null,
    next,
    warnings: [
      ...warnings,
      ...(unnamed > 0
        ? [`${unnamed} of the changes are left out, since the service does not show who made them.`]
        : []),
      ...(complete ? [] : [shortReach(since)]),
    ],
  };
}

const neverAsked =
  'This account has not asked before, so these are the last seven days. For another time, give since.';

function shortReach(since: string): string {
  return `Changes may be missing: the feeds could not be read back to ${since}. \`coverage\` says how far back they go.`;
}

function filterOf({ changeType, slot }: ChangesQuestion): (event: ChangeEvent) => boolean {
  return (event) => {
    // A Set is neither replaced nor of a slot.
    if (event.of === 'set' && (slot !== null || changeType === 'replaced')) return false;
    if (event.of === 'asset' && slot !== null && event.slot !== slot) return false;
    // The feeds call a replacement an update.
    return [null, event.what, ...(event.what === 'replaced' ? ['updated'] : [])].includes(changeType);
  };
}

/** What all spellings of a name share: people write `Quiet Reel` for `quiet.reel`. */
function plainName(name: string): string {
  return keyOf(termsOf(name)) || name;
}

/** The latest first; what shows no time before all others. Nothing that came after `until`, so that pages fit together. */
function subjectsOf(events: readonly ChangeEvent[], until: string): Subject[] {
  // Two Sets may each have a picture of one target and slot: what has replaced what belongs together.
  const successors = new Map(
    events.flatMap((event) =>
      event.of === 'set' || event.previousAssetId === null ? [] : [[event.previousAssetId, event.assetId]],
    ),
  );
  const latestOf = (id: string): string => {
    const met = new Set<string>();
    let found = id;
    // Other people write the feed: what replaces itself has no end.
    while (!met.has(found)) {
      met.add(found);
      found = successors.get(found) ?? found;
    }
    return found;
  };
  const placeOf = (event: ChangeEvent): string =>
    event.of === 'set'
      ? keyOfTarget(event.set)
      : `${keyOfTarget(event.target)} ${event.slot} ${latestOf(event.assetId)}`;
  const rank = ({ newest }: Subject) => (newest === null ? Number.POSITIVE_INFINITY : Date.parse(newest));
  return [...groupedBy(events, placeOf).values()]
    .map((group) => {
      const inTime = [...group].sort(
        (one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? '') || 0,
      );
      return { events: inTime, newest: spanOfTimes(group.map(({ at }) => at)).newest };
    })
    .filter(({ newest }) => newest === null || Date.parse(newest) < Date.parse(until))
    .sort((one, other) => (rank(other) === rank(one) ? 0 : rank(other) - rank(one)));
}

/** Characters of JSON for the changes of a page. */
const pageBudget = 13_000;

/** Whether a page has room for one more change, which is counted then; the first one always has it. */
function roomOf(limit: number) {
  const targets = new Set<string>();
  let [room, count] = [pageBudget, 0];
  return ({ about, target, changes }: NamedChange): boolean => {
    const key = `${about.createdBy} ${keyOfTarget(target)}`;
    const head = targets.has(key) ? 0 : JSON.stringify(target).length + 60;
    const size = JSON.stringify(changes).length + head;
    if (count > 0 && (size > room || count >= limit)) return false;
    targets.add(key);
    room -= size;
    count += changes.length;
    return true;
  };
}

function byCreator(told: readonly NamedChange[]) {
  return [...groupedBy(told, ({ about }) => about.createdBy)].map(([by, all]) => ({
    by,
    targets: [...groupedBy(all, ({ target }) => keyOfTarget(target)).values()].map((group) => ({
      ...group[0]?.target,
      changes: group.flatMap(({ changes }) => changes),
    })),
  }));
}
