import path from 'node:path';
import { cleanText } from '../../text.ts';
import type { EditedItem, NamedItem } from '../../mutations/arguments.ts';
import type { FoundPlan } from './store.ts';
import type { PlannedFile } from '../../mutations/operations/submission-plan.ts';

/** The files of a plan as the arguments of a Set's creation would name them, in the same order. */
export function declaredFilesOf({ plan, items }: FoundPlan): NamedItem[] {
  return items.map(({ path: inner, place }) => ({
    file: path.join(plan.folder, inner),
    targetKind: place.targetKind,
    targetId: place.targetId,
    slot: place.slot,
  }));
}

/** The files of a plan as the arguments of a Set's edit would name them, in the same order. */
export function editItemsOf(found: FoundPlan): EditedItem[] {
  const files = declaredFilesOf(found);
  return found.items.flatMap(({ change }, at): EditedItem[] => {
    const item = files[at];
    // What the Set has to the byte is never among the items.
    return item === undefined || change.operation === 'unchanged' ? [] : [{ ...item, ...change }];
  });
}

/** What each of them was when it was planned, in the same order. */
export function plannedFilesOf({ items }: FoundPlan): PlannedFile[] {
  return items.map(
    ({ path: inner, picture: { filename, contentType, contentLength, sha256 }, warnings }) => ({
      name: cleanText(inner),
      // What the files are to each other is told of those that are sent, when they are.
      warnings: warnings.filter(({ code }) => code !== 'same_bytes'),
      filename,
      contentType,
      contentLength,
      sha256,
    }),
  );
}
