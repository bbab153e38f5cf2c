import { randomUUID } from 'node:crypto';
import type { Answer } from '../http.ts';
import { type Caller, requireScopes } from '../me/authorize.ts';
import type { ProtectedContext } from '../me/context.ts';
import { applyOnce, fingerprintOf, recordEffect } from '../me/mutation.ts';
import { ownedRow, requireEdition } from '../me/owned.ts';
import { invalidRequest, protectedAnswer, refusal, staleRevision } from '../me/protected-error.ts';
import { validate } from '../me/request.ts';
import { admissionSetKind } from '../me/sets.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import type { Database } from '../store/database.ts';
import { type EditAdmission, editBody, type Item, maxItems, type SetMetadata } from './bodies.ts';
import { checkItem, checkItems, requireDeclarable, requireDistinct } from './checks.ts';
import { submissionRecord } from './record.ts';
import { insertSubmission } from './store.ts';

/** POST /me/sets/{setId}/updates: admits a grouped edit (the interface document, Grouped Set edit). */
export function admitEdit(context: ProtectedContext, caller: Caller, setId: number, given: unknown): Answer {
  const { items, admission } = readAdmission(given);
  if (admission.setId !== setId) throw invalidField('setId', `This must be ${setId}, as in the path.`);
  requireScopes(caller, { every: scopesFor(items) });
  const { database } = context;
  const { clientMutationId, metadata } = admission;
  const identity = {
    operation: 'set.edit',
    clientMutationId,
    fingerprint: fingerprintOf({ ...admission, items }),
  };
  const now = context.now();
  const at = now.toISOString();
  const { receipt, first } = applyOnce(database, caller, identity, at, () => {
    checkAdmission(database, caller, admission, items);
    const id = randomUUID();
    const status = Object.keys(metadata).length === 0 ? ('not_required' as const) : ('processing' as const);
    insertSubmission(
      database,
      {
        id,
        accountId: caller.accountId,
        clientMutationId,
        admitted: { family: 'edit', admission },
        setId,
        createdAt: at,
        metadata: { status, error: null },
      },
      items,
    );
    const resource = { kind: 'submission', id };
    recordEffect(database, caller, { operation: 'set.edit.admit', clientMutationId, resource }, at);
    return { submission: submissionRecord(database, id, now) };
  });
  return protectedAnswer(first ? 201 : 200, receipt);
}

function readAdmission(given: unknown): { admission: EditAdmission; items: readonly Item[] } {
  const {
    clientMutationId,
    setId,
    setKind,
    expectedUpdatedAt,
    items,
    metadata = {},
    ...topLevel
  } = validate(editBody, given);
  const repeated = Object.keys(topLevel).find((field) => Object.hasOwn(metadata, field));
  if (repeated !== undefined) throw invalidField(repeated, 'This field is given twice.');
  const changes: SetMetadata = { ...metadata, ...topLevel };
  if (items.length > maxItems) {
    const message = `One edit takes ${maxItems} items.`;
    throw refusal(422, 'submission.too_many_items', message, ['items'], { maxItems: maxItems });
  }
  if (items.length === 0 && Object.keys(changes).length === 0) {
    throw invalidRequest('Send items or metadata: there is nothing to change.');
  }
  return {
    admission: { clientMutationId, setId, setKind, expectedUpdatedAt, metadata: changes },
    items,
  };
}

/** "Admission also requires assets:write for additions or Asset metadata edits, and assets:replace for replacements." */
function scopesFor(items: readonly Item[]): readonly ResourceScope[] {
  const has = (...operations: Item['operation'][]) =>
    items.some(({ operation }) => operations.includes(operation));
  return [
    'sets:write',
    ...(has('add', 'asset_metadata') ? (['assets:write'] as const) : []),
    ...(has('replace') ? (['assets:replace'] as const) : []),
  ];
}

function checkAdmission(
  database: Database,
  caller: Caller,
  admission: EditAdmission,
  items: readonly Item[],
): void {
  const set = ownedRow(database, caller, 'set', admission.setId);
  const kind = admissionSetKind(set.text('kind'));
  if (kind !== admission.setKind) {
    throw refusal(422, 'set.kind', `The Set is a ${kind}.`, ['setKind'], { setKind: kind });
  }
  const current = set.text('updated_at');
  if (current !== admission.expectedUpdatedAt) {
    throw staleRevision(`Set ${admission.setId}`, admission.expectedUpdatedAt, current);
  }
  if (typeof admission.metadata.editionId === 'number')
    requireEdition(database, admission.metadata.editionId);
  requireDistinct('items', items);
  checkItems('items', items, (item, where) => {
    checkItem(database, caller, set, item, where);
    if (item.declaredFile !== null) requireDeclarable(item.declaredFile, [...where, 'declaredFile']);
  });
}

function invalidField(field: string, message: string) {
  return invalidRequest(`${field}: ${message}`, [{ code: 'field.invalid', message, path: [field] }]);
}
