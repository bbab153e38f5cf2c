import { groupedBy } from '../../grouped-by.ts';
import { keyOfPlace } from '../../model/target.ts';
import { type AssetEvent, momentOf } from './feeds.ts';

/** A thing of the catalogue as people call it. */
export interface NamedTarget {
  readonly kind: string;
  readonly id: number;
  /** Other people's writing, cleaned, on one line and short; null: no read has shown it. */
  readonly title: string | null;
}

/** What happened in one place of one kind, as often as it did. */
export interface PlaceEvent {
  /** `added`, `replaced`, `updated` (its language or edition), or the service's own word. */
  readonly what: string;
  readonly times: number;
  /** ISO 8601, as the service gave them; null: it gave none that can be read. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** The Asset that it left there. */
  readonly assetId: string;
}

/** All that happened in one place (target and slot). */
export interface PlaceChange {
  /** In the order of their first times. */
  readonly happened: readonly PlaceEvent[];
  readonly target: { readonly kind: string; readonly id: number };
  readonly slot: string;
  /** S01E03, S01; empty for what the line itself is of. */
  readonly label: string;
  /** The Asset that the first replacement replaced; null: nothing was replaced. */
  readonly replaced: string | null;
  /** The Asset that stands there now. */
  readonly assetId: string;
}

/** What changed in one Set or, of Assets that stand in none, of one creator: one line of an answer. */
export interface ChangeLine {
  /** Null: the Assets stand in none, or nothing shows in which. */
  readonly set: NamedTarget | null;
  /** What the feed of Sets says of the Set itself: `added`, `updated`, its own word; null: nothing. */
  readonly setChange: string | null;
  /** What the artwork is for: the work of the Set, else the target itself; null: unknown. */
  readonly of: NamedTarget | null;
  /** The creator's name; null: nothing shows it. */
  readonly createdBy: string | null;
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
  /** The name of a creator, as people write it. */
  readonly createdBy: string | null;
}

export interface Coverage {
  /** Times of the oldest and the newest change that the feeds were seen to have. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /** The feeds were seen to reach back to the time asked for. False: older ones may have left them. */
  readonly complete: boolean;
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
  const byPlace = groupedBy(events, keyOfPlace);
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
 */
export function placeChange({ events, last, target, slot }: PlaceEvents, label: string): PlaceChange {
  const happened = [...groupedBy(events, ({ change }) => change)].map(([what, all]) => {
    const moments = all.flatMap(({ at }) => at ?? []);
    const { assetId } = all.at(-1) ?? last;
    return { what, times: all.length, firstAt: moments[0] ?? null, lastAt: moments.at(-1) ?? null, assetId };
  });
  const replaced = events.flatMap(({ previousAssetId }) => previousAssetId ?? [])[0] ?? null;
  return { happened, target, slot, label, replaced, assetId: last.assetId };
}
