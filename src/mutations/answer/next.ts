import type { Next } from '../../errors.ts';

// Calls that lead on, each complete as it stands.

const perhapsApplied =
  'use a new clientMutationId, change the arguments, or upload again: it may have been applied';

/** Asks what became of a change, and waits for news of it. */
export function askStatus(clientMutationId: string, why: string, doNot: string = perhapsApplied): Next {
  return { tool: 'get_mutation_status', arguments: { clientMutationId }, why, doNot };
}

/** Goes on with a change under its first identity. */
export function goOnWith(
  { id, expectedUpdatedAt }: { readonly id: string; readonly expectedUpdatedAt: string | null },
  why: string,
): Next {
  // Some hosts can't send a null that is required.
  const args = { clientMutationId: id, expectedUpdatedAt: expectedUpdatedAt ?? 'none' };
  return { tool: 'resume_mutation', arguments: args, why, doNot: perhapsApplied };
}

/** A change of its own takes the place of one that has ended. */
export function makeAnew(why: string): Next {
  const doNot = 'repeat or resume this one: it has ended';
  return { tool: 'new_mutation_ids', arguments: { count: 1 }, why, doNot };
}

/** Only a person brings the matter forward: what may have been applied is not made a second time meanwhile. */
export function askPerson(why: string, doNot: string = perhapsApplied): Next {
  return { why, doNot };
}

/** What is open in a list of changes: of one alone its status, of several the first that no process works on. */
export function nextOfOpen(
  open: readonly { readonly clientMutationId: string; readonly live: boolean }[],
): Next | undefined {
  const one = open.find(({ live }) => !live) ?? open[0];
  if (one === undefined) return undefined;
  const others = open.length === 1 ? '' : ' The others follow one after the other.';
  return askStatus(one.clientMutationId, `It is not finished: this asks what became of it.${others}`);
}
