import { z } from 'zod';
import { languageCode, uuid, writtenId } from '../me/fields.ts';
import { invalidField } from '../me/protected-error.ts';
import { queryFields, validate } from '../me/request.ts';

/** Where a single upload goes. */
export type Destination =
  | { readonly kind: 'standalone' }
  | { readonly kind: 'set'; readonly id: number }
  | { readonly kind: 'group'; readonly id: number };

const common = {
  operation: z.enum(['add', 'replace']),
  clientMutationId: uuid,
  languageCode: languageCode.exactOptional(),
  previousAssetId: uuid.exactOptional(),
};
const target = { targetKind: z.string().min(1), targetId: writtenId };
// A Set or group has its own target, which may be omitted.
const ownTarget = {
  targetKind: target.targetKind.exactOptional(),
  targetId: target.targetId.exactOptional(),
};
const slot = z.string().min(1);

const queries = {
  standalone: z.strictObject({ ...common, ...target, slot }),
  set: z.strictObject({ ...common, ...ownTarget, slot }),
  group: z.strictObject({ ...common, ...ownTarget, slot: z.literal('poster').default('poster') }),
};

/** The checked query of a single upload (the interface document, Single-Asset upload). */
export interface UploadQuery {
  readonly operation: 'add' | 'replace';
  readonly clientMutationId: string;
  readonly slot: string;
  /** null: the target of the Set or group. */
  readonly target: { readonly kind: string; readonly id: number } | null;
  /** null: none, or that of the replaced Asset. */
  readonly languageCode: string | null;
  /** null for the operation `add`, and only for that. */
  readonly previousAssetId: string | null;
}

/** @throws ProtectedError 400. */
export function readUploadQuery(query: URLSearchParams, { kind }: Destination): UploadQuery {
  const fields = queryFields(query);
  const found =
    kind === 'standalone' ? validate(queries.standalone, fields) : validate(queries[kind], fields);
  const { operation, clientMutationId, targetKind, targetId, previousAssetId = null } = found;
  if ((operation === 'replace') !== (previousAssetId !== null)) {
    throw invalidField(['previousAssetId'], 'This belongs to the operation replace, and to that alone.');
  }
  if ((targetKind === undefined) !== (targetId === undefined)) {
    throw invalidField(['targetId'], 'targetKind and targetId belong together.');
  }
  return {
    operation,
    clientMutationId,
    slot: found.slot,
    target: targetKind === undefined || targetId === undefined ? null : { kind: targetKind, id: targetId },
    languageCode: found.languageCode ?? null,
    previousAssetId,
  };
}
