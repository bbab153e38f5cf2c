import { z } from 'zod';
import type { Call } from '../../catalogue/request-time.ts';
import type { DestinationQuery, UploadDestination } from '../../catalogue/records/owned.ts';
import { ArtworkError } from '../../errors.ts';
import type { Json } from '../../canonical-json.ts';
import type { LookupContext } from '../mutation.ts';
import type { OwnedReads } from '../ports.ts';
import { foundByReadBack } from './read-back.ts';
import type { Finding } from '../finding.ts';

/** How something that was just created can be found: there is no list of what one owns but this. */
export interface Wanted {
  readonly query: DestinationQuery;
  readonly title: string;
}

const progressSchema = z.object({ before: z.array(z.string()).nullable() });

/** Those of this title that are there before anything is sent. A service that can't tell must not stop the creation. */
export async function listExisting(owned: OwnedReads, wanted: Wanted, call: Call): Promise<Json> {
  try {
    return { before: (await named(owned, wanted, call)).map(idOf) };
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return { before: null };
    throw error;
  }
}

/**
 * Only a record that shows this identity is this one. One that is new and has the title is a hint for a person, and
 * no outcome.
 */
export async function findCreated(
  { owned, progress, call }: LookupContext,
  wanted: Wanted,
  clientMutationId: string,
): Promise<Finding> {
  const found = await named(owned, wanted, call);
  const own = found.find((record) => record.clientMutationId === clientMutationId);
  if (own !== undefined) return foundByReadBack(own, 'It is there, with this identity.', 'certain');
  const noted = progressSchema.safeParse(progress);
  const before = noted.success ? noted.data.before : null;
  if (before === null) {
    return nothing('What was there before is not known, so what is there now tells nothing.', true);
  }
  const [only, ...others] = found.filter((record) => !before.includes(idOf(record)));
  if (only === undefined) {
    return nothing('Nothing of this title has appeared so far, but the request may still arrive.', false);
  }
  if (others.length > 0) {
    return nothing(
      `${others.length + 1} of this title have appeared since: which one is this can't be told.`,
      true,
    );
  }
  const says = `One of this title (id ${idOf(only)}) is there now that was not there before. It may be this one, or one that was made elsewhere at the same time: a title shows no identity.`;
  return { ...nothing(says, true), certainty: 'likely' };
}

async function named(owned: OwnedReads, { query, title }: Wanted, call: Call): Promise<UploadDestination[]> {
  const found = await owned.findUploadDestinations(query, call);
  return found.filter((record) => record.title === title || record.titleBase === title);
}

function idOf({ id }: UploadDestination): string {
  return String(id);
}

function nothing(says: string, final: boolean): Extract<Finding, { found: 'nothing' }> {
  return { found: 'nothing', by: 'read_back', says, final };
}
