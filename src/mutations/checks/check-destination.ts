import { idAt, type JsonRecord, textAt } from '../../catalogue/records/read-member.ts';
import { ownedGroup } from '../../catalogue/records/owned.ts';
import { missingScopes } from '../../catalogue/scopes.ts';
import { ArtworkError } from '../../errors.ts';
import type { Objection } from './objection.ts';
import type { CheckContext } from './occupant.ts';

/** A group that a new Set goes into is there, the account's own, and one of such Sets. What else it may go into the service judges. */
export async function checkDestination(
  {
    destination,
    entryTargetKind,
  }: { readonly destination: JsonRecord | null; readonly entryTargetKind: string },
  { owned, scopes, call }: CheckContext,
): Promise<readonly Objection[]> {
  const kind = destination === null ? null : textAt(destination, 'kind');
  const id = destination === null ? null : idAt(destination, 'id');
  if (id === null || (kind !== 'boxset' && kind !== 'loadout')) return [];
  if (missingScopes(ownedGroup.needed, scopes).length > 0) return [];
  const path = ['destination'];
  try {
    const found = textAt(await owned.readGroup(id, call), 'kind');
    const wanted = entryTargetKind === 'game' ? 'loadout' : 'boxset';
    if ((found !== 'boxset' && found !== 'loadout') || found === wanted) return [];
    const message = `is the ${found} ${id}, and a Set of a ${entryTargetKind} goes into a ${wanted}`;
    return [{ category: 'invalid_arguments', message, path }];
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const { category } = error;
    if (category === 'not_found')
      return [{ category, message: `names a group that is not there: ${id}`, path }];
    if (category !== 'forbidden') throw error;
    return [{ category, message: `names the group ${id}, which is not this account's own`, path }];
  }
}
