import { joinRunsOfLabels } from '../gaps.ts';
import { groupedBy } from '../../grouped-by.ts';
import { countOf } from '../words.ts';
import { type AssetEvent, momentOf } from './feeds.ts';

/** A thing of the catalogue as people call it. */
export interface NamedTarget {
  readonly kind: string;
  readonly id: number;
  /** Other people's writing, cleaned, on one line and short; null: no read has shown it. */
  readonly title: string | null;
}

/** All that happened in one place (target and slot), as one: first and last, with how many between. */
export interface PlaceChange {
  /** By the first of its changes: `added`, `replaced`, `updated` (its language or edition), or the service's own word. */
  readonly change: string;
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
  /** S01E03, S01, a title where the line is of several works; empty for what the line itself is of. */
  readonly label: string;
  /** How often it was replaced. */
  readonly replacements: number;
  /** Further changes between the first and the last. */
  readonly between: number;
  /** ISO 8601, as the service gave them; null: it gave none that can be read. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** What stood there before the first replacement; null: nothing. No read of the feeds or Sets shows its path. */
  readonly before: { readonly assetId: string } | null;
  /** Its path is root-relative; null: nothing tells it. */
  readonly after: { readonly assetId: string; readonly path: string | null };
}

/** What changed in one Set or, of Assets that stand in none, of one creator: one line of an answer. */
export interface ChangeLine {
  /** Null: the Assets stand in none, or nothing shows in which. */
  readonly set: NamedTarget | null;
  /** What the feed of Sets says of the Set itself: `added`, `updated`, its own word; null: nothing. */
  readonly setChange: string | null;
  /** What the artwork is for: the work of the Set, else the target itself; null: of several, or nothing tells it. */
  readonly of: NamedTarget | null;
  /** The creator's name; null: nothing shows it. */
  readonly by: string | null;
  /** When the last and the first of it changed. */
  readonly lastAt: string | null;
  readonly firstAt: string | null;
  /** In the order of seasons and episodes; of several works one after the other. */
  readonly places: readonly PlaceChange[];
}

export const scopes = ['mine', 'watched', 'followed', 'all'] as const;
export type Scope = (typeof scopes)[number];

/** What is asked for; `null` leaves nothing out. */
export interface ChangesQuestion {
  readonly scope: Scope;
  /** `replaced`, `added`, `updated` (replacements too, as the feeds have it), or the service's own word. */
  readonly changeType: string | null;
  readonly slot: string | null;
}

export interface Coverage {
  /** Times of the oldest and the newest change that the feeds were seen to have. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /** The feeds were seen to reach back to the time asked for. False: older ones may have left them. */
  readonly complete: boolean;
}

/** One page of an answer. */
export interface ChangesPage {
  readonly asked: ChangesQuestion;
  /** Changes then or later. */
  readonly since: string;
  readonly lines: readonly ChangeLine[];
  readonly coverage: Coverage;
  /** Only with the last page: what it stands for has been told whole by then. */
  readonly until: string | null;
  readonly warnings: readonly string[];
}

/** What happened in one place, the oldest first. */
export interface PlaceEvents {
  readonly key: string;
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
  readonly events: readonly AssetEvent[];
  /** What stands there now, as far as the events tell. */
  readonly last: AssetEvent;
  /** Milliseconds; null where none of them shows a time. */
  readonly newest: number | null;
}

/**
 * Groups the events of Assets by the places that they were in: two Sets may each have a picture of one target and
 * slot, so chains are kept apart.
 */
export function placesOf(events: readonly AssetEvent[]): PlaceEvents[] {
  const byPlace = groupedBy(events, ({ target, slot }) => `${target.kind} ${target.id} ${slot}`);
  return [...byPlace].flatMap(([key, there]) => chainsOf(there).map((chain) => placeOf(key, chain)));
}

/** Events of one Asset and of what has replaced it belong together, however often. */
function chainsOf(events: readonly AssetEvent[]): AssetEvent[][] {
  // Each Asset leads to another of its chain, in the end to the one that stands for the chain.
  const leads = new Map<string, string>();
  const chainOf = (assetId: string): string => {
    let id = assetId;
    for (let next = leads.get(id); next !== undefined && next !== id; next = leads.get(id)) {
      leads.set(id, leads.get(next) ?? next);
      id = next;
    }
    return id;
  };
  for (const { assetId, previousAssetId } of events) {
    const own = chainOf(assetId.toLowerCase());
    if (previousAssetId !== null) leads.set(chainOf(previousAssetId.toLowerCase()), own);
  }
  return [...groupedBy(events, ({ assetId }) => chainOf(assetId.toLowerCase())).values()];
}

