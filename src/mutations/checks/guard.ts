import type { Call } from '../../catalogue/call-time.ts';
import { ownedAsset } from '../../catalogue/records/owned-asset.ts';
import { ownedGroup } from '../../catalogue/records/owned-group.ts';
import { ownedSet } from '../../catalogue/records/owned-set.ts';
import {
  findRelationship,
  type Relationship,
  type RelationshipTarget,
  relationship,
} from '../../catalogue/records/relationship.ts';
import type { NeededScopes } from '../../catalogue/scopes.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { OwnedReads } from '../ports.ts';
import { withIdHint } from './id-hints.ts';

/** One revision that a mutation depends on. */
export interface Guard {
  /** `Asset 3f…`, for people. */
  readonly name: string;
  /** What it is the revision of. */
  readonly about: { readonly kind: string; readonly id: number | string };
  /** What the caller has seen; null: nothing was there. */
  readonly expected: string | null;
  readonly needed: NeededScopes;
  /**
   * The service compares it too: where the connection may not read it, the service's word is enough. Left out:
   * the service does not compare it.
   */
  readonly alsoOnWire?: boolean;
  /** The call that shows it again. */
  readonly again: Next & { readonly tool: string };
  /** The record as it is now; null: there is none. */
  read(owned: OwnedReads, call: Call): Promise<Readonly<Record<string, unknown>> | null>;
}

export function assetGuard(assetId: string, expected: string | null): Guard {
  return {
    name: `Asset ${assetId}`,
    about: { kind: 'asset', id: assetId },
    expected,
    needed: ownedAsset.needed,
    again: readAgain('asset', assetId),
    read: (owned, call) => withIdHint(owned.readAsset(assetId, call), 'asset'),
  };
}

export function setGuard(setId: number, expected: string | null): Guard {
  return {
    name: `Set ${setId}`,
    about: { kind: 'set', id: setId },
    expected,
    needed: ownedSet.needed,
    again: readAgain('set', setId),
    read: (owned, call) => withIdHint(owned.readSet(setId, call), 'set'),
  };
}

export function groupGuard(groupId: number | string, expected: string | null): Guard {
  return {
    name: `group ${groupId}`,
    about: { kind: 'group', id: groupId },
    expected,
    needed: ownedGroup.needed,
    again: readAgain('group', groupId),
    read: (owned, call) => withIdHint(owned.readGroup(groupId, call), 'group'),
  };
}

export function relationshipGuard(target: RelationshipTarget, expected: string | null): Guard {
  return {
    name: `relationship to ${target.targetKind} ${target.targetId}`,
    about: { kind: target.targetKind, id: target.targetId },
    expected,
    needed: relationship.needed,
    again: {
      tool: 'list_relationships',
      arguments: {},
      why: 'Read the relationship again, look at what changed, then decide anew.',
    },
    read: (owned, call) => readRelationship(owned, target, call),
  };
}

/** A service that pages for ever is not followed for ever. */
export const mostPages = 1_000;

/**
 * The relationship to a target; null only where the whole list was read and shows none.
 * @throws ArtworkError `bad_response` where the list does not come to its end: what it holds is not known then
 */
export async function readRelationship(
  owned: OwnedReads,
  target: RelationshipTarget,
  call: Call,
): Promise<Relationship | null> {
  const pages = new Set<string>();
  for (let page: string | null = null; ; ) {
    const { items, nextPage } = await owned.readRelationships(page, call);
    const found = findRelationship(items, target);
    if (found !== null || nextPage === null) return found;
    const { targetKind, targetId } = target;
    const unknown = `whether there is one to ${targetKind} ${targetId} is not known`;
    if (pages.has(nextPage)) {
      const message = `The service's list of relationships leads back to a page that was read before, so ${unknown}.`;
      throw new ArtworkError('bad_response', message);
    }
    if (pages.size >= mostPages) {
      const message = `The service's list of relationships goes on after ${mostPages} pages, so ${unknown}.`;
      throw new ArtworkError('bad_response', message);
    }
    pages.add(nextPage);
    page = nextPage;
  }
}

function readAgain(type: 'asset' | 'set' | 'group', id: string | number): Guard['again'] {
  return {
    tool: 'get_owned',
    arguments: { type, id },
    why: 'Read it again, look at what changed, then decide anew with the revision that it shows.',
  };
}
