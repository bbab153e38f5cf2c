import type { SetKind } from '../artwork/sets.ts';
import { findTarget } from '../artwork/targets.ts';
import type { Answer } from '../http.ts';
import type { Caller } from '../me/authorize.ts';
import type { ProtectedContext } from '../me/context.ts';
import { ownedRow, requireEdition } from '../me/owned.ts';
import { refusal } from '../me/protected-error.ts';
import { validate } from '../me/request.ts';
import { isPartOf, requireSlot } from '../me/slots.ts';
import type { Database } from '../store/database.ts';
import { admit } from './admit.ts';
import { type CreationAdmission, creationBody, type Item } from './bodies.ts';
import { checkItems, requireDeclarable, requireDistinct } from './checks.ts';

/** The kind of a media Set, by the kind of its target. */
const setKinds: ReadonlyMap<string, SetKind> = new Map([
  ['movie', 'movie_set'],
  ['show', 'show_set'],
  ['collection', 'collection_set'],
  ['game', 'game_set'],
]);

/** POST /me/set-uploads: declares a new media Set and its files (the interface document, Media Set creation). */
export function admitCreation(context: ProtectedContext, caller: Caller, given: unknown): Answer {
  const { declaredFiles, ...admission } = validate(creationBody, given);
  const { database } = context;
  const items = declaredFiles.map(additionOf);
  const admitted = { family: 'creation', admission } as const;
  return admit(
    context,
    caller,
    { admitted, setId: null, asks: { ...admission, declaredFiles }, items },
    () => {
      requireEntry(database, admission);
      if (admission.editionId !== null) requireEdition(database, admission.editionId);
      requireDestination(database, caller, admission);
      requireDistinct('declaredFiles', items);
      checkItems('declaredFiles', items, (item, where) => checkAddition(database, admission, item, where));
    },
  );
}

/** Makes a declared file an item that adds. */
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

/**
 * The kind of the Set that an admission creates.
 * @throws ProtectedError 422 for a target that has no Sets.
 */
export function mediaSetKind({ entryTargetKind }: CreationAdmission): SetKind {
  const kind = setKinds.get(entryTargetKind);
  if (kind !== undefined) return kind;
  const message = `There are no Sets for a ${entryTargetKind}.`;
  const kinds = [...setKinds.keys()];
  throw refusal(422, 'target.unsupported', message, ['entryTargetKind'], { kinds });
}

function requireEntry(database: Database, admission: CreationAdmission): void {
  const { entryTargetKind, entryTargetId } = admission;
  mediaSetKind(admission);
  if (findTarget(database, entryTargetKind, entryTargetId) !== undefined) return;
  const message = `There is no ${entryTargetKind} ${entryTargetId}.`;
  throw refusal(422, 'target.unknown', message, ['entryTargetId']);
}

/** A destination must be the caller's own group of the Set's family. */
function requireDestination(database: Database, caller: Caller, admission: CreationAdmission): void {
  const { destination } = admission;
  if (destination === null) return;
  const wanted = mediaSetKind(admission) === 'game_set' ? 'loadout' : 'boxset';
  const group =
    destination.kind === 'boxset' || destination.kind === 'loadout'
      ? ownedRow(database, caller, 'group', destination.id, ['destination', 'id'])
      : null;
  if (group?.text('kind') === wanted) return;
  const message = `A ${mediaSetKind(admission)} can go into a ${wanted} alone.`;
  throw refusal(422, 'destination.incompatible', message, ['destination']);
}

function checkAddition(
  database: Database,
  { entryTargetKind, entryTargetId }: CreationAdmission,
  item: Item,
  where: readonly string[],
): void {
  const target = { kind: item.targetKind, id: item.targetId };
  requireSlot(database, target, item.slot, where);
  if (!isPartOf(database, { kind: entryTargetKind, id: entryTargetId }, target)) {
    const message = `The ${entryTargetKind} has no ${target.kind} ${target.id}.`;
    throw refusal(422, 'target.outside_set', message, [...where, 'targetId']);
  }
  if (item.declaredFile !== null) requireDeclarable(item.declaredFile, where);
}
