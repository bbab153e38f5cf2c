import type { NeededScopes } from '../../catalogue/authorization.ts';
import type { Call } from '../../catalogue/call.ts';
import {
  findRelationship,
  ownedAsset,
  ownedGroup,
  ownedSet,
  type Relationship,
  type RelationshipTarget,
  relationship,
} from '../../catalogue/records/owned.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { OwnedReads } from '../ports.ts';

/** What a guard reads, for people; checks find what it has read by this name. */
export type GuardName =
  | `Asset ${string}`
  | `Set ${number}`
  | `group ${string | number}`
  | `relationship to ${string}`;

/** One revision that a mutation depends on. */
export interface Guard {
  readonly name: GuardName;
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

/** Guards the revision of an Asset. */
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

/** Guards the revision of a Set. */
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

/** Guards the revision of a Boxset or Loadout. */
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

/** Guards the revision of a relationship. */
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

type Owned = 'asset' | 'set' | 'group';

/** The record; where there is none of its id, the error says where such ids are found. */
export async function withIdHint<Found>(reading: Promise<Found>, type: Owned): Promise<Found> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const { words, next } = where[type];
    const { message, code, status, details, issues } = error;
    const facts = { code, status, details, issues, next: error.next ?? next, cause: error };
    throw new ArtworkError('not_found', `${message} ${words}`, facts);
  }
}

const where: Readonly<Record<Owned, { readonly words: string; readonly next?: Next }>> = {
  asset: { words: 'get_owned of a Set or group lists the ids of its Assets.' },
  set: foundBy('media_set', 'It lists your Sets with their ids (kind talent_set: your Talent Sets).'),
  group: foundBy('boxset', 'It lists your Boxsets with their ids (family game: your Loadouts).'),
};

function foundBy(kind: 'media_set' | 'boxset', why: string): { readonly words: string; readonly next: Next } {
  const next = { tool: 'find_upload_destinations', arguments: { kind }, why };
  return { words: 'find_upload_destinations finds the ids.', next };
}
