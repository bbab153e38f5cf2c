import { quoted } from '../../text.ts';
import type { JsonRecord } from '../../catalogue/records/members.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import { missingScopes } from '../../catalogue/authorization.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { nameOfOwned } from '../names.ts';
import type { OwnedReads, PublicReads } from '../ports.ts';
import { type Guard, type GuardName, readGuarded } from './guard.ts';
import type { Mutation } from '../mutation.ts';
import type { CheckContext } from './shown-records.ts';

/**
 * The guards whose records are read, as far as the connection may: a revision that the service compares is left to it
 * where a scope is lacking, and one that it alone compares until it has told a conflict.
 */
export function selectGuards(
  guards: readonly Guard[],
  scopes: readonly string[],
  when: 'before' | 'after a conflict' = 'before',
): readonly Guard[] {
  return guards.filter(({ onWire, needed }) => {
    if (onWire === undefined) return true;
    const isLeft = onWire === 'alone' && when === 'before';
    return !isLeft && missingScopes(needed, scopes).length === 0;
  });
}

/** Reads at a time: the interface document names no limit, so few. */
const atOnce = 4;

/** Something that a mutation depends on, as it was read. */
interface GuardedRecord {
  readonly kind: string;
  readonly id: number | string;
  /** The guard's name, and what it has read; null: there is none. */
  readonly guard: GuardName;
  readonly record: JsonRecord | null;
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
  deadline: Deadline,
  targets: TargetNames = noNames,
): Promise<readonly GuardedRecord[]> {
  const seen: GuardedRecord[] = [];
  for (let first = 0; first < guards.length; first += atOnce) {
    const some = guards.slice(first, first + atOnce);
    seen.push(...(await Promise.all(some.map((guard) => compareRevision(guard, owned, deadline, targets)))));
  }
  return seen;
}

/** What guards read now, by the guards' names. */
export function revisionsByGuard(seen: readonly GuardedRecord[]): CheckContext['records'] {
  return new Map(seen.flatMap(({ guard, record }) => (record === null ? [] : [[guard, record] as const])));
}

async function compareRevision(
  guard: Guard,
  owned: OwnedReads,
  deadline: Deadline,
  targets: TargetNames,
): Promise<GuardedRecord> {
  const record = await readGuarded(guard, owned, deadline);
  const actual = record === null ? null : revisionOf(record);
  if (actual === guard.expected) return { ...guard.about, guard: guard.name, record };
  throw staleRevision(guard, actual, record === null ? null : nameOfOwned(record, targets));
}

function staleRevision(
  { name, expected, again }: Guard,
  actual: string | null,
  title: string | null,
): ArtworkError {
  const seen = expected === null ? 'no revision' : `revision ${expected}`;
  const there = actual === null ? 'there is none now' : `it is at ${actual} now`;
  const what = title === null ? name : `${name} (${quoted(title)})`;
  const message = `The ${what} is not as you saw it: ${seen} was expected, ${there}.`;
  const details = { resource: name, expectedUpdatedAt: expected, actualUpdatedAt: actual };
  return new ArtworkError('stale_revision', message, { details, next: again });
}

/**
 * Before a request is repeated whose outcome is unknown: whether what it acts on still is as its caller saw it. A
 * revision that the service compares too, and that this connection may not read, is left to the service.
 * @returns why it must not be sent now: `stale_revision` with both values, or why a revision could not be read
 */
export async function compareRevisionsBeforeRepeat(
  { guards }: Mutation,
  owned: OwnedReads,
  scopes: readonly string[],
  deadline: Deadline,
): Promise<ArtworkError | null> {
  try {
    await compareRevisions(selectGuards(guards, scopes), owned, deadline);
    return null;
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}
