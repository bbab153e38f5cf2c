import type { Owned } from '../catalogue/owned.ts';
import type { Deadline } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { type OwnSet, type OwnType, ownSetOf } from '../model/own-set.ts';

type Reads = Pick<Owned, 'readSet' | 'readGroup'>;

/**
 * Reads a Set or group of the connected account's own (interface document, Protected reads).
 * @throws ArtworkError as `readSet` and `readGroup`
 */
export async function readOwnSet(
  owned: Reads,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnSet> {
  const record = type === 'set' ? await owned.readSet(id, deadline) : await owned.readGroup(id, deadline);
  return ownSetOf(type, id, record);
}

/**
 * A Set or group of the connected account's own; null where it can't be read, whatever the reason.
 * @throws ArtworkError `cancelled` alone
 */
export async function findOwnSet(
  account: () => Promise<{ readonly owned: Reads }>,
  type: OwnType,
  id: number,
  deadline: Deadline,
): Promise<OwnSet | null> {
  try {
    return await readOwnSet((await account()).owned, type, id, deadline);
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}
