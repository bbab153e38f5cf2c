import { idAt } from '../../catalogue/records/members.ts';
import type { DestinationQuery } from '../../catalogue/records/owned.ts';
import { quoted } from '../../text.ts';
import type { Finding, LookContext } from '../change.ts';
import { titleKey } from './items.ts';
import { foundIn } from './operation.ts';

/** How something that was just created can be found: the upload destinations are the only list of what one owns. */
export interface Wanted {
  readonly query: DestinationQuery;
  readonly title: string;
}

/**
 * Only a record that shows the identity is this one. Others of the title are a hint for a person and settle nothing; that
 * none is listed proves nothing, since a list may lag, and is limited.
 */
export async function findCreated(
  { owned, deadline }: LookContext,
  { query, title }: Wanted,
  clientMutationId: string,
): Promise<Finding> {
  const key = titleKey(title);
  const found = (await owned.findUploadDestinations(query, deadline)).filter((record) =>
    [record.title, record.titleBase].some((shown) => typeof shown === 'string' && titleKey(shown) === key),
  );
  const own = found.find((record) => record.clientMutationId === clientMutationId);
  if (own !== undefined) return foundIn(own);
  const ids = found.flatMap((record) => idAt(record, 'id') ?? []).slice(0, 5);
  if (ids.length === 0) return { found: 'nothing' };
  const hint = `With the title ${quoted(title)} there is now: ${ids.join(', ')}. Whether one of these is it, a title does not show.`;
  return { found: 'nothing', hint };
}
