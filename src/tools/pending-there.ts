import type { OmittedSection } from '../mcp/arguments.ts';
import type { Context } from '../mcp/context.ts';
import { isGroupKind, isSetKind } from '../model/kinds.ts';
import { ArtworkError } from '../errors.ts';

/** The part of an answer on own changes that a public read may not show yet. */
export interface PendingThere {
  /** Left out where there are none. */
  readonly pending?: readonly object[];
  readonly omitted: OmittedSection[];
}

const mostShown = 5;

/** The account's changes of a thing that public reads may not show yet, each with the call that looks it up. */
export async function pendingThere(kind: string, id: number, context: Context): Promise<PendingThere> {
  const own = isGroupKind(kind) ? 'group' : isSetKind(kind) ? 'set' : kind;
  const changes = await pendingOn({ kind: own, id }, context);
  if (changes.length === 0) return { omitted: [] };
  const pending = changes
    .slice(0, mostShown)
    .map(({ clientMutationId, operation, outcome, id, updatedAt }) => {
      const isDone = outcome !== 'processing' && outcome !== 'unresolved';
      return {
        operation,
        outcome,
        ...(isDone ? { publicationStatus: 'pending' } : {}),
        ...(id === null ? {} : { id }),
        updatedAt,
        next: {
          tool: 'get_mutation_status',
          arguments: { clientMutationId },
          why: isDone
            ? 'This may still show what was there before: public reads had not caught up when it ended. It asks whether they have by now.'
            : 'This shows what is public, and the change is not settled: it asks what became of it.',
        },
      };
    });
  const more = { section: 'pending', total: changes.length, returned: pending.length };
  const next = { tool: 'list_mutations', arguments: {} };
  return { pending, omitted: changes.length > pending.length ? [{ ...more, next }] : [] };
}

/** Nothing if no account is connected, or the store can't be opened: a public read needs neither, and makes no store. */
async function pendingOn(thing: { readonly kind: string; readonly id: number }, context: Context) {
  if (!context.hasStore()) return [];
  try {
    const { mutations } = await context.account();
    return await mutations.pendingOn(thing);
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return [];
    throw error;
  }
}
