import type { Next } from '../errors.ts';
import type { RevisionRule as OfOperation } from '../mutations/operations/arguments.ts';

type Given = Readonly<Record<string, unknown>>;

/** Where the revision that a change rests on is read: what its operation says, or for a resume the first call. */
export type CallRevisionRule = OfOperation | { readonly of: 'first_call' };

/** Tells it from the arguments at hand, which may be anything. */
export type CallRevisionSource = (given: Given) => CallRevisionRule;

/** What expectedUpdatedAt has to be, in words that follow "expectedUpdatedAt: ". */
export function revisionWords(revision: CallRevisionRule): string {
  switch (revision.of) {
    case 'nothing':
      return '"none", since nothing that exists is changed';
    case 'owned': {
      const call = callOf(revision);
      return call === null
        ? `the updatedAt that get_owned shows for the ${revision.type}`
        : `the updatedAt that get_owned ${JSON.stringify(call.arguments)} shows`;
    }
    case 'relationship':
      return 'the updatedAt that list_relationships shows for it, or "none" where it lists none';
    case 'first_call':
      return 'the value that the first call of this mutation was given ("none" where nothing existed)';
  }
}

/** What expectedUpdatedAt has to be, in the few words of a definition. */
export function revisionInShort(revision: CallRevisionRule): string {
  switch (revision.of) {
    case 'nothing':
      return '`none`';
    case 'owned':
      return 'updatedAt from get_owned';
    case 'relationship':
      return 'from list_relationships, or `none`';
    case 'first_call':
      return 'as in the first call';
  }
}

/** The call that shows the revision; null where none does, or the arguments don't tell which. */
export function revisionCall(revision: CallRevisionRule, given: Given): Next | null {
  const why = 'It shows the updatedAt to give as expectedUpdatedAt; then make the call again with it.';
  switch (revision.of) {
    case 'nothing':
      return null;
    case 'owned': {
      const call = callOf(revision);
      return call === null ? null : { ...call, why };
    }
    case 'relationship':
      return {
        tool: 'list_relationships',
        arguments: {},
        why: `${why} Where it is not listed, give "none".`,
      };
    case 'first_call': {
      const { clientMutationId } = given;
      return typeof clientMutationId === 'string'
        ? {
            tool: 'get_mutation_status',
            arguments: { clientMutationId },
            why: 'Where the mutation can be resumed, its next is the call with the right value.',
          }
        : null;
    }
  }
}

function callOf({ type, id }: Extract<CallRevisionRule, { of: 'owned' }>) {
  return isId(type, id) ? { tool: 'get_owned', arguments: { type, id } } : null;
}

function isId(type: 'asset' | 'set' | 'group', id: unknown): boolean {
  if (type === 'asset') return typeof id === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
  return typeof id === 'number'
    ? Number.isSafeInteger(id) && id >= 0
    : typeof id === 'string' && /^\d{1,15}$/.test(id);
}
