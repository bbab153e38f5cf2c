import { canonicalJson } from '../../canonical-json.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { touchedBy } from '../answer/describe-mutation.ts';
import { nextStatusOfDone } from '../answer/next.ts';
import type { Mutation } from '../mutation.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import { MutationError } from '../result.ts';
import type { Session } from '../session.ts';
import { setIn } from './conflicts.ts';
import { searchKeywordsOf, workOfNewSet } from './keywords.ts';

/** So many Sets of the same files are looked at, the newest first. */
const mostLookedAt = 3;

/**
 * A new Set of the same files in the same places, with the same title, is a repetition by mistake: nothing tells the
 * two apart, and nothing can take the second away. Another title says that a second one is meant, and one that is gone
 * from the service may be made again.
 * @throws MutationError `conflict`; ArtworkError where the Set that was made can't be read
 */
export async function requireNotMadeBefore(session: Session, mutation: Mutation): Promise<void> {
  if (workOfNewSet(mutation.places) === null) return;
  const { ledger, scope } = session;
  for (const keyword of searchKeywordsOf(mutation).same) {
    for (const view of await ledger.findDone(scope, [keyword], mostLookedAt)) {
      const other = rehydrateMutation(view.entry);
      const isSame = other !== null && nameOf(other) === nameOf(mutation) && view.standing === 'succeeded';
      if (isSame && (await isStillThere(session, view))) throw madeAlready(mutation, view);
    }
  }
}

/** What people tell a Set from another by, beside its pictures. */
function nameOf({ intent: { titleBase, languageCode, editionId, destination } }: Mutation): string {
  return canonicalJson([titleBase, languageCode, editionId, destination].map((member) => member ?? null));
}

async function isStillThere({ ports: { owned }, time }: Session, { entry }: EntryView): Promise<boolean> {
  const id = touchedBy(entry)?.id ?? null;
  if (typeof id !== 'number') return false;
  try {
    await owned.readSet(id, time.call());
    return true;
  } catch (error) {
    const gone = error instanceof ArtworkError && ['not_found', 'forbidden'].includes(error.category);
    if (gone) return false;
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
    next: nextStatusOfDone(heldBy),
  });
}
