import type { FeedItem } from '../catalogue/records/kinds.ts';
import { type JsonRecord, listAt, recordAt, textAt } from '../catalogue/records/members.ts';
import { idOf } from './work.ts';

/**
 * What an item of a feed says (interface document, Resources: feed items), as the service wrote it: other people's
 * writing, of any length. What it does not show, or shows as nothing of the kind, is null: a change of a Set has no
 * slot. `replacements` is the whole chain of its place, the oldest first.
 */
export function changeShownBy(item: FeedItem) {
  const json: JsonRecord = item;
  const target = recordAt(json, 'target');
  return {
    ...textsIn(json, 'kind', 'changeType', 'changedAt', 'assetId', 'previousAssetId', 'slot'),
    setId: idOf(json.setId),
    targetKind: textAt(target, 'kind'),
    targetId: idOf(target.id),
    replacements: listAt(json, 'replacements').map((link) =>
      textsIn(link, 'previousAssetId', 'newAssetId', 'changedAt'),
    ),
  };
}

function textsIn<Name extends string>(record: JsonRecord, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, textAt(record, name)])) as Record<Name, string | null>;
}
