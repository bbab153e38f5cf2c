import type { Next } from '../errors.ts';
import type { LedgerEntry } from '../ledger/entry.ts';

export const mayHaveBeenApplied =
  'use a new clientMutationId for it, change its arguments, or upload a second time: it may have been applied';

/** To ask what became of a mutation. */
export function nextStatus(clientMutationId: string, why: string): Next {
  return {
    tool: 'get_mutation_status',
    arguments: { clientMutationId },
    why,
    doNot: mayHaveBeenApplied,
  };
}

/** What became of a change that is known to have been made, so that the same is not made once more by mistake. */
export function nextStatusOfDone(clientMutationId: string): Next {
  return {
    tool: 'get_mutation_status',
    arguments: { clientMutationId },
    why: 'This tells what the other call has made. Whether a second one is wanted beside it only a person decides.',
    doNot:
      'make it a second time, under this id or another, before a person has said that a second one is wanted',
  };
}

interface Resumed {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt: string | null;
}

/** To go on with a mutation under its first identity. */
export function nextResume({ clientMutationId, expectedUpdatedAt }: Resumed, why: string): Next {
  return {
    tool: 'resume_mutation',
    // Some hosts can't send a null that is required.
    arguments: { clientMutationId, expectedUpdatedAt: expectedUpdatedAt ?? 'none' },
    why,
    doNot: mayHaveBeenApplied,
  };
}

/** What a person does about an unknown outcome where the revision has moved; null where it has not. */
export function nextAfterMovedRevision({ error }: Pick<LedgerEntry, 'error'>): Next | null {
  return error?.category === 'stale_revision' ? nextForMovedRevision(error.message) : null;
}

/** What a person decides where the revision has moved since an unknown outcome. */
export function nextForMovedRevision(message: string): Next {
  return {
    why: `${message} Whether the first request was applied is not known, and what it acts on has changed since, so it is not repeated. A person looks at the service: if it is there, or no longer wanted, \`artwork-mcp mutations abandon\` ends this one; if it is still wanted, it is then made anew under a new id, with the present revision.`,
    doNot: mayHaveBeenApplied,
  };
}
