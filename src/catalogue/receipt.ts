import {
  boundedRecordOf,
  dataOf,
  idAt,
  identityAt,
  type JsonRecord,
  type ProcessingState,
  processingState,
  type Publication,
  readPublication,
  recordAt,
  revisionAt,
  wordAt,
} from './records/read-member.ts';
import { errorOfRecord } from './records/upload-status.ts';
import type { ServiceError } from './refusal.ts';

/** What a mutation saves, and so what its receipt identifies. Submissions have their own reading. */
export type Saved = 'asset' | 'set' | 'group' | 'relationship';

/** What the service answered a mutation with. Only `state` says how it stands; the words are for showing. */
export interface Receipt extends Publication {
  /**
   * `succeeded` only where the receipt identifies what was saved, says nothing to the contrary and is this
   * mutation's own. `unknown`: look it up, or read it back.
   */
  readonly state: ProcessingState;
  readonly processingStatus: string | null;
  /** Of the Asset, Set, group or relationship. */
  readonly savedId: string | null;
  readonly updatedAt: string | null;
  readonly mutationId: string | null;
  readonly error: ServiceError | null;
  readonly record: JsonRecord;
}

/** Reads the body of the answer to an applied request; null is the empty one. */
export function readReceipt(body: unknown, saved: Saved, clientMutationId: string): Receipt {
  const record = dataOf(body);
  const inner = recordAt(record, saved);
  const processingStatus = wordAt(record, 'processingStatus') ?? wordAt(inner, 'processingStatus');
  const savedId = idAt(record, `${saved}Id`) ?? idAt(inner, 'id', `${saved}Id`) ?? idAt(record, 'id');
  const ownId = identityAt(record, 'clientMutationId') ?? identityAt(inner, 'clientMutationId');
  const error = errorOfRecord(record) ?? errorOfRecord(inner);
  const identified = savedId !== null || (saved === 'relationship' && idAt(record, 'targetId') !== null);
  const foreign = ownId !== null && ownId.toLowerCase() !== clientMutationId.toLowerCase();
  const said = processingState(processingStatus ?? 'succeeded', error !== null);
  return {
    state: foreign || (said === 'succeeded' && !identified) ? 'unknown' : said,
    processingStatus,
    ...readPublication(record, inner),
    savedId,
    updatedAt: revisionAt(record) ?? revisionAt(inner),
    mutationId: ownId ?? idAt(record, 'mutationId'),
    error,
    record: boundedRecordOf(record),
  };
}
