import { z } from 'zod';
import { path } from '../path.ts';
import { type ServiceError, serviceError } from '../refusal.ts';
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
} from './read-member.ts';

/** Interface document, Asset upload status. */
export const uploadStatus = {
  path: (clientMutationId: string) => path`/me/asset-uploads/${clientMutationId}`,
  needed: { anyOf: ['assets:write', 'assets:replace'] },
  /** What the record is known by where it comes without `data`. */
  marks: ['processingStatus', 'publicationStatus', 'clientMutationId', 'mutationId'],
  schema: z.looseObject({}),
} as const;

/** What the service says of a single upload. Only `state` says how it stands; the words are for showing. */
export interface AssetUpload extends Publication {
  readonly state: ProcessingState;
  readonly processingStatus: string | null;
  readonly mutationId: string | null;
  readonly assetId: string | null;
  readonly updatedAt: string | null;
  /** Always false, says the interface document: no status asks for a second upload. */
  readonly retryable: boolean | null;
  readonly error: ServiceError | null;
  readonly record: JsonRecord;
}

/** Reads the service's own record of an upload (interface document, Asset upload status). */
export function readUploadStatus(body: unknown): AssetUpload {
  const record = dataOf(body);
  const asset = recordAt(record, 'asset');
  const processingStatus = wordAt(record, 'processingStatus');
  const error = errorOfRecord(record);
  return {
    state: processingState(processingStatus, error !== null),
    processingStatus,
    ...readPublication(record, asset),
    mutationId: identityAt(record, 'clientMutationId') ?? idAt(record, 'mutationId'),
    assetId: idAt(record, 'assetId') ?? idAt(asset, 'id', 'assetId'),
    updatedAt: revisionAt(record) ?? revisionAt(asset),
    retryable: typeof record.retryable === 'boolean' ? record.retryable : null,
    error,
    record: boundedRecordOf(record),
  };
}

/** A record's own `error`, as object or word; null without one. */
export function errorOfRecord(record: JsonRecord): ServiceError | null {
  const { error } = record;
  if (error === undefined || error === null) return null;
  // An error of another shape is still one.
  return (
    serviceError({ error }) ?? { code: undefined, message: undefined, details: undefined, issues: undefined }
  );
}
