import type { JsonRecord } from '../../catalogue/records/members.ts';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import {
  findRelationship,
  ownedAsset,
  ownedGroup,
  ownedSet,
  type Relationship,
  type RelationshipTarget,
  relationship,
} from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import type { RevisionRule } from '../operations/arguments.ts';
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
  readonly about: TargetReference;
  /** What the caller has seen; null: nothing was there. */
  readonly expected: string | null;
  readonly needed: NeededScopes;
  /**
   * The service compares it. `also`: where the connection may not read it, the service's word is enough. `alone`: it goes
   * with the request, and is read only after a conflict, to tell which revision has moved. Left out: it does not compare it.
   */
  readonly onWire?: 'also' | 'alone' | undefined;
  /** The call that shows it again. */
  readonly again: Next & { readonly tool: string };
  /** Told with the error where there is no record of the id that was given. */
  readonly hint?: IdHint;
  /** The record as it is now; null: there is none. */
  read(owned: OwnedReads, deadline: Deadline): Promise<JsonRecord | null>;
}

/**
 * The guard of the revision that a mutation rests on; none where nothing that exists is changed.
 * @param revision by arguments that were parsed
 */
export function guardsOfRevision(revision: RevisionRule, expected: string | null): readonly Guard[] {
  switch (revision.of) {
    case 'nothing':
      return [];
    case 'owned': {
      const { type, id } = revision;
      if (type === 'asset' && typeof id === 'string') return [assetGuard(id, expected)];
      if (type === 'set' && typeof id === 'number') return [setGuard(id, expected)];
      if (type === 'group' && isId(id)) return [groupGuard(id, expected)];
      break;
    }
    case 'relationship': {
      const { targetKind, targetId } = revision;
      if (typeof targetKind === 'string' && isId(targetId))
        return [relationshipGuard({ targetKind, targetId }, expected)];
    }
  }
  throw new TypeError('The arguments do not name what their revision is of.');
}

function isId(id: unknown): id is number | string {
  return typeof id === 'number' || typeof id === 'string';
}

/** Guards the revision of an Asset. */
export function assetGuard(id: string, expected: string | null): Guard {
  const read: Guard['read'] = (owned, deadline) => owned.readAsset(id, deadline);
  return ownedGuard('asset', id, { name: `Asset ${id}`, expected, needed: ownedAsset.needed, read });
}

/** Guards the revision of a Set. */
function setGuard(id: number, expected: string | null): Guard {
  const read: Guard['read'] = (owned, deadline) => owned.readSet(id, deadline);
  return ownedGuard('set', id, { name: `Set ${id}`, expected, needed: ownedSet.needed, read });
}

/** Guards the revision of a Boxset or Loadout. */
function groupGuard(id: number | string, expected: string | null): Guard {
  const read: Guard['read'] = (owned, deadline) => owned.readGroup(id, deadline);
  return ownedGuard('group', id, { name: `group ${id}`, expected, needed: ownedGroup.needed, read });
}

function ownedGuard(type: Owned, id: number | string, guard: Omit<Guard, 'about' | 'again' | 'hint'>): Guard {
  return {
    ...guard,
    about: { kind: type, id },
    again: {
      tool: 'get_owned',
      arguments: { type, id },
      why: 'Read it again, look at what changed, then decide anew with the revision that it shows.',
    },
    hint: hints[type],
  };
}

/** Guards the revision of a relationship. */
function relationshipGuard(target: RelationshipTarget, expected: string | null): Guard {
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
    read: (owned, deadline) => readRelationship(owned, target, deadline),
  };
}

/** A service that pages for ever is not followed for ever. */
const mostPages = 1_000;

/**
 * The relationship to a target; null only where the whole list was read and shows none.
 * @throws ArtworkError `bad_response` where the list does not come to its end: what it holds is not known then
 */
export async function readRelationship(
  owned: OwnedReads,
  target: RelationshipTarget,
  deadline: Deadline,
): Promise<Relationship | null> {
  const pages = new Set<string>();
  for (let page: string | null = null; ; ) {
    const { items, nextPage } = await owned.readRelationships(page, deadline);
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

type Owned = 'asset' | 'set' | 'group';

/** What a guard reads now; where there is none of its id, the error says where such ids are found. */
export async function readGuarded({ hint, read }: Guard, owned: OwnedReads, deadline: Deadline) {
  try {
    return await read(owned, deadline);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found' || hint === undefined) throw error;
    const { words, next } = hint;
    const facts = { ...error, next: error.next ?? next, cause: error };
    throw new ArtworkError('not_found', `${error.message} ${words}`, facts);
  }
}

const hints: Readonly<Record<Owned, IdHint>> = {
  asset: { words: 'get_owned of a Set or group lists the ids of its Assets.' },
  set: foundBy('media_set', 'It lists your Sets with their ids (kind talent_set: your Talent Sets).'),
  group: foundBy('boxset', 'It lists your Boxsets with their ids (family game: your Loadouts).'),
};

interface IdHint {
  readonly words: string;
  readonly next?: Next;
}

function foundBy(kind: 'media_set' | 'boxset', why: string): IdHint {
  const next = { tool: 'find_upload_destinations', arguments: { kind }, why };
  return { words: 'find_upload_destinations finds the ids.', next };
}
