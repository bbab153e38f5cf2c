import { canonicalJson } from '../../canonical-json.ts';
import { textAt } from '../../catalogue/records/members.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { setIn, touchedBy } from '../answer/touched.ts';
import { nextIn } from '../answer/table.ts';
import type { Mutation } from '../mutation.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import { MutationError } from '../result.ts';
import type { Session } from '../account.ts';
import { searchKeywordsOf, workOfNewSet } from './keywords.ts';

/** Sets of the same files that are looked through; only those of the same name cost a request. */
const mostLookedAt = 1_000;

/**
 * A new Set of the same files in the same places, with the same title, is a repetition by mistake: nothing tells the
 * two apart, and nothing can take the second away. Another title says that a second one is meant, and one that is gone
 * from the service, or was renamed there, may be made again.
 * @throws MutationError `conflict`; ArtworkError where the Set that was made can't be read
 */
export async function requireNotMadeBefore(session: Session, mutation: Mutation): Promise<void> {
  if (workOfNewSet(mutation.places) === null) return;
  const { ledger, scope } = session;
  for (const keyword of searchKeywordsOf(mutation).same) {
    for (const view of await ledger.findDone(scope, [keyword], mostLookedAt)) {
      const other = rehydrateMutation(view.entry);
      const isSame = other !== null && nameOf(other) === nameOf(mutation) && view.standing === 'succeeded';
      if (isSame && (await isStillThere(session, view, mutation))) throw madeAlready(mutation, view);
    }
  }
}

/** What people tell a Set from another by, beside its pictures. */
function nameOf({ intent: { titleBase, languageCode, editionId, destination } }: Mutation): string {
  const title = typeof titleBase === 'string' ? asRead(titleBase) : null;
  return canonicalJson([title, languageCode, editionId, destination].map((member) => member ?? null));
}

/** Titles that look the same to a person are the same. */
function asRead(title: string): string {
  return title.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

async function isStillThere(
  { ports: { owned }, deadline }: Session,
  { entry }: EntryView,
  { intent: { titleBase } }: Mutation,
): Promise<boolean> {
  const id = touchedBy(entry)?.id ?? null;
  if (typeof id !== 'number') return false;
  try {
    const record = await owned.readSet(id, deadline);
    const title = textAt(record, 'titleBase') ?? textAt(record, 'title');
    // The service may have made a longer title of it.
    return title === null || typeof titleBase !== 'string' || asRead(title).includes(asRead(titleBase));
  } catch (error) {
    // A 404 without the service's own words may come from anything on the way.
    const isGone =
      error instanceof ArtworkError && error.category === 'not_found' && error.code !== error.category;
    if (isGone) return false;
    throw error;
  }
}

function madeAlready({ clientMutationId }: Mutation, view: EntryView): MutationError {
  const { clientMutationId: heldBy, operation, target, updatedAt } = view.entry;
  const message = `The same files were made ${setIn(view)} already, with the same title, as ${heldBy}, on ${updatedAt}: a second one could not be told from it, and nothing can be deleted. edit_set changes the one that is there; where a person wants another one beside it, it needs another title (titleBase).`;
  return new MutationError('conflict', message, {
    clientMutationId,
    outcome: 'not_sent',
    details: { heldBy, operation, target, outcome: view.standing },
    next: nextIn({ is: 'done by another', clientMutationId: heldBy }),
  });
}
