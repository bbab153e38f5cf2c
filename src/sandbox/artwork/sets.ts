import { type Database, insert } from '../store/database.ts';
import { laterOf, nextRevision, recordSetChange } from './changes.ts';

export type SetKind =
  | 'movie_set'
  | 'show_set'
  | 'game_set'
  | 'collection_set'
  | 'brand_set'
  | 'talent_set'
  | 'category_set';

export interface Target {
  readonly kind: string;
  readonly id: number;
}

export interface NewSet {
  /** Default: the next free id. */
  readonly id?: number;
  readonly kind: SetKind;
  /** null for a Brand Set. */
  readonly target: Target | null;
  /** Networks and companies of a Brand Set. */
  readonly members: readonly Target[];
  readonly title: string;
  readonly description: string | null;
  readonly ownerId: number | null;
  readonly languageCode: string | null;
  readonly editionId: number | null;
  readonly finalised: boolean;
  readonly createdAt: string;
  readonly publicFrom: string;
}

/**
 * Stores a Set without recording a change: it existed before the record of changes begins. Returns its id.
 */
export function storeSet(database: Database, set: NewSet): number {
  return database.transaction(() => {
    insert(database, 'sets', {
      id: set.id ?? null,
      kind: set.kind,
      target_kind: set.target?.kind ?? null,
      target_id: set.target?.id ?? null,
      title: set.title,
      description: set.description,
      owner_id: set.ownerId,
      language_code: set.languageCode,
      edition_id: set.editionId,
      finalised: set.finalised ? 1 : 0,
      created_at: set.createdAt,
      updated_at: set.createdAt,
      public_from: set.publicFrom,
    });
    const id = set.id ?? database.only('SELECT last_insert_rowid() AS id').integer('id');
    for (const [position, member] of set.members.entries()) {
      insert(database, 'brand_set_members', { set_id: id, position, kind: member.kind, id: member.id });
    }
    return id;
  });
}

/** Returns the Set's id. */
export function createSet(database: Database, set: NewSet): number {
  return database.transaction(() => {
    const setId = storeSet(database, set);
    recordSetChange(database, { setId, kind: set.kind, changeType: 'added', changedAt: set.publicFrom });
    return setId;
  });
}

export interface SetEdit {
  readonly title?: string;
  readonly description?: string | null;
  readonly languageCode?: string | null;
  readonly editionId?: number | null;
  readonly finalised?: boolean;
}

/**
 * Edits a Set. Omitted fields stay; an empty edit gives the Set a new revision after its artwork has changed,
 * and `showsFrom` is when public reads show that artwork. Returns the new revision.
 * @throws Error when there is no such Set.
 */
export function editSet(
  database: Database,
  setId: number,
  edit: SetEdit,
  at: string,
  showsFrom: string = at,
): string {
  return database.transaction(() => {
    const set = database.first('SELECT * FROM sets WHERE id = ?', setId);
    if (!set) throw new Error(`There is no Set ${setId}.`);
    const revision = nextRevision(set.text('updated_at'), at);
    const {
      title = set.text('title'),
      description = set.textOrNull('description'),
      languageCode = set.textOrNull('language_code'),
      editionId = set.integerOrNull('edition_id'),
      finalised = set.flag('finalised'),
    } = edit;
    database.run(
      `UPDATE sets SET title = ?, description = ?, language_code = ?, edition_id = ?, finalised = ?,
       updated_at = ? WHERE id = ?`,
      title,
      description,
      languageCode,
      editionId,
      finalised ? 1 : 0,
      revision,
      setId,
    );
    recordSetChange(database, {
      setId,
      kind: set.text('kind'),
      changeType: 'updated',
      changedAt: laterOf(laterOf(revision, showsFrom), set.text('public_from')),
    });
    return revision;
  });
}
