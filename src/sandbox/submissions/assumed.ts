import { z } from 'zod';
import type { PublicationStatus } from '../me/assumed.ts';
import { description, editionId, languageCode, resourceId, title } from '../me/fields.ts';

/** What the interface document leaves open about Set submissions; it shows the rest of their bodies. */

/**
 * Assumed of the destination of a new media Set: a record of the upload destinations of the kind `boxset`,
 * verbatim. The Set becomes the last one of that Boxset or Loadout.
 */
export const destinationRecord = z.looseObject({ kind: z.string(), id: resourceId });

/**
 * Assumed: the "sparse metadata changes" of a grouped edit are members of the body or of its `metadata`, with
 * the names of a Set creation.
 */
export const setMetadata = z.strictObject({
  titleBase: title.exactOptional(),
  description: description.exactOptional(),
  languageCode: languageCode.nullable().exactOptional(),
  editionId: editionId.exactOptional(),
  finalised: z.boolean().exactOptional(),
});

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/**
 * Assumed of a submission, besides its id, its items' statuses and its outcome: every answer about one has it
 * as `submission`, as the answer to the admission has. The answer to an item's file has it without the items,
 * and that item as `item`.
 */
export interface SubmissionRecord {
  readonly submissionId: string;
  readonly clientMutationId: string;
  /** `processing` until the outcome is known. */
  readonly status: 'processing' | 'completed';
  /** null until the submission is completed. */
  readonly outcome: 'succeeded' | 'partial' | 'rolled_back' | 'failed' | 'unresolved' | null;
  /** null for a creation until it is completed, and when it created no Set. */
  readonly setId: number | null;
  /** The Set with its new revision; null until the submission has changed it. */
  readonly set: { readonly id: number; readonly updatedAt: string } | null;
  /** `not_required` where nothing was changed. */
  readonly publicationStatus: PublicationStatus;
  /** The outcome of a grouped edit's metadata changes. */
  readonly metadata: {
    readonly status: 'not_required' | 'processing' | 'succeeded' | 'failed';
    readonly error: Failure | null;
  };
  readonly items: readonly SubmissionItemRecord[];
  readonly createdAt: string;
  readonly completedAt: string | null;
}

/** Assumed. `pending`: its file is missing; `processing`: nothing more is needed. */
export interface SubmissionItemRecord {
  readonly itemId: string;
  readonly position: number;
  readonly operation: string;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
  readonly filename: string | null;
  readonly status: 'pending' | 'processing' | 'succeeded' | 'failed' | 'rolled_back';
  /** null until it succeeded. */
  readonly assetId: string | null;
  /** The Asset's revision. */
  readonly updatedAt: string | null;
  readonly error: Failure | null;
}
