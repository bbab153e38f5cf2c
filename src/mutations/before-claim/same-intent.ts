import { canonicalDigest, canonicalJson } from '../../canonical-json.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import { nextStatus } from '../next-calls.ts';
import type { Mutation } from '../mutation.ts';
import { MutationError } from '../mutation-error.ts';

/** Whether an entry stands for the same operation with the same canonical arguments. */
export function isSameIntent({ entry }: EntryView, mutation: Mutation): boolean {
  return (
    entry.operation === mutation.operation && entry.digest === canonicalDigest(canonicalJson(mutation.intent))
  );
}

/** The error of an id that stands for something else. */
export function idReusedError({ entry, standing }: EntryView): MutationError {
  const { clientMutationId, operation, target, createdAt } = entry;
  const open = standing === 'processing' || standing === 'unresolved';
  return new MutationError(
    'mutation_id_reused',
    `This id stands for another mutation: ${operation}, made ${createdAt}, ${standing}. An id stands for one intent for ever.`,
    {
      clientMutationId,
      details: { operation, target, outcome: standing, createdAt },
      next: open
        ? nextStatus(
            clientMutationId,
            'What it stands for is not settled yet: this finds out what became of it.',
          )
        : {
            tool: 'new_mutation_ids',
            arguments: { count: 1 },
            why: 'Another change needs an id of its own; repeat an id only with exactly the arguments of its first call.',
          },
    },
  );
}
