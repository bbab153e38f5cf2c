import { z } from 'zod';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import {
  findRelationship,
  ownedAsset,
  ownedGroup,
  ownedSet,
  relationship,
  revisionOf,
} from '../../catalogue/records/owned.ts';
import type { JsonObject } from '../../catalogue/request.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import type { TargetReference } from '../../model/target.ts';
import { quoted } from '../../text.ts';
import type { OwnedReads } from '../ports.ts';

/** One revision that a change rests on. */
export interface Guard {
  readonly of: 'asset' | 'set' | 'group' | 'relationship';
  /** What it is the revision of; of a relationship its target. */
  readonly about: TargetReference;
  /** What the caller has seen, byte for byte; null: nothing was there. */
  readonly expected: string | null;
  /** The service compares it too, by a field that the interface document shows. */
  readonly onWire: boolean;
}

type Guarded = Pick<Guard, 'of' | 'about'>;

/** Where the revision that a change rests on is read; what stands there may be anything. */
export type RevisionRule =
  /** Nothing that exists is changed. */
  | { readonly of: 'nothing' }
  /** `get_owned` shows it. */
  | { readonly of: 'asset' | 'set' | 'group'; readonly id: unknown }
  | { readonly of: 'relationship'; readonly targetKind: unknown; readonly targetId: unknown };

/** Tells it from the arguments of a call, which may be anything. */
export type RevisionSource = (given: Readonly<Record<string, unknown>>) => RevisionRule;

/** Of what is made anew. */
export const noRevision: RevisionSource = () => ({ of: 'nothing' });

/** Of the Asset, Set or group that an argument names. */
export function revisionOfOwned(of: 'asset' | 'set' | 'group', argument: string): RevisionSource {
  return (given) => ({ of, id: given[argument] });
}

/** The guard of the revision that a change rests on; null where nothing that exists is changed. */
export function guardOf(rule: RevisionRule, expected: string | null, onWire: boolean): Guard | null {
  if (rule.of === 'nothing') return null;
  const [kind, id] =
    rule.of === 'relationship' ? [rule.targetKind, rule.targetId] : [rule.of as unknown, rule.id];
  if (typeof kind !== 'string' || (typeof id !== 'number' && typeof id !== 'string'))
    throw new TypeError('The arguments do not name what their revision is of.');
  return { of: rule.of, about: { kind, id }, expected, onWire };
}

/** What has to be granted for the guard to be read. */
export function neededToRead({ of }: Pick<Guard, 'of'>): NeededScopes {
  return { asset: ownedAsset, set: ownedSet, group: ownedGroup, relationship }[of].needed;
}

/** What a guard's read shows now; null: there is no such relationship. */
export async function readGuarded(
  { of, about }: Guarded,
  owned: OwnedReads,
  deadline: Deadline,
): Promise<JsonRecord | null> {
  switch (of) {
    case 'asset':
      return owned.readAsset(about.id, deadline);
    case 'set':
      return owned.readSet(about.id, deadline);
    case 'group':
      return owned.readGroup(about.id, deadline);
    case 'relationship':
      return readRelationship(owned, about, deadline);
  }
}

/** A list that is longer is not followed. */
const mostPages = 1_000;

/** @throws ArtworkError `bad_response` where the list does not come to its end: what it lacks is not known then */
async function readRelationship(
  owned: OwnedReads,
  { kind, id }: TargetReference,
  deadline: Deadline,
): Promise<JsonRecord | null> {
  let page: string | null = null;
  for (let read = 0; read < mostPages; read += 1) {
    const list: Awaited<ReturnType<OwnedReads['readRelationships']>> = await owned.readRelationships(
      page,
      deadline,
    );
    const found = findRelationship(list.items, { targetKind: kind, targetId: id });
    if (found !== null || list.nextPage === null) return found;
    page = list.nextPage;
  }
  const message = `The relationship to ${kind} ${id} is not known: the service's list of them does not end.`;
  throw new ArtworkError('bad_response', message);
}

/** As many as connections to the protected reads. */
const readAtOnce = 4;

/**
 * Reads what a change rests on and compares it.
 * @returns the record of the first guard; null: it has none
 * @throws ArtworkError `stale_revision` for a mismatch; others: it could not be read
 */
export async function compareRevisions(
  guards: readonly Guard[],
  owned: OwnedReads,
  deadline: Deadline,
): Promise<JsonRecord | null> {
  const records = await mapLimit(guards, readAtOnce, (guard) => readExpected(guard, { owned, deadline }));
  return records[0] ?? null;
}

/**
 * What a guard's record shows while it has the revision that is expected.
 * @throws ArtworkError `stale_revision` with both values and what to read again
 */
export async function readExpected(
  { of, about, expected }: Guarded & Pick<Guard, 'expected'>,
  { owned, deadline }: { readonly owned: OwnedReads; readonly deadline: Deadline },
): Promise<JsonRecord | null> {
  const record = await readGuarded({ of, about }, owned, deadline);
  const current = record === null ? null : revisionOf(record);
  if (current === expected) return record;
  const what = of === 'relationship' ? `relationship to ${about.kind} ${about.id}` : `${of} ${about.id}`;
  const [now, then] = [current ?? 'none', expected ?? 'none'].map((revision) =>
    quoted(revision.slice(0, 100)),
  );
  const message = `The ${what} has changed since it was read, so nothing was sent. Its revision is ${now} now, and expectedUpdatedAt is ${then}.`;
  throw new ArtworkError('stale_revision', message, {
    details: { of, id: about.id, expectedUpdatedAt: expected, currentUpdatedAt: current },
    next: readAgain({ of, about }),
  });
}

/** The call that shows a guarded record. */
export function readAgain({ of, about }: Guarded): Next {
  const why = 'Read it again and look at what changed. Then decide anew, with the revision that it shows.';
  return of === 'relationship'
    ? { tool: 'list_relationships', arguments: {}, why }
    : { tool: 'get_owned', arguments: { type: of, id: about.id }, why };
}

/** What public reads call otherwise (interface document, Resources). */
const otherNames: Readonly<Record<string, string>> = {
  titleBase: 'title',
  languageCode: 'language',
  editionId: 'edition',
};

/** A member of a record in either of the words that records have for it; undefined where it shows none. */
export function shownIn(record: JsonRecord, name: string): unknown {
  const other = otherNames[name];
  return record[name] === undefined && other !== undefined ? record[other] : record[name];
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The plain values of these members, where the record shows them. */
export function shownAmong(record: JsonRecord, names: readonly string[]): JsonObject {
  const found = names.flatMap((name): [string, JsonObject[string]][] => {
    const shown = plain.safeParse(shownIn(record, name));
    return shown.success ? [[name, shown.data]] : [];
  });
  return Object.fromEntries(found);
}
