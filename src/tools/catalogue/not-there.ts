import type { EntityKind, SetKind } from '../../catalogue/records/kinds.ts';
import { findOwnSet } from '../../curation/read-own-set.ts';
import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { Context } from '../../mcp/context.ts';
import { isGroupKind, isSetKind } from '../../model/kinds.ts';
import type { OwnSet, OwnType } from '../../model/own-set.ts';
import { withArticle } from '../../text.ts';

/** Milliseconds that explaining may take. */
const patienceMs = 10_000;

/**
 * Reads an entity or a Set. A 404 of a Set or group of the connected account's says what public reads don't show of it.
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
    if (!(error instanceof ArtworkError) || error.category !== 'not_found' || !isSetKind(kind)) throw error;
    const deadline = noLaterThan(context.deadline, patienceMs);
    const own = await findOwnSet(context.account, ownTypeOf(kind), id, deadline);
    throw own === null ? error : ofOwn(own, error);
  }
}

/** Under which type `get_owned` has what public reads call so. */
export function ownTypeOf(kind: string): OwnType {
  return isGroupKind(kind) ? 'group' : 'set';
}

/** The call that reads a Set or group of one's own. */
export function readOwn({ type, id }: Pick<OwnSet, 'type' | 'id'>): Next {
  return {
    tool: 'get_owned',
    arguments: { type, id },
    why: 'It reads what the service has saved, whether it is published or not.',
  };
}

function ofOwn(own: OwnSet, error: ArtworkError): ArtworkError {
  const { id, publicationStatus } = own;
  const whose = `The connected account has ${withArticle(own.kind ?? own.type)} of the id ${id}`;
  const how =
    publicationStatus === 'pending'
      ? 'it is saved, and its publication is pending, so public reads do not show it yet'
      : 'public reads do not show it so';
  return new ArtworkError(error.category, `${error.message} ${whose}: ${how}.`, {
    ...error,
    details: { ...error.details, publicationStatus },
    next: readOwn(own),
  });
}
