import { type ListedAsset, listedAssetOf } from '../../model/asset.ts';
import { isKind } from '../../model/kinds.ts';
import type { OwnPicture, OwnSet } from '../../model/own-set.ts';
import { type ArtworkSet, picturesOf } from '../../model/set.ts';
import { keyOfTarget, shortLine, type TargetReference, type WorkTarget } from '../../model/target.ts';
import type { NamedTarget } from '../read-work.ts';
import type { AuditedSet } from './audit.ts';

/** One picture of a Set, with what is known of it. */
export interface HeldPicture extends Omit<OwnPicture, 'target' | 'isPending'> {
  readonly target: NamedTarget;
  /** The record of what it is of, which may show all this, was not read. */
  readonly isUnread: boolean;
}

/** What a Set holds, from whichever read shows most. */
export interface HeldSet {
  readonly set: AuditedSet;
  readonly work: WorkTarget | null;
  /** What it lists, with a picture or without: of a Set for several that is all that it is for. */
  readonly targets: readonly NamedTarget[];
  readonly language: string | null;
  readonly pictures: readonly HeldPicture[];
  /** The account's own record of it shows its pictures in a form that this program does not know. */
  readonly isUnclear: boolean;
}

/** What is known of Assets by what lists them, and of which targets the lists were read. */
export interface ListedFacts {
  /** By their paths. */
  readonly assets: ReadonlyMap<string, ListedAsset>;
  isRead(target: NamedTarget): boolean;
}

/** A Set as public reads show it. */
export function heldPublicly(
  set: ArtworkSet,
  { assets, isRead }: ListedFacts,
  own: 'another’s' | 'unclear',
): HeldSet {
  const { kind, id, title, createdBy, created, updated, work, language, places } = set;
  const isUnclear = own === 'unclear';
  return {
    set: {
      kind,
      id,
      title: shortLine(title),
      by: shortLine(createdBy) || null,
      own: isUnclear,
      changedAt: updated ?? created,
    },
    ...{ work, language, isUnclear },
    targets: entitiesOf(places.map(({ target }) => target)),
    pictures: picturesOf(set).flatMap(({ target: of, slot, path }) =>
      entitiesOf([of]).map((target) => {
        const known = assets.get(path);
        return {
          ...factsOf(known ?? listedAssetOf(path)),
          ...{ target, slot, path, isUnread: known === undefined && !isRead(target) },
        };
      }),
    ),
  };
}

/**
 * A Set of the connected account's, with what is not published yet.
 * @returns null where it does not tell of everything that it lists what it is of: nothing could be called missing then
 */
export function heldByOwner({
  id,
  kind,
  title,
  createdBy,
  revision,
  work,
  language,
  pictures,
  isComplete,
}: OwnSet): HeldSet | null {
  if (!isComplete) return null;
  const held = pictures.flatMap(({ target, slot, ...facts }) =>
    target === null
      ? []
      : entitiesOf([target]).map((of) => ({ ...facts, slot, target: of, isUnread: false })),
  );
  return {
    set: {
      ...{ kind: kind ?? 'set', id, title: shortLine(title), by: shortLine(createdBy) || null, own: true },
      // A service may have revisions of another form than times.
      changedAt: /^\d{4}-\d\d-\d\dT/.test(revision) ? revision : null,
    },
    ...{ work, language, pictures: held, isUnclear: false },
    targets: entitiesOf(held.map(({ target }) => target)),
  };
}

/** The entities that these are, each once: groups are none. */
export function entitiesOf(targets: readonly TargetReference[]): NamedTarget[] {
  const entities = targets.flatMap(({ kind, id }) =>
    isKind(kind) && typeof id === 'number' ? [{ kind, id }] : [],
  );
  return [...new Map(entities.map((entity) => [keyOfTarget(entity), entity])).values()];
}

function factsOf({ createdBy: _, setId: __, ...facts }: ListedAsset) {
  return facts;
}
