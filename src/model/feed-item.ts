import type { FeedItem, IndexedEpisode } from '../catalogue/records/kinds.ts';
import { type JsonRecord, listAt, recordAt } from '../catalogue/records/members.ts';
import type { Target } from './target.ts';
import { idOf, targetNamedBy } from './work.ts';

/** One link of a chain of replacements. */
export interface ShownReplacement {
  readonly previousAssetId: string | null;
  readonly newAssetId: string | null;
  readonly changedAt: string | null;
}

/**
 * What an item of a feed says (interface document, Resources: feed items), as the service wrote it. What it does not
 * show, or shows as nothing of the kind, is null: a change of a Set has no slot. Other people's writing, of any length.
 */
export interface ShownChange {
  /** Of an Asset or a Set, in the words of the feed. */
  readonly kind: string | null;
  readonly changeType: string | null;
  readonly changedAt: string | null;
  readonly setId: number | null;
  readonly assetId: string | null;
  readonly previousAssetId: string | null;
  readonly slot: string | null;
  readonly targetKind: string | null;
  readonly targetId: number | null;
  /** The whole chain of its place, the oldest first. */
  readonly replacements: readonly ShownReplacement[];
}

/** Reads an item of a feed. */
export function changeShownBy(item: FeedItem): ShownChange {
  const json = item;
  const target = recordAt(json, 'target');
  return {
    kind: textIn(json, 'kind'),
    changeType: textIn(json, 'changeType'),
    changedAt: textIn(json, 'changedAt'),
    setId: idOf(json.setId),
    assetId: textIn(json, 'assetId'),
    previousAssetId: textIn(json, 'previousAssetId'),
    slot: textIn(json, 'slot'),
    targetKind: textIn(target, 'kind'),
    targetId: idOf(target.id),
    replacements: listAt(json, 'replacements').map((link) => ({
      previousAssetId: textIn(link, 'previousAssetId'),
      newAssetId: textIn(link, 'newAssetId'),
      changedAt: textIn(link, 'changedAt'),
    })),
  };
}

/** When an item of a list says that it changed, as the service wrote it; null if it says nothing. */
export function changedAtOf(item: FeedItem | IndexedEpisode): string | null {
  return textIn(item, 'changedAt');
}

/** The target of the changed Asset, with its title if the feed has it; null for a Set, and for an unknown kind. */
export function targetShownBy(item: FeedItem): Target | null {
  return targetNamedBy(item.target);
}

function textIn(record: JsonRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' ? value : null;
}
