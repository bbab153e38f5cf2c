import { z } from 'zod';
import type { SubmissionKind } from '../catalogue/records/submission.ts';
import { type ItemId, sha256, uploadFile } from '../catalogue/requests/fields.ts';

/** A file as it was declared, and the digest of the bytes that were meant. */
export const declaredFile = z.strictObject({ ...uploadFile.shape, sha256 });
export type DeclaredFile = z.output<typeof declaredFile>;

export interface DeclaredItem {
  readonly itemId: ItemId;
  /** Null for an item without a file. */
  readonly file: DeclaredFile | null;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

export interface FileItem extends DeclaredItem {
  readonly file: DeclaredFile;
}

/** What a submission was admitted with: frozen, in the order of the call. */
export interface Declared {
  readonly kind: SubmissionKind;
  readonly items: readonly DeclaredItem[];
}

/** The items that bring a file. An item's number, in what is noted of it, is its place in this list. */
export function fileItems({ items }: Declared): readonly FileItem[] {
  return items.filter((item): item is FileItem => item.file !== null);
}

/**
 * What a submission declares of its items.
 * @throws TypeError for what is no submission: a defect of the caller
 */
export function declaredBy({
  declared,
  operation,
}: {
  readonly declared?: Declared | undefined;
  readonly operation: string;
}): Declared {
  if (declared === undefined) throw new TypeError(`${operation} is no submission.`);
  return declared;
}
