import { z } from 'zod';
import { checked, queryFields } from '../me/checked.ts';
import { languageCode, uuid, writtenId } from '../me/fields.ts';
import { invalid, type ProtectedError } from '../me/protected-error.ts';

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
// A Set or group has its own target, which may be left out.
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

/** What the query of a single upload asks for (the interface document, Single-Asset upload). */
export interface Order {
  readonly operation: 'add' | 'replace';
  readonly clientMutationId: string;
  readonly slot: string;
  /** null: the target that the Set or group has. */
  readonly target: { readonly kind: string; readonly id: number } | null;
  /** null: none, or that of the Asset being replaced. */
  readonly languageCode: string | null;
  /** null for the operation `add`, and for that alone. */
  readonly previousAssetId: string | null;
}

/** @throws ProtectedError 400. */
export function readOrder(query: URLSearchParams, { kind }: Destination): Order {
  const fields = queryFields(query);
  const found = kind === 'standalone' ? checked(queries.standalone, fields) : checked(queries[kind], fields);
  const { operation, clientMutationId, targetKind, targetId, previousAssetId = null } = found;
  if ((operation === 'replace') !== (previousAssetId !== null)) {
    throw wrong('previousAssetId', 'This belongs to the operation replace, and to that alone.');
  }
  if ((targetKind === undefined) !== (targetId === undefined)) {
    throw wrong('targetId', 'targetKind and targetId belong together.');
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

function wrong(field: string, message: string): ProtectedError {
  return invalid(`${field}: ${message}`, [{ code: 'field.invalid', message, path: [field] }]);
}