function placeOf(key: string, chain: readonly AssetEvent[]): PlaceEvents {
  const events = inTime(chain);
  const [first] = events;
  if (first === undefined) throw new TypeError('A chain has at least one event.');
  const replaced = new Set(events.map(({ previousAssetId }) => previousAssetId?.toLowerCase()));
  // Where the chain leads in a circle, time decides.
  const last =
    events.findLast(({ assetId }) => !replaced.has(assetId.toLowerCase())) ?? events.at(-1) ?? first;
  const moments = events.map(momentOf).filter((moment) => moment !== null);
  return {
    key: `${key} ${last.assetId.toLowerCase()}`,
    target: first.target,
    slot: first.slot,
    events,
    last,
    newest: moments.length === 0 ? null : Math.max(...moments),
  };
}

/** By their times; what shows none stays where it stands. */
function inTime(chain: readonly AssetEvent[]): AssetEvent[] {
  return [...chain].sort((one, other) => {
    const [first, second] = [momentOf(one), momentOf(other)];
    return first === null || second === null ? 0 : first - second;
  });
}

/**
 * What changed in a place, from its events together.
 * @param label what tells the place from the others of its line
 * @param path of what stands there now
 */
export function placeChange(place: PlaceEvents, label: string, path: string | null): PlaceChange {
  const { events, last, target, slot } = place;
  const times = events.flatMap(({ at }) => (at === null ? [] : [at]));
  const replacements = events.filter(({ previousAssetId }) => previousAssetId !== null);
  const { previousAssetId = null } = replacements[0] ?? {};
  return {
    change: changeOf(events),
    target,
    slot,
    label,
    replacements: replacements.length,
    between: Math.max(0, events.length - 2),
    firstAt: times[0] ?? null,
    lastAt: times.at(-1) ?? null,
    before: previousAssetId === null ? null : { assetId: previousAssetId },
    after: { assetId: last.assetId, path },
  };
}

/** What was added within the time that is asked for was added, whatever else came after. */
function changeOf(events: readonly AssetEvent[]): string {
  const words = events.map(({ change }) => change);
  if (words.includes('added')) return 'added';
  return words.includes('replaced') ? 'replaced' : (words[0] ?? 'updated');
}

/**
 * What changed, for a person: `replaced: poster (3 times: first 2026-11-16, last 2026-11-20, 1 between), titlecard of
 * S01E03–E05`. What changed alike stands together; what was added and has been replaced since then is told twice.
 * @param known a change that need not be said, since nothing else was asked for
 */
export function wordsOfChange(
  { places, setChange }: Pick<ChangeLine, 'places' | 'setChange'>,
  known: string | null = null,
): string {
  const parts = [...groupedBy(places, ({ change }) => change)].map(
    ([change, all]) =>
      (change === known ? '' : `${change}: `) +
      slotsOf(all, change === 'added' ? () => '' : chainOf).join('; '),
  );
  const since = places.filter(({ change, replacements }) => change === 'added' && replacements > 0);
  if (since.length > 0) {
    parts.push(
      `${countOf(since.length, 'picture')} replaced since then: ${slotsOf(since, chainOf).join('; ')}`,
    );
  }
  if (setChange === 'added') parts.unshift('new Set');
  else if (parts.length === 0) parts.push(`the Set itself ${setChange ?? 'updated'}`);
  return parts.join('; ');
}

/** Slots of the same places and with the same chain are named together. */
function slotsOf(places: readonly PlaceChange[], chain: typeof chainOf): string[] {
  const bySlot = groupedBy(places, ({ slot }) => slot);
  const told = groupedBy(bySlot, ([, all]) => `${placeWords(all)}${chain(all)}`);
  return [...told].map(([rest, slots]) => slots.map(([slot]) => slot).join(', ') + rest);
}

function placeWords(places: readonly PlaceChange[]): string {
  const labels = joinRunsOfLabels(places.map(({ label }) => label).filter((label) => label !== ''));
  if (labels.length === 0) return '';
  const whole = places.some(({ label }) => label === '') ? ['the work'] : [];
  return ` of ${[...whole, ...labels].join(', ')}`;
}

/** First and last of what was replaced more than once, and how many between. */
function chainOf(places: readonly PlaceChange[]): string {
  const most = Math.max(...places.map(({ replacements }) => replacements));
  const [only] = places;
  if (most < 2 || only === undefined) return '';
  if (places.length > 1) return ` (up to ${most} times)`;
  // The first of these times is that of its addition.
  if (only.change === 'added') return ` (${most} times)`;
  const span = `first ${dayOf(only.firstAt)}, last ${dayOf(only.lastAt)}`;
  return ` (${most} times: ${span}${only.between === 0 ? '' : `, ${only.between} between`})`;
}

function dayOf(time: string | null): string {
  return time === null ? 'at no known time' : time.slice(0, 10);
}
