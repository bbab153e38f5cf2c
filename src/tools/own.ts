import type { SetKind } from '../catalogue/records/kinds.ts';
import { findOwnSet } from '../curation/own-sets.ts';
import { noLaterThan } from '../deadline.ts';
import { ArtworkError, type Next } from '../errors.ts';
import type { Context } from '../mcp/context.ts';
import { isGroupKind } from '../model/kinds.ts';
import type { OwnSet, OwnType } from '../model/own-set.ts';

// What the connected account has of what a public read does not show yet.

/** Under which type `get_owned` has what public reads call so. */
export function ownTypeOf(kind: string): OwnType {
  return isGroupKind(kind) ? 'group' : 'set';
}

/** The call that reads a Set or group of one's own. */
export function readOwn({ type, id }: Pick<OwnSet, 'type' | 'id'>): Next {
  const why = `It is a ${type} of your own. This shows what the service has saved, published or not.`;
  return { tool: 'get_owned', arguments: { type, id }, why };
}

/** Milliseconds that explaining may take. */
const patienceMs = 10_000;

/**
 * Reads a Set. Where the service has none, and the connected account has a Set or group of that id, the
 * error leads to it.
 * @throws ArtworkError as `read` does
 */
export async function readOrExplain<Value>(
  kind: SetKind,
  id: number,
  context: Context,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.failure !== 'not_found') throw error;
    const deadline = noLaterThan(context.deadline, patienceMs);
    const own = await findOwnSet(context.account, ownTypeOf(kind), id, deadline);
    throw own === null ? error : error.leadingTo(readOwn(own));
  }
}
