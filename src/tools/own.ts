import type { EntityKind, SetKind } from '../catalogue/records/kinds.ts';
import { findOwnSet } from '../curation/own-sets.ts';
import { noLaterThan } from '../deadline.ts';
import { ArtworkError, type Next } from '../errors.ts';
import type { Context } from '../mcp/context.ts';
import { isGroupKind, isSetKind } from '../model/kinds.ts';
import type { OwnSet, OwnType } from '../model/own-set.ts';
import { withArticle } from '../text.ts';

// What the connected account knows of what a public read shows, or does not show yet.

/** Under which type `get_owned` has what public reads call so. */
export function ownTypeOf(kind: string): OwnType {
  return isGroupKind(kind) ? 'group' : 'set';
}

/** The call that reads a Set or group of one's own. */
export function readOwn({ type, id }: Pick<OwnSet, 'type' | 'id'>): Next {
  const why = 'This shows what the service has saved, published or not.';
  return { tool: 'get_owned', arguments: { type, id }, why };
}

/** Milliseconds that explaining may take. */
const patienceMs = 10_000;

/**
 * Reads an entity or a Set. Where the service has none, and the connected account has a Set or group of that id, the
 * error says so and leads to it.
 * @throws ArtworkError as `read` does
 */
export async function readOrExplain<Value>(
  kind: EntityKind | SetKind,
  id: number,
  context: Context,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure !== 'not_found' || !isSetKind(kind)) throw error;
    const deadline = noLaterThan(context.deadline, patienceMs);
    const own = await findOwnSet(context.account, ownTypeOf(kind), id, deadline);
    if (own === null) throw error;
    const { publicationStatus } = own;
    const isPending = publicationStatus === 'pending';
    const state = isPending ? 'It is saved, but not published yet.' : 'Public reads do not show it.';
    const yours = `Your account has ${withArticle(own.kind ?? own.type)} with the id ${id}.`;
    throw new ArtworkError('not_found', `${error.message} ${yours} ${state}`, {
      ...error,
      details: { ...error.details, publicationStatus },
      next: readOwn(own),
    });
  }
}
