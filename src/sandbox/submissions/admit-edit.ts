import type { Answer } from '../http.ts';
import { type Caller, requireScopes } from '../me/authorize.ts';
import type { ProtectedContext } from '../me/context.ts';
import { ownedRow, requireEdition, requireRevision } from '../me/owned.ts';
import { invalidField, invalidRequest, refusal } from '../me/protected-error.ts';
import { validate } from '../me/request.ts';
import { admissionSetKind } from '../me/sets.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import type { Database } from '../store/database.ts';
import { admit } from './admit.ts';
import { type EditAdmission, editBody, type Item, maxItems, type SetMetadata } from './bodies.ts';
import { checkItem, checkItems, requireDeclarable, requireDistinct } from './checks.ts';

/** POST /me/sets/{setId}/updates: admits a grouped edit (the interface document, Grouped Set edit). */
export function admitEdit(context: ProtectedContext, caller: Caller, setId: number, given: unknown): Answer {
  const { items, admission } = readAdmission(given);
  if (admission.setId !== setId) throw invalidField(['setId'], `This must be ${setId}, as in the path.`);
  requireScopes(caller, { every: scopesFor(items) });
  const admitted = { family: 'edit', admission } as const;
  return admit(context, caller, { admitted, setId, asks: { ...admission, items }, items }, () =>
    checkAdmission(context.database, caller, admission, items),
  );
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
  if (repeated !== undefined) throw invalidField([repeated], 'This field is given twice.');
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
  requireRevision(set, `Set ${admission.setId}`, admission.expectedUpdatedAt);
  if (typeof admission.metadata.editionId === 'number')
    requireEdition(database, admission.metadata.editionId);
  requireDistinct('items', items);
  checkItems('items', items, (item, where) => {
    checkItem(database, caller, set, item, where);
    if (item.declaredFile !== null) requireDeclarable(item.declaredFile, [...where, 'declaredFile']);
  });
}
