import type { OwnedSet } from './owned-set.ts';
import type { Item, Submission, SubmissionOutcome } from './submission.ts';

/**
 * Completes a submission (the interface document, States): what was staged becomes artwork, each item by itself; a
 * creation without a single picture makes no Set, and an edit saves its metadata whatever becomes of its items.
 * `fails`: nothing comes of it in the end.
 */
export function applyTo(set: OwnedSet, submission: Submission, fails: boolean): SubmissionOutcome {
  const { kind, items } = submission;
  for (const item of items) if (item.spoilt) item.status = 'failed';
  if (fails) {
    const undone = kind === 'creation' && items.some(({ status }) => status === 'received');
    const outcome = undone ? 'rolled_back' : 'failed';
    for (const item of items) if (item.status === 'received') item.status = outcome;
    return outcome;
  }
  const metadata = kind === 'edit' ? applyMetadata(set, submission) : null;
  for (const item of items) if (item.status === 'received') applyItem(set, kind, item);
  const words = [...items.map(({ status }) => status), ...(metadata === null ? [] : [metadata])];
  const good = words.includes('succeeded');
  if (good && kind === 'edit') set.change(null);
  return good ? (words.includes('failed') ? 'partial' : 'succeeded') : 'failed';
}

function applyMetadata(
  set: OwnedSet,
  { title, expectedUpdatedAt }: Submission,
): 'succeeded' | 'failed' | null {
  if (title === null) return null;
  if (set.updatedAt !== expectedUpdatedAt) return 'failed';
  set.rename(title);
  return 'succeeded';
}

function applyItem(set: OwnedSet, kind: Submission['kind'], item: Item): void {
  if (kind === 'creation') item.assetId = set.newAsset();
  else if (set.objection(item) === null) item.assetId = set.apply(item);
  item.status = item.assetId === null ? 'failed' : 'succeeded';
}
