import { isReleased } from './renewal-claim.ts';
import type { Grant, GrantPosition } from './grant.ts';
import type { ConnectionKey } from './key.ts';
import { type HeldPointer, movePointer, type Pointer, type StoredPointer } from './pointer.ts';
import type { Io } from './ports.ts';

/** Where the pointer belongs once this generation is stored. */
export function pointerTo({ connection, generation }: GrantPosition, { flaw }: Grant): Pointer {
  switch (flaw) {
    case null:
      return { state: 'active', connection, generation };
    case 'unusable_answer':
    case 'other_subject':
      return { state: 'reconnect_required', reason: flaw, connection, generation };
    case 'unchecked':
      // Only a sign-in stores such a record, as generation 0, which no pointer ever names.
      return { state: 'reconnect_required', reason: 'unusable_answer', connection, generation };
  }
}

/**
 * Finishes for a holder that may be gone what its traces prove: its record of the next generation is stored
 * but the pointer does not name it yet, or it has proven that it consumed nothing. Answers whether the
 * pointer may have changed.
 */
export async function heal(io: Io, key: ConnectionKey, stored: StoredPointer<HeldPointer>): Promise<boolean> {
  const { connection, generation } = stored.pointer;
  const next = { connection, generation: generation + 1 };
  const grant = await io.records.read(key, next);
  if (grant !== null) {
    await movePointer(io, key, stored, pointerTo(next, grant));
    return true;
  }
  if (isInDoubt(stored.pointer) && (await isReleased(io, stored.pointer))) {
    await movePointer(io, key, stored, { state: 'active', connection, generation });
    return true;
  }
  return false;
}

/** Whether nobody knows if the refresh token was consumed: what proves that it was not makes all good again. */
export function isInDoubt(pointer: Pointer): boolean {
  if (pointer.state === 'reconnect_required') return pointer.reason === 'renewal_unknown';
  return pointer.state === 'uncertain';
}
