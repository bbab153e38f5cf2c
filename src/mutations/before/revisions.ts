import { revisionOf } from '../../catalogue/records/owned.ts';
import { missingScopes } from '../../catalogue/authorization.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, inShort } from '../../errors.ts';
import type { Warning } from '../finding.ts';
import { nameOfOwned } from '../names.ts';
import type { MutationPorts, OwnedReads, PublicReads } from '../ports.ts';
import type { Guard, GuardName } from './guard.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import type { CheckContext } from './shown-records.ts';
import { correctedCall, detailsOfObjections, nextLookAtOccupant, type Objection } from './objection.ts';

/**
 * The guards whose records the connection may read, or has to: a revision that the service compares too is left to
 * it where a scope is lacking.
 */
export function selectReadableGuards(guards: readonly Guard[], scopes: readonly string[]): readonly Guard[] {
  return guards.filter(
    ({ alsoOnWire, needed }) => alsoOnWire !== true || missingScopes(needed, scopes).length === 0,
  );
}

/** Reads at a time: the interface document names no limit, so few. */
const atOnce = 4;

/** Something that a mutation depends on, as it was read. */
interface GuardedRecord {
  readonly kind: string;
  readonly id: number | string;
  /** The guard's name, and what it has read; null: there is none. */
  readonly guard: GuardName;
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
  const record = await guard.read(owned, deadline);
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
  const what = title === null ? name : `${name} (${title})`;
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
    await compareRevisions(selectReadableGuards(guards, scopes), owned, deadline);
    return null;
  } catch (error) {
    if (error instanceof ArtworkError) return error;
    throw error;
  }
}

type Looking = Pick<CheckContext, 'records' | 'scopes' | 'deadline'>;

/** What stands against a mutation, as far as the service shows it. */
export async function findObjections(
  { owned, catalogue }: Pick<MutationPorts, 'owned' | 'catalogue'>,
  { mutation, targets }: Prepared,
  looking: Looking,
): Promise<readonly Objection[]> {
  return mutation.check({ ...looking, targets, owned, catalogue });
}

/** Why nothing was claimed, and the call that is meant. */
export function objectionsError(
  { mutation, given, progress }: Prepared,
  objections: readonly Objection[],
  { dryRun, idIsTaken }: { readonly dryRun: boolean; readonly idIsTaken: boolean },
): ArtworkError {
  const refusal = refusalOfObjections(objections);
  const args = given ?? mutation.again(progress);
  const { operation: tool, clientMutationId } = mutation;
  const wrong = {
    tool,
    arguments: args === null || !dryRun ? args : { ...args, dryRun },
    clientMutationId,
    idIsTaken,
  };
  const next =
    correctedCall(wrong, objections) ??
    nextLookAtOccupant(objections) ??
    objections.find((one) => one.next !== undefined)?.next;
  return new ArtworkError(refusal.category, refusal.message, { ...refusal, next });
}

/** A conflict that the service told, with what stands there now and the call that changes that. */
export function explainedConflictError(
  { mutation, given, progress }: Prepared,
  conflict: ArtworkError,
  objections: readonly Objection[],
): ArtworkError {
  const there = objections.filter(({ category }) => category === 'conflict');
  const standing = detailsOfObjections(there);
  if (standing === undefined) return conflict;
  const { operation: tool, clientMutationId } = mutation;
  const wrong = { tool, arguments: given ?? mutation.again(progress), clientMutationId, idIsTaken: true };
  const next = correctedCall(wrong, there) ?? nextLookAtOccupant(there) ?? undefined;
  const details = { ...conflict.details, ...standing };
  return new ArtworkError(conflict.category, conflict.message, { ...conflict, next, details });
}

const mostTold = 5;
/** Objections that one error, or the warnings of one call, name. */
const mostNamed = 20;

/** One error for all that stands against a mutation: its category and code are those of the first. */
function refusalOfObjections(objections: readonly Objection[]): ArtworkError {
  const [first] = objections;
  if (first === undefined) throw new TypeError('Nothing stands against it.');
  if (first.asked !== undefined) {
    const { category, code, message, path } = first;
    const issues = [{ code: code ?? category, message: 'needs a person’s word', path }];
    return new ArtworkError(category, message, { code, issues });
  }
  const told = objections.slice(0, mostTold).map(({ path, message }) => `${path.join('.')} ${message}`);
  const more = objections.length - told.length;
  return new ArtworkError(first.category, `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`, {
    code: first.code,
    issues: objections
      .slice(0, mostNamed)
      .map(({ category, code = category, path, message }) => ({ code, message: inShort(message), path })),
    details: detailsOfObjections(objections),
  });
}

/** Whether it stops the call at hand. */
export function isCertain({ doubtful, told, asked }: Objection, { dryRun }: { readonly dryRun: boolean }) {
  return doubtful !== true && told !== true && !(asked !== undefined && dryRun);
}

/** What is only pointed out. */
export function warningsOfObjections(objections: readonly Objection[]): readonly Warning[] {
  const own = objections.flatMap(({ told, asked, category, code = category, message }): Warning[] =>
    told === true || asked !== undefined ? [{ code, message: asked ?? message }] : [],
  );
  const doubtful = objections
    .filter((one) => one.doubtful === true)
    .slice(0, mostNamed)
    .map(({ path, message }) => ({
      code: 'may_be_refused',
      message: `${path.join('.')} ${message}. The service's document does not say whether it takes that, so the call sends it: where the service refuses it, nothing changes, and the corrected call needs a new id.`,
    }));
  return [...own, ...doubtful];
}
