import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { SetKind } from '../artwork/sets.ts';
import type { Answer } from '../http.ts';
import { checked } from '../me/checked.ts';
import { requireEdition } from '../me/edition.ts';
import { recordEffect } from '../me/effects.ts';
import { ownedRow } from '../me/owned.ts';
import type { OwnerSide } from '../me/owner-side.ts';
import { privateAnswer, refused } from '../me/protected-error.ts';
import { applyOnce, fingerprintOf } from '../me/receipts.ts';
import { belongs, requireSlot } from '../me/set-targets.ts';
import { findTarget } from '../me/targets.ts';
import type { Database } from '../store/database.ts';
import { type CreationAdmission, creationBody, type Item } from './bodies.ts';
import { checkEach, requireDeclarable, requireDistinct } from './checks.ts';
import { submissionRecord } from './record.ts';
import { insertSubmission } from './store.ts';

/** Which kind a media Set is, by what it is for. */
const setKinds: ReadonlyMap<string, SetKind> = new Map([
  ['movie', 'movie_set'],
  ['show', 'show_set'],
  ['collection', 'collection_set'],
  ['game', 'game_set'],
]);

/** POST /me/set-uploads: declares a new media Set and its files (the interface document, Media Set creation). */
export function admitCreation(side: OwnerSide, caller: Caller, given: unknown): Answer {
  const { declaredFiles, ...admission } = checked(creationBody, given);
  const { database } = side;
  const { clientMutationId } = admission;
  const identity = {
    operation: 'set.create',
    clientMutationId,
    fingerprint: fingerprintOf({ ...admission, declaredFiles }),
  };
  const items = declaredFiles.map(additionOf);
  const now = side.now();
  const at = now.toISOString();
  const { receipt, first } = applyOnce(database, caller, identity, at, () => {
    requireEntry(database, admission);
    if (admission.editionId !== null) requireEdition(database, admission.editionId);
    requireDestination(database, caller, admission);
    requireDistinct('declaredFiles', items);
    checkEach('declaredFiles', items, (item, where) => checkAddition(database, admission, item, where));
    const id = randomUUID();
    insertSubmission(
      database,
      {
        id,
        accountId: caller.accountId,
        clientMutationId,
        admitted: { family: 'creation', admission },
        setId: null,
        createdAt: at,
        metadata: { status: 'not_required', error: null },
      },
      items,
    );
    const resource = { kind: 'submission', id };
    recordEffect(database, caller, { operation: 'set.create.admit', clientMutationId, resource }, at);
    return { submission: submissionRecord(database, id, now) };
  });
  return privateAnswer(first ? 201 : 200, receipt);
}

/** A declared file is an item that adds. */
function additionOf({
  itemId,
  position,
  targetKind,
  targetId,
  slot,
  ...declaredFile
}: ReturnType<typeof creationBody.parse>['declaredFiles'][number]): Item {
  return {
    itemId,
    position,
    targetKind,
    targetId,
    slot,
    operation: 'add',
    existingAssetId: null,
    expectedPreviousAssetId: null,
    expectedAssetUpdatedAt: null,
    declaredFile,
  };
}

/** The kind of the Set that an admission makes. @throws ProtectedError 422 for what has no Sets. */
export function kindOfSet({ entryTargetKind }: CreationAdmission): SetKind {
  const kind = setKinds.get(entryTargetKind);
  if (kind !== undefined) return kind;
  const message = `There are no Sets for a ${entryTargetKind}.`;
  const kinds = [...setKinds.keys()];
  throw refused(422, 'target.unsupported', message, ['entryTargetKind'], { kinds });
}

function requireEntry(database: Database, admission: CreationAdmission): void {
  const { entryTargetKind, entryTargetId } = admission;
  kindOfSet(admission);
  if (findTarget(database, entryTargetKind, entryTargetId) !== undefined) return;
  const message = `There is no ${entryTargetKind} ${entryTargetId}.`;
  throw refused(422, 'target.unknown', message, ['entryTargetId']);
}

/** A destination is the caller's own group of the Set's family. */
function requireDestination(database: Database, caller: Caller, admission: CreationAdmission): void {
  const { destination } = admission;
  if (destination === null) return;
  const wanted = kindOfSet(admission) === 'game_set' ? 'loadout' : 'boxset';
  const group =
    destination.kind === 'boxset' || destination.kind === 'loadout'
      ? ownedRow(database, caller, 'group', destination.id, ['destination', 'id'])
      : null;
  if (group?.text('kind') === wanted) return;
  const message = `A ${kindOfSet(admission)} can go into a ${wanted} alone.`;
  throw refused(422, 'destination.incompatible', message, ['destination']);
}

function checkAddition(
  database: Database,
  { entryTargetKind, entryTargetId }: CreationAdmission,
  item: Item,
  where: readonly string[],
): void {
  const target = { kind: item.targetKind, id: item.targetId };
  requireSlot(database, target, item.slot, where);
  if (!belongs(database, { kind: entryTargetKind, id: entryTargetId }, target)) {
    const message = `The ${entryTargetKind} has no ${target.kind} ${target.id}.`;
    throw refused(422, 'target.outside_set', message, [...where, 'targetId']);
  }
  if (item.declaredFile !== null) requireDeclarable(item.declaredFile, where);
}
