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
import { revisionOf } from '../../catalogue/revision.ts';
import { missingScopes, type NeededScopes } from '../../catalogue/scopes.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { nameOfOwned } from '../names.ts';
import type { OwnedReads, PublicReads } from '../ports.ts';
import { withIdHint } from '../checks/id-hints.ts';

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
   * nobody else compares it.
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
const mostPages = 1_000;

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

/**
 * Those whose records the connection may read, or has to: a revision that the service compares too is left to it
 * where a scope is lacking.
 */
export function readableGuards(guards: readonly Guard[], scopes: readonly string[]): readonly Guard[] {
  return guards.filter(
    ({ alsoOnWire, needed }) => alsoOnWire !== true || missingScopes(needed, scopes).length === 0,
  );
}

/** Reads at a time: the interface document names no limit, so few. */
const atOnce = 4;

/** Something that a mutation depends on, as it was read. */
export interface GuardedRecord {
  readonly kind: string;
  readonly id: number | string;
  /** What people call it; null where its record does not tell. */
  readonly title: string | null;
  /** The guard's name, and what it has read; null: there is none. */
  readonly guard: string;
  readonly record: Readonly<Record<string, unknown>> | null;
}

type TargetNames = Pick<PublicReads, 'nameOf'>;
const noNames: TargetNames = { nameOf: () => null };

/**
 * Reads what the mutation depends on and compares the revisions byte for byte.
 * @throws ArtworkError `stale_revision`, or why something could not be read
 */
export async function compareRevisions(
  guards: readonly Guard[],
  owned: OwnedReads,
  call: Call,
  targets: TargetNames = noNames,
): Promise<readonly GuardedRecord[]> {
  const seen: GuardedRecord[] = [];
  for (let first = 0; first < guards.length; first += atOnce) {
    const some = guards.slice(first, first + atOnce);
    seen.push(...(await Promise.all(some.map((guard) => compare(guard, owned, call, targets)))));
  }
  return seen;
}

/** What guards have read, by their names. */
export type RecordsByGuard = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export function recordsOf(seen: readonly GuardedRecord[]): RecordsByGuard {
  return new Map(seen.flatMap(({ guard, record }) => (record === null ? [] : [[guard, record] as const])));
}

async function compare(
  guard: Guard,
  owned: OwnedReads,
  call: Call,
  targets: TargetNames,
): Promise<GuardedRecord> {
  const record = await guard.read(owned, call);
  const actual = record === null ? null : revisionOf(record);
  const title = record === null ? null : nameOfOwned(record, targets);
  if (actual !== guard.expected) throw staleRevision(guard, actual, title);
  return { ...guard.about, title, guard: guard.name, record };
}

function staleRevision(
  { name, expected, again }: Guard,
  actual: string | null,
  title: string | null,
): ArtworkError {
  const seen = expected === null ? 'no revision' : `revision ${expected}`;
  const there = actual === null ? 'there is none now' : `it is at ${actual} now`;
  const what = title === null ? name : `${name} (${title})`;
  return new ArtworkError(
    'stale_revision',
    `The ${what} is not as you saw it: ${seen} was expected, ${there}.`,
    {
      details: { resource: name, expectedUpdatedAt: expected, actualUpdatedAt: actual },
      next: again,
    },
  );
}

function readAgain(type: 'asset' | 'set' | 'group', id: string | number): Guard['again'] {
  return {
    tool: 'get_owned',
    arguments: { type, id },
    why: 'Read it again, look at what changed, then decide anew with the revision that it shows.',
  };
}
