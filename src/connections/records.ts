import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Seal } from '../storage/seal.ts';
import { connectionId, type GrantPosition, readGrant, writeGrant } from './grant.ts';
import type { ConnectionKey, StoredPosition, TokenRecords } from './ports.ts';
import { damagedPointer } from './pointer.ts';

const recordSchema = z.object({
  pointer: z.string(),
  connection: connectionId,
  generation: z.number().int().nonnegative(),
  storedAt: z.number(),
  sealed: z.string(),
});

/** Token records in Keyv. The seal binds each to its key, its sign-in and its generation. */
export function createTokenRecords(records: Keyv, seal: Seal, now: () => number): TokenRecords {
  const read = async (name: string) => {
    const value: unknown = await records.get(name);
    if (value === undefined || value === null) return null;
    const parsed = recordSchema.safeParse(value);
    if (!parsed.success) throw damagedPointer();
    return parsed.data;
  };
  return {
    async write(key, place, grant) {
      const { connection, generation } = place;
      const sealed = await seal.seal(sealName(key, place), String(generation), writeGrant(grant));
      const record = { pointer: key.pointer, connection, generation, storedAt: now(), sealed };
      await records.set(recordName(place), record);
    },

    async read(key, place) {
      const record = await read(recordName(place));
      if (record === null) return null;
      const text = await seal.open(sealName(key, place), String(place.generation), record.sealed);
      const grant = readGrant(text);
      if (grant === null) throw damagedPointer();
      return grant;
    },

    async remove(_key, place) {
      await records.delete(recordName(place));
    },

    async list(key) {
      const found: StoredPosition[] = [];
      if (records.iterator === undefined) throw new TypeError('The record store lists nothing.');
      for await (const [, value] of records.iterator(undefined)) {
        const parsed = recordSchema.safeParse(value);
        // A damaged record does not tell its key. Where a pointer names it, reading it fails with the store's error.
        if (!parsed.success) continue;
        const { pointer, connection, generation, storedAt } = parsed.data;
        if (pointer === key.pointer) found.push({ connection, generation, storedAt });
      }
      return found;
    },
  };
}

function recordName({ connection, generation }: GrantPosition): string {
  return `${connection}:${generation}`;
}

function sealName(key: ConnectionKey, { connection }: GrantPosition): string {
  return JSON.stringify(['token', key.pointer, connection]);
}
