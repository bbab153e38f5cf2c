import type { Call } from '../../catalogue/request-time.ts';
import { ArtworkError } from '../../errors.ts';
import type { RecordsByGuard } from './revisions.ts';
import type { Outgoing } from './outgoing.ts';
import type { MutationPorts } from '../ports.ts';
import { correctedCall, nextLookAtOccupant } from '../checks/corrected-call.ts';
import { detailsOfObjections, type Objection, refusalOfObjections } from '../checks/objection.ts';

interface Looking {
  readonly records: RecordsByGuard;
  readonly scopes: readonly string[];
  readonly call: Call;
}

/** What stands against a mutation, as far as the service shows it. */
export async function findObjections(
  { owned, catalogue }: Pick<MutationPorts, 'owned' | 'catalogue'>,
  { mutation, targets }: Outgoing,
  looking: Looking,
): Promise<readonly Objection[]> {
  return (await mutation.check?.({ ...looking, targets, owned, catalogue })) ?? [];
}

/** Why nothing was claimed, and the call that is meant. */
export function objectionsError(
  { mutation, given, progress }: Outgoing,
  objections: readonly Objection[],
  { dryRun, idIsTaken }: { readonly dryRun: boolean; readonly idIsTaken: boolean },
): ArtworkError {
  const { category, code, message, issues, details } = refusalOfObjections(objections);
  const args = given ?? mutation.again(progress);
  const { operation: tool, clientMutationId } = mutation;
  const wrong = {
    tool,
    arguments: args === null || !dryRun ? args : { ...args, dryRun },
    clientMutationId,
    idIsTaken,
  };
  const next = correctedCall(wrong, objections) ?? nextLookAtOccupant(objections) ?? undefined;
  return new ArtworkError(category, message, { code, issues, details, next });
}

/** A conflict that the service told, with what stands there now and the call that changes that. */
export function explainedConflictError(
  { mutation, given, progress }: Outgoing,
  conflict: ArtworkError,
  objections: readonly Objection[],
): ArtworkError {
  const there = objections.filter(({ category }) => category === 'conflict');
  const standing = detailsOfObjections(there);
  if (standing === undefined) return conflict;
  const { category, code, message, status, issues, details } = conflict;
  const { operation: tool, clientMutationId } = mutation;
  const wrong = { tool, arguments: given ?? mutation.again(progress), clientMutationId, idIsTaken: true };
  const next = correctedCall(wrong, there) ?? nextLookAtOccupant(there) ?? undefined;
  const facts = { code: code === category ? undefined : code, status, issues, next };
  return new ArtworkError(category, message, { ...facts, details: { ...details, ...standing } });
}
