import { assetIdIn } from '../audits/set-facts.ts';
import type { PlaceChange, Version } from './change.ts';
import { type AssetEvent, momentOf } from './events.ts';

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
  const byPlace = new Map<string, AssetEvent[]>();
  for (const event of events) {
    const key = `${event.target.kind} ${event.target.id} ${event.slot}`;
    const there = byPlace.get(key);
    if (there === undefined) byPlace.set(key, [event]);
    else there.push(event);
  }
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
  const chains = new Map<string, AssetEvent[]>();
  for (const event of events) {
    const chain = chainOf(event.assetId.toLowerCase());
    const others = chains.get(chain);
    if (others === undefined) chains.set(chain, [event]);
    else others.push(event);
  }
  return [...chains.values()];
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
    before: previousAssetId === null ? null : previousVersion(previousAssetId, last.assetId, path),
    after: { assetId: last.assetId, path },
  };
}

/** What was added within the time that is asked for was added, whatever else came after. */
function changeOf(events: readonly AssetEvent[]): string {
  const words = events.map(({ change }) => change);
  if (words.includes('added')) return 'added';
  return words.includes('replaced') ? 'replaced' : (words[0] ?? 'updated');
}

/** Where the paths of Assets name their ids, that of a replaced one is most likely the same but for the id. */
function previousVersion(assetId: string, current: string, path: string | null): Version {
  const named = path !== null && assetIdIn(path) === current.toLowerCase();
  const own = named ? path.replace(new RegExp(current, 'i'), assetId.toLowerCase()) : null;
  return { assetId, path: own };
}
