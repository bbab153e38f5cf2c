import path from 'node:path';
import type { NamedItem } from '../../mutations/arguments.ts';
import type { PlannedFile } from '../../mutations/submissions/look-at-files.ts';
import type { FoundPlan } from './store.ts';

/** The files of a plan as the arguments of a Set's creation would name them, in the same order. */
export function declaredFilesOf({ plan, items }: FoundPlan): NamedItem[] {
  return items.map(({ path: inner, place }) => ({
    file: path.join(plan.folder, inner),
    targetKind: place.targetKind,
    targetId: place.targetId,
    slot: place.slot,
  }));
}

/** What each of them was when it was planned, in the same order. */
export function plannedFilesOf({ items }: FoundPlan): PlannedFile[] {
  return items.map(({ path: inner, picture: { filename, contentType, contentLength, sha256 } }) => ({
    name: inner,
    filename,
    contentType,
    contentLength,
    sha256,
  }));
}
