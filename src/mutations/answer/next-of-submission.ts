import type { Next } from '../../errors.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import { nextResume, nextStatus, mayHaveBeenApplied, nextAfterMovedRevision } from '../next-calls.ts';
import { nextLookAtOccupant } from '../checks/corrected-call.ts';
import { readObjections } from '../checks/objection.ts';
import type { Mutation } from '../mutation.ts';
import type { MutationResult } from '../result.ts';
import { readCheckpoint } from '../checkpoint.ts';
import { findOperation } from '../operations/find-operation.ts';

/** After so many runs in a row that brought nothing new, a person has to look. */
const mostIdle = 3;

/** What brings a submission forward. `looked`: the answer comes from a look at the service. */
export function nextOfSubmission(
  view: EntryView,
  mutation: Mutation,
  outcome: MutationResult['outcome'],
  looked: boolean,
): Next | undefined {
  const { entry, live } = view;
  const { clientMutationId } = mutation;
  switch (outcome) {
    case 'succeeded':
    case 'dry_run':
      return undefined;
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return (
        nextLookAtOccupant(readObjections(entry.error?.details)) ??
        nextAfterFailure(mutation.operation, outcome)
      );
    case 'processing':
    case 'unresolved': {
      if (entry.abandonedAt !== null) {
        return {
          why: 'A person gave this submission up, and its kept bytes with it. The service may go on with what it has: a person looks there; what is still wanted then is made anew under a new id.',
          doNot: 'make it anew before a person has looked',
        };
      }
      if (live) {
        const why =
          outcome === 'unresolved'
            ? 'The service could not confirm the result itself, and may still be at work on it: this asks again, and waits for its word.'
            : 'It is being worked on: this waits for the outcome.';
        return nextStatus(clientMutationId, why);
      }
      const moved = entry.state === 'unresolved' ? nextAfterMovedRevision(entry) : null;
      if (moved !== null) return moved;
      if (entry.error?.details?.earlierSubmission !== undefined) return person(entry.error.message);
      const checkpoint = readCheckpoint(entry.progress);
      const stopped = checkpoint?.stopped?.message ?? null;
      if ((checkpoint?.idle ?? 0) >= mostIdle) return person(stopped);
      if (outcome === 'unresolved' && !looked && entry.state === 'unresolved') {
        return nextStatus(clientMutationId, 'Whether it was admitted is not known: this asks again.');
      }
      return nextResume(
        mutation,
        `It is not finished, and no process works on it: this sends what is still lacking.${whatStopped(stopped)}`,
      );
    }
  }
}

function whatStopped(stopped: string | null): string {
  return stopped === null ? '' : ` What stopped it: ${stopped}`;
}

function person(stopped: string | null): Next {
  return {
    why: `Several tries brought nothing new. A person has to look at what stops it, or at the service; then resume_mutation goes on, or \`artwork-mcp mutations abandon\` frees the kept bytes.${whatStopped(stopped)}`,
    doNot: mayHaveBeenApplied,
  };
}

/**
 * What to do about a submission with failed items. "Failed items are corrected only by a new mutation, and only
 * after the submission is terminal" (States, 7).
 */
export function nextAfterFailure(operation: string, outcome: 'partial' | 'failed' | 'rolled_back'): Next {
  const revised = findOperation(operation)?.revision({}).of !== 'nothing';
  const another = `a new ${operation}${revised ? ' with its present revision' : ''}`;
  const how =
    outcome === 'partial'
      ? 'What succeeded stays, under its Asset ids. Each failed item says why: once that is mended, a new edit_set of this Set, under a new id, takes the failed items alone (plan_set of the mended folder with this setId finds them).'
      : `Nothing of it stays. Once what failed is mended, ${another} under a new id takes its place.`;
  return {
    tool: 'new_mutation_ids',
    arguments: { count: 1 },
    why: how,
    doNot: 'repeat or resume this one: it has ended',
  };
}
