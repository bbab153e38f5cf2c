import type { ArtworkError, Next } from '../../errors.ts';
import { type AccountScope, compareAccounts, type MutationRecord, standingOf } from '../../ledger/rows.ts';
import { askStatus, goOnWith } from '../answer/next.ts';
import { MutationError } from '../answer/result.ts';
import { sentenceOf } from '../answer/words.ts';

/**
 * The error of a change that can't be made beside another one of this user, which is open, or was done while this call was
 * on its way.
 */
export function conflictError(id: string, other: MutationRecord, scope: AccountScope): ArtworkError {
  const { row } = other;
  const standing = standingOf(row);
  const isOther = compareAccounts(row, scope) === 'other';
  const what = isOther ? 'a change of another account' : sentenceOf(other).what;
  const message = `Nothing was sent: an earlier change is about the same thing. It is ${row.id} (${what}), and its outcome is ${standing}.`;
  return new MutationError('conflict', message, {
    clientMutationId: id,
    outcome: 'not_sent',
    details: { heldBy: row.id, outcome: standing, operation: row.operation },
    next: isOther ? { why: 'A person decides about the change of the other account.' } : nextOf(other),
  });
}

/** What is open is finished first; what was done is looked at. */
function nextOf({ row }: MutationRecord): Next {
  const isOpen = row.state !== 'settled' && row.abandonedAt === null;
  if (isOpen && !row.isLive) {
    const why =
      'The earlier change is not finished: this goes on with it. Only a person decides whether a second one is wanted.';
    return goOnWith(row, why);
  }
  const why =
    'This tells what became of the earlier change. Only a person decides whether a second one is wanted.';
  return askStatus(row.id, why, 'make a second one before a person has said so');
}

/** The error of an id that stands for something else. */
export function idReusedError({ row, body }: MutationRecord): MutationError {
  const { what } = sentenceOf({ row, body });
  const message = `The id ${row.id} stands for another change (${what}), whose outcome is ${standingOf(row)}. This call sent nothing. It needs an id of its own.`;
  return new MutationError('mutation_id_reused', message, {
    clientMutationId: row.id,
    details: { operation: row.operation, target: body.target, outcome: standingOf(row) },
    next: {
      tool: 'new_mutation_ids',
      arguments: { count: 1 },
      why: `A new change takes a new id. get_mutation_status tells what became of ${row.id}.`,
    },
  });
}
