import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import { isRecord, type JsonRecord } from '../../catalogue/records/members.ts';
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

/** The same for the same record, whatever the case of an Asset's id. */
export function keyOfGuard({ of, about }: Pick<Guard, 'of' | 'about'>): string {
  return `${of} ${about.kind} ${String(about.id).toLowerCase()}`;
}

/** What has to be granted for the guard to be read. */
export function neededToRead({ of }: Pick<Guard, 'of'>): NeededScopes {
  return { asset: ownedAsset, set: ownedSet, group: ownedGroup, relationship }[of].needed;
}

/** What a guard's read shows now; null: there is no such relationship. */
export async function readGuarded(
  { of, about }: Pick<Guard, 'of' | 'about'>,
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
  const seen = new Set<string>();
  for (let page: string | null = null; ; ) {
    const { items, nextPage } = await owned.readRelationships(page, deadline);
    const found = findRelationship(items, { targetKind: kind, targetId: id });
    if (found !== null || nextPage === null) return found;
    if (seen.has(nextPage) || seen.size >= mostPages) {
      const message = `The service's list of relationships does not end, so the one to ${kind} ${id} is not known.`;
      throw new ArtworkError('bad_response', message);
    }
    seen.add(nextPage);
    page = nextPage;
  }
}

/**
 * Reads what a change rests on and compares it. The order is that of the guards, so that its own record comes first.
 * @returns what was read, by `keyOfGuard`
 * @throws ArtworkError `stale_revision` for the first mismatch; others: it could not be read
 */
export async function compareRevisions(
  guards: readonly Guard[],
  owned: OwnedReads,
  deadline: Deadline,
): Promise<OwnRecords> {
  const records = new Map<string, JsonRecord>();
  for (let at = 0; at < guards.length; at += readAtOnce) {
    const some = guards.slice(at, at + readAtOnce);
    const found = await Promise.all(some.map((guard) => readGuarded(guard, owned, deadline)));
    for (const [index, guard] of some.entries()) {
      const record = found[index] ?? null;
      requireRevision(guard, record);
      if (record !== null) records.set(keyOfGuard(guard), record);
    }
  }
  return records;
}

/** As many as connections to the protected reads. */
const readAtOnce = 4;

/** Characters of a revision in a sentence; the details have the whole. */
const longestRevision = 100;

/** @throws ArtworkError `stale_revision` with both values and what to read again */
function requireRevision(
  { of, about, expected }: Pick<Guard, 'of' | 'about' | 'expected'>,
  record: JsonRecord | null,
): void {
  const current = record === null ? null : revisionOf(record);
  if (current === expected) return;
  const what =
    of === 'relationship' ? `the relationship to ${about.kind} ${about.id}` : `the ${of} ${about.id}`;
  const words = (revision: string | null) =>
    revision === null ? '"none"' : quoted(revision.slice(0, longestRevision));
  const message = `${what.charAt(0).toUpperCase()}${what.slice(1)} is not as it was read: expectedUpdatedAt is ${words(expected)}, and its revision is ${words(current)}. Nothing was sent.`;
  throw new ArtworkError('stale_revision', message, {
    details: { of, id: about.id, expectedUpdatedAt: expected, currentUpdatedAt: current },
    next: readAgain({ of, about }),
  });
}

/** The call that shows a guarded record. */
export function readAgain({ of, about }: Pick<Guard, 'of' | 'about'>): Next {
  const why = 'Read it again, look at what changed, then decide anew with the revision that it shows.';
  return of === 'relationship'
    ? { tool: 'list_relationships', arguments: {}, why }
    : { tool: 'get_owned', arguments: { type: of, id: about.id }, why };
}

/** A member of a record in either of the words that records have for it; undefined where it shows none. */
export function shownIn(record: JsonRecord, name: string): unknown {
  const other = otherNames[name];
  if (record[name] !== undefined || other === undefined) return record[name];
  return record[other];
}

/** What public reads call otherwise (interface document, Resources). */
const otherNames: Readonly<Record<string, string>> = {
  titleBase: 'title',
  languageCode: 'language',
  editionId: 'edition',
};

/** Records that the guards' reads have shown, by `keyOfGuard`. */
export type OwnRecords = ReadonlyMap<string, JsonRecord>;

/** The ids of a group's Sets; null where its record does not show them all. */
export function membersOf(record: JsonRecord): readonly number[] | null {
  const list = record.setIds ?? record.sets;
  if (!Array.isArray(list)) return null;
  const ids = list.map((one) => Number(isRecord(one) ? (one.id ?? one.setId) : one));
  return ids.every((id) => Number.isSafeInteger(id) && id >= 0) ? ids : null;
}

/** The key of an own record. */
export function keyOfOwned(of: 'asset' | 'set' | 'group', id: number | string): string {
  return keyOfGuard({ of, about: { kind: of, id } });
}

/** What a guard's record shows while it has the revision that is expected. @throws ArtworkError `stale_revision` */
export async function readExpected(
  guard: Pick<Guard, 'of' | 'about' | 'expected'>,
  { owned, deadline }: { readonly owned: OwnedReads; readonly deadline: Deadline },
): Promise<JsonRecord | null> {
  const record = await readGuarded(guard, owned, deadline);
  requireRevision(guard, record);
  return record;
}

/** Each field that is meant to have a value, beside the record's; one that is undefined is not meant to change. */
export function comparedWith(
  record: JsonRecord | null,
  meant: Readonly<Record<string, Json | undefined>>,
): { readonly meant: Json; readonly shown: unknown }[] {
  return Object.entries(meant).flatMap(([field, value]) =>
    value === undefined
      ? []
      : [{ meant: value, shown: record === null ? undefined : shownIn(record, field) }],
  );
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The plain values of these members, where the record shows them. */
export function shownAmong(record: JsonRecord | undefined, names: readonly string[]): JsonObject {
  const found = names.flatMap((name) => {
    const shown = plain.safeParse(record === undefined ? undefined : shownIn(record, name));
    return shown.success ? [[name, shown.data] as const] : [];
  });
  return Object.fromEntries(found);
}
