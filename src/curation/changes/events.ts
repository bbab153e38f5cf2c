import { createHash } from 'node:crypto';
import { z } from 'zod';
import { boundedId, cutText } from '../../catalogue/bounded.ts';
import type { FeedItem, FeedName } from '../../catalogue/records/index.ts';

// One thing that happened, as a feed tells it (interface document, Resources: feed items). Feeds are other people's
// writing: what is too long or no word is left out, what has no readable time keeps none.

const at = z.string().nullable();
const target = z.object({ kind: z.string(), id: z.int() });

const assetEvent = z.object({
  /** Tells it from every other, whichever snapshot it is read from. */
  key: z.string(),
  change: z.string(),
  at,
  assetId: z.string(),
  previousAssetId: z.string().nullable(),
  target,
  slot: z.string(),
});

const setEvent = z.object({ key: z.string(), change: z.string(), at, set: target });

export const changeEvent = z.union([assetEvent, setEvent]);

export type AssetEvent = Readonly<z.output<typeof assetEvent>>;
export type SetEvent = Readonly<z.output<typeof setEvent>>;
export type ChangeEvent = AssetEvent | SetEvent;

const longestWord = 60;

/** Links of one chain that are looked at, the last ones first: nothing is replaced more often in the time of a feed. */
const mostLinks = 200;

/**
 * What an item of a feed tells. A replaced Asset brings the whole chain of its place along, each link of which is an
 * event of its own, also where the feed tells it once more in another item.
 * @param now milliseconds since 1970; a time that can't be right is none
 */
export function eventsOf<Feed extends FeedName>(
  feed: Feed,
  item: FeedItem<Feed>,
  now: number,
): ChangeEvent[] {
  return feed === 'sets' ? eventsOfSet(item, now) : eventsOfAsset(item, now);
}

type Json = Readonly<Record<string, unknown>>;

function eventsOfSet(item: Json, now: number): ChangeEvent[] {
  const kind = wordOf(item.kind);
  if (kind === '' || !isId(item.setId)) return [];
  const change = wordOf(item.changeType) || 'updated';
  const time = timeOf(item.changedAt, now);
  const key = keyOf('set', kind, item.setId, change, rawTime(item.changedAt));
  return [{ key, change, at: time, set: { kind, id: item.setId } }];
}

function eventsOfAsset(item: Json, now: number): ChangeEvent[] {
  const assetId = idOf(item.assetId);
  const slot = wordOf(item.slot);
  const { kind, id } = isRecord(item.target) ? item.target : {};
  const targetKind = wordOf(kind);
  if (assetId === null || slot === '' || targetKind === '' || !isId(id)) return [];
  const place = { target: { kind: targetKind, id }, slot };
  const event = (change: string, one: string, previousAssetId: string | null, time: unknown): AssetEvent => ({
    // What was added or made a replacement was so once, whatever time is told of it.
    key: keyOf(targetKind, id, slot, change, one.toLowerCase(), change === 'updated' ? rawTime(time) : ''),
    ...{ change, at: timeOf(time, now), assetId: one, previousAssetId, ...place },
  });
  const previous = idOf(item.previousAssetId);
  if (previous === null) return [event(wordOf(item.changeType) || 'updated', assetId, null, item.changedAt)];
  const links = Array.isArray(item.replacements) ? item.replacements.slice(-mostLinks) : [];
  const chain = links.flatMap((link: unknown): AssetEvent[] => {
    if (!isRecord(link)) return [];
    const [from, to] = [idOf(link.previousAssetId), idOf(link.newAssetId)];
    return from === null || to === null ? [] : [event('replaced', to, from, link.changedAt)];
  });
  const all = [...chain, event('replaced', assetId, previous, item.changedAt)];
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

/** The time of an item of a feed. Milliseconds; null where there is no readable time. */
export function momentOf({ at: time }: Pick<ChangeEvent, 'at'>): number | null {
  return time === null ? null : Date.parse(time);
}

/** Whether an event of a feed is about an Asset, and not a Set as a whole. */
export function isOfAsset(event: ChangeEvent): event is AssetEvent {
  return 'assetId' in event;
}

function keyOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? cutText(value, longestWord) : '';
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 100 ? boundedId(value) : null;
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** As the service wrote it, where it is a time that can be right. */
function timeOf(value: unknown, now: number): string | null {
  const text = rawTime(value);
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return moment >= earliest && moment <= now + mostAhead ? text : null;
}

/** No catalogue of artwork with a feed is older. */
const earliest = Date.UTC(2000, 0, 1);
/** Clocks differ. */
const mostAhead = 24 * 60 * 60_000;

function rawTime(value: unknown): string {
  return typeof value === 'string' ? cutText(value, longestWord) : '';
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
