import { randomUUID } from 'node:crypto';
import { requireScopes } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { Answer } from '../http.ts';
import { checked } from '../me/checked.ts';
import { requireEdition } from '../me/edition.ts';
import { recordEffect } from '../me/effects.ts';
import { ownedRow } from '../me/owned.ts';
import type { OwnerSide } from '../me/owner-side.ts';
import { accessAnswer, invalid, privateAnswer, refused, stale } from '../me/protected-error.ts';
import { applyOnce, fingerprintOf } from '../me/receipts.ts';
import { setKindWord } from '../me/sets.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import type { Database } from '../store/database.ts';
import { type EditAdmission, editBody, type Item, mostItems, type SetMetadata } from './bodies.ts';
import { checkEach, checkItem, requireDeclarable, requireDistinct } from './checks.ts';
import { submissionRecord } from './record.ts';
import { insertSubmission } from './store.ts';

/** POST /me/sets/{setId}/updates: admits a grouped edit (the interface document, Grouped Set edit). */
export function admitEdit(side: OwnerSide, caller: Caller, setId: number, given: unknown): Answer {
  const { items, admission } = readAdmission(given);
  if (admission.setId !== setId) throw wrong('setId', `This must be the path's, ${setId}.`);
  const access = requireScopes(caller, { every: scopesFor(items) });
  if (!access.granted) return accessAnswer(access.refusal);
  const { database } = side;
  const { clientMutationId, metadata } = admission;
  const identity = {
    operation: 'set.edit',
    clientMutationId,
    fingerprint: fingerprintOf({ ...admission, items }),
  };
  const now = side.now();
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
  return privateAnswer(first ? 201 : 200, receipt);
}

function readAdmission(given: unknown): { admission: EditAdmission; items: readonly Item[] } {
  const {
    clientMutationId,
    setId,
    setKind,
    expectedUpdatedAt,
    items,
    metadata = {},
    ...beside
  } = checked(editBody, given);
  const twice = Object.keys(beside).find((field) => Object.hasOwn(metadata, field));
  if (twice !== undefined) throw wrong(twice, 'This is said twice.');
  const changes: SetMetadata = { ...metadata, ...beside };
  if (items.length > mostItems) {
    const message = `One edit takes ${mostItems} items.`;
    throw refused(422, 'submission.too_many_items', message, ['items'], { maxItems: mostItems });
  }
  if (items.length === 0 && Object.keys(changes).length === 0) {
    throw invalid('Send items or metadata: there is nothing to change.');
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
  const word = setKindWord(set.text('kind'));
  if (word !== admission.setKind) {
    throw refused(422, 'set.kind', `The Set is a ${word}.`, ['setKind'], { setKind: word });
  }
  const current = set.text('updated_at');
  if (current !== admission.expectedUpdatedAt) {
    throw stale(`Set ${admission.setId}`, admission.expectedUpdatedAt, current);
  }
  if (typeof admission.metadata.editionId === 'number')
    requireEdition(database, admission.metadata.editionId);
  requireDistinct('items', items);
  checkEach('items', items, (item, where) => {
    checkItem(database, caller, set, item, where);
    if (item.declaredFile !== null) requireDeclarable(item.declaredFile, [...where, 'declaredFile']);
  });
}

function wrong(field: string, message: string) {
  return invalid(`${field}: ${message}`, [{ code: 'field.invalid', message, path: [field] }]);
}
