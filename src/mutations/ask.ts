import type { Next } from '../errors.ts';
import type { Mutation } from './mutation.ts';

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

/** To go on with a mutation under its first identity. */
export function askResume(
  { clientMutationId, expectedUpdatedAt }: Pick<Mutation, 'clientMutationId' | 'expectedUpdatedAt'>,
  why: string,
): Next {
  return {
    tool: 'resume_mutation',
    arguments: { clientMutationId, expectedUpdatedAt },
    why,
    doNot: mayHaveBeenApplied,
  };
}
