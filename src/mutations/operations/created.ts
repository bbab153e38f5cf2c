import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';
import { idAt } from '../../catalogue/records/members.ts';
import type { DestinationQuery, UploadDestination } from '../../catalogue/records/owned.ts';
import { ArtworkError } from '../../errors.ts';
import { quoted } from '../../text.ts';
import type { Finding, LookContext } from '../change.ts';
import { titleKey } from './items.ts';
import { foundIn } from './operation.ts';

/** How something that was just created can be found: the upload destinations are the only list of what one owns. */
export interface Wanted {
  readonly query: DestinationQuery;
  readonly title: string;
}

const noticedIds = z.object({ before: z.array(z.string()).nullable() });

/** Those of this title that are there before anything is sent. A service that can't tell does not stop the creation. */
export async function noticeExisting(
  { owned, deadline }: Pick<LookContext, 'owned' | 'deadline'>,
  wanted: Wanted,
): Promise<Json> {
  try {
    return { before: ofTitle(await owned.findUploadDestinations(wanted.query, deadline), wanted).map(idOf) };
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return { before: null };
    throw error;
  }
}

/**
 * Only a record that shows the identity is this one. A new one of the title is a hint for a person and settles nothing;
 * that none is listed proves nothing, since a list may lag, and is limited.
 */
export async function findCreated(
  { owned, noticed, deadline }: LookContext,
  wanted: Wanted,
  clientMutationId: string,
): Promise<Finding> {
  const found = ofTitle(await owned.findUploadDestinations(wanted.query, deadline), wanted);
  const own = found.find((record) => record.clientMutationId === clientMutationId);
  if (own !== undefined) return foundIn(own);
  const before = noticedIds.safeParse(noticed).data?.before ?? null;
  const [only] = before === null ? [] : found.filter((record) => !before.includes(idOf(record)));
  if (only === undefined) return { found: 'nothing' };
  const hint = `One with the title ${quoted(wanted.title)} (id ${idOf(only)}) is there now that was not there before. It may be this one, or one that was made elsewhere.`;
  return { found: 'nothing', hint };
}

function ofTitle(listed: readonly UploadDestination[], { title }: Wanted): UploadDestination[] {
  const key = titleKey(title);
  return listed.filter((record) =>
    [record.title, record.titleBase].some((shown) => typeof shown === 'string' && titleKey(shown) === key),
  );
}

/** One that shows none is told from no other. */
function idOf(record: UploadDestination): string {
  return idAt(record, 'id') ?? '';
}
