import { z } from 'zod';
import {
  idAt,
  isRecord,
  isSameId,
  type JsonRecord,
  recordAt,
  textAt,
} from '../../catalogue/records/members.ts';
import { revisionOf, serviceRevision } from '../../catalogue/records/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError, type Next, unlessRefused } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { quoted } from '../../text.ts';
import type { OwnedReads } from '../ports.ts';
import { deriveUuid } from './items.ts';

// Which Sets a Boxset or Loadout has, and which group a Set is in.

/** The Sets of the group before the edit. */
const noticedMembers = z.object({ setIds: z.array(z.int()) });

interface Membership {
  readonly addSetIds?: readonly number[] | undefined;
  readonly removeSetIds?: readonly number[] | undefined;
}

/** The membership that is meant, from the one that was noticed; undefined: it is not changed. */
export function membersAfter(
  { addSetIds = [], removeSetIds = [] }: Membership,
  noticed: unknown,
): number[] | undefined {
  const before = noticedMembers.safeParse(noticed).data?.setIds;
  if (before === undefined) return undefined;
  const removed = new Set<number>(removeSetIds);
  return [...new Set([...before, ...addSetIds])].filter((id) => !removed.has(id));
}

interface Reads {
  readonly owned: OwnedReads;
  readonly deadline: Deadline;
}

/** As many as connections to the protected reads. */
const readAtOnce = 4;

/**
 * A Set shows one group at most (interface document, Sets: `boxset`). In a second one it would leave the first, or the
 * service would refuse, with an answer that does not prove that nothing was made. So it is asked before.
 * A Set that can't be read is left to the service.
 * @param groupId the group that they go to; null: a new one
 * @throws ArtworkError `conflict` that names each Set that is in another group; others: the service could not be asked
 */
export async function requireUngrouped(
  setIds: readonly number[],
  groupId: number | string | null,
  clientMutationId: string,
  reads: Reads,
): Promise<void> {
  const groups = await mapLimit(setIds, readAtOnce, async (setId) => ({
    setId,
    group: await groupOf(setId, reads),
  }));
  const taken = groups.flatMap(({ setId, group }) => {
    const id = group === null ? null : idAt(group, 'id');
    if (group === null || id === null || (groupId !== null && isSameId(id, groupId))) return [];
    const title = textAt(group, 'title');
    return [{ setId, groupId: id, words: `group ${id}${title === null ? '' : ` (${quoted(title)})`}` }];
  });
  const [first] = taken;
  if (first === undefined) return;
  const others = taken.filter((one) => one.groupId === first.groupId);
  const told = taken.slice(0, mostNamed).map(({ setId, words }) => `Set ${setId} is in ${words} already.`);
  const more = taken.length > mostNamed ? ` So are ${taken.length - mostNamed} more.` : '';
  throw new ArtworkError('conflict', `${told.join(' ')}${more} A Set can be in only one group.`, {
    details: { taken: taken.map(({ words: _, ...one }) => one) },
    next: await leaving(
      first.groupId,
      others.map(({ setId }) => setId),
      clientMutationId,
      reads,
    ),
  });
}

/** The ready call that takes Sets out of their group; where its revision can't be read or sent, the call that shows it. */
async function leaving(
  groupId: string,
  removeSetIds: readonly number[],
  clientMutationId: string,
  { owned, deadline }: Reads,
): Promise<Next> {
  const again = 'Then make the same call again, with the same id.';
  const group = await unlessRefused(() => owned.readGroup(groupId, deadline));
  const expectedUpdatedAt = group === null ? null : serviceRevision(revisionOf(group));
  if (expectedUpdatedAt === null) {
    const why = `Ask the person whether the Sets may leave that group: edit_group takes them out. ${again}`;
    return { tool: 'get_owned', arguments: { type: 'group', id: groupId }, why };
  }
  const id = deriveUuid(clientMutationId, `leave ${groupId} ${expectedUpdatedAt}`);
  return {
    tool: 'edit_group',
    arguments: { clientMutationId: id, expectedUpdatedAt, groupId, removeSetIds: [...removeSetIds] },
    why: `Takes them out of group ${groupId}, if the person wants that. ${again}`,
    doNot: 'take a Set out of its group before the person has agreed',
  };
}

/** Sets that the message names. */
const mostNamed = 5;

/** The group that a Set's own record shows; null: none, or the account may not read the record. */
async function groupOf(setId: number, { owned, deadline }: Reads): Promise<JsonRecord | null> {
  try {
    const set = await owned.readSet(setId, deadline);
    return isRecord(set.group) ? recordAt(set, 'group') : recordAt(set, 'boxset');
  } catch (error) {
    if (error instanceof ArtworkError && unreadable.has(error.failure)) return null;
    throw error;
  }
}

const unreadable: ReadonlySet<string> = new Set(['scope_missing', 'forbidden', 'not_found']);
