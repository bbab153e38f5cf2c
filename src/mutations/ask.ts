import type { Next } from '../errors.ts';

export const mayHaveBeenApplied =
  'use a new clientMutationId for it, change its arguments, or upload a second time: it may have been applied';

export function askStatus(clientMutationId: string, why: string): Next {
  return {
    tool: 'get_mutation_status',
    arguments: { clientMutationId },
    why,
    doNot: mayHaveBeenApplied,
  };
}

interface Resumed {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt: string | null;
}

/** To go on with a mutation under its first identity. */
export function askResume({ clientMutationId, expectedUpdatedAt }: Resumed, why: string): Next {
  return {
    tool: 'resume_mutation',
    // Some hosts can't send a null that is required.
    arguments: { clientMutationId, expectedUpdatedAt: expectedUpdatedAt ?? 'none' },
    why,
    doNot: mayHaveBeenApplied,
  };
}
