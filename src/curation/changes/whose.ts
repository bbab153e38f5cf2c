import type { Owned } from '../../catalogue/owned.ts';
import { idAt, recordAt, textAt } from '../../catalogue/records/members.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { allSetKinds, isGroupKind } from '../../model/kinds.ts';
import { keyOfTarget, type TargetReference } from '../../model/target.ts';
import type { OwnSets } from '../audit/which-sets.ts';
import type { Watched } from './watches.ts';

export const scopes = ['mine', 'watched', 'followed', 'all'] as const;
export type Scope = (typeof scopes)[number];

/** As much of one change as tells whose it is. */
export interface ChangeAbout {
  /** The Set that it is in, or that changed itself. */
  readonly set: TargetReference | null;
  /** What the picture is of, and what that is a part of. */
  readonly targets: readonly TargetReference[];
  readonly createdBy: string | null;
  /** The Assets that it brought and took away. */
  readonly assetIds: readonly string[];
}

/** Whether a change is one that is asked for. */
export interface Whose {
  holds(change: ChangeAbout): boolean;
  /** What has to be known beside the answer. */
  readonly warnings: readonly string[];
  /** Nothing can be held, so that nothing need be read. */
  readonly isEmpty: boolean;
}

interface WhoseReads {
  watched(): Promise<readonly Watched[]>;
  readonly owned: Pick<Owned, 'readRelationships'>;
  ownSets(): Promise<OwnSets>;
  readonly deadline: Deadline;
}

/** Tells whose changes are asked for. A scope holds for each change by itself: others change the same works. */
export async function changesAskedFor(scope: Scope, reads: WhoseReads): Promise<Whose> {
  switch (scope) {
    case 'all':
      return { holds: () => true, warnings: [], isEmpty: false };
    case 'watched': {
      const keys = (await reads.watched()).map(keyOfTarget);
      const nothing = 'Nothing is watched yet: watch adds works and Sets to the list.';
      return among({ keys, warnings: keys.length === 0 ? [nothing] : [] });
    }
    case 'followed':
      return followed(reads);
    case 'mine': {
      const { sets, account, assets, warnings } = await reads.ownSets();
      // Sets of all kinds are numbered together, groups apart from them.
      const kinds = allSetKinds.filter((kind) => !isGroupKind(kind));
      const keys = sets.flatMap((id) => kinds.map((kind) => keyOfTarget({ kind, id })));
      return among({ keys, names: account === null ? [] : [account], assets, warnings });
    }
  }
}

interface Those extends Pick<Whose, 'warnings'> {
  /** Works and Sets, by `keyOfTarget`. */
  readonly keys: Iterable<string>;
  readonly names?: Iterable<string>;
  readonly assets?: ReadonlySet<string>;
}

function among({ warnings, assets = new Set(), ...those }: Those): Whose {
  const [keys, names] = [new Set(those.keys), new Set(those.names)];
  return {
    holds: ({ set, targets, createdBy, assetIds }) =>
      (createdBy !== null && names.has(createdBy)) ||
      [...targets, ...(set === null ? [] : [set])].some((target) => keys.has(keyOfTarget(target))) ||
      assetIds.some((id) => assets.has(id)),
    warnings,
    isEmpty: keys.size + names.size + assets.size === 0,
  };
}

/** Pages of relationships; a person follows some hundreds at most. */
const mostPages = 20;

/** Creators by name, works and Sets by id, as relationships show them (interface document, Protected reads: assumed). */
async function followed({ owned, deadline }: WhoseReads): Promise<Whose> {
  const [names, keys] = [new Set<string>(), new Set<string>()];
  let unnamed = 0;
  let page: string | null = null;
  for (let pages = 0; pages < mostPages && (pages === 0 || page !== null); pages += 1) {
    const { items, nextPage } = await owned.readRelationships(page, deadline);
    page = nextPage;
    for (const record of items) {
      if (!stateOfRelationship(record)?.startsWith('follow')) continue;
      const target = recordAt(record, 'target');
      const name = textAt(target, 'name', 'username') ?? textAt(record, 'username', 'targetName');
      const kind = textAt(record, 'targetKind') ?? textAt(target, 'kind') ?? 'user';
      const id = idAt(record, 'targetId') ?? idAt(target, 'id');
      if (kind !== 'user' && id !== null) keys.add(keyOfTarget({ kind, id }));
      else if (name !== null) names.add(name);
      else unnamed += 1;
    }
  }
  const followsNobody =
    'This account follows no creator whose name the service shows. change_relationship follows one.';
  const someUnnamed = `${unnamed} that the account follows are left out, since the service shows no name for them.`;
  const isEmpty = names.size + keys.size === 0;
  return among({
    keys,
    names,
    warnings: [...(isEmpty ? [followsNobody] : []), ...(unnamed > 0 ? [someUnnamed] : [])],
  });
}
