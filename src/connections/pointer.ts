import type { Keyv } from 'keyv';
import { z } from 'zod';
import { storeError } from '../store/errors.ts';
import type { Seal } from '../store/seal.ts';
import { jsonOf } from '../text.ts';
import {
  type ConnectionKey,
  connectionId,
  type GrantPosition,
  type Io,
  readGrant,
  type TokenRecords,
  writeGrant,
} from './grant.ts';

const reconnectReasons = [
  /** The service refused the refresh token. */
  'refused',
  /** The answer to a renewal was lost, and the service no longer accepts the old access token. */
  'renewal_unknown',
  'unusable_answer',
  'other_subject',
  /** There is no refresh token: `offline_access` was not granted. */
  'no_refresh_token',
] as const;
export type ReconnectReason = (typeof reconnectReasons)[number];

const place = { connection: connectionId, generation: z.number().int().positive() };

const pointerSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('active'), ...place }),
  z.object({ state: z.literal('uncertain'), ...place }),
  z.object({ state: z.literal('reconnect_required'), reason: z.enum(reconnectReasons), ...place }),
  /**
   * Use is blocked. `ended`: the service has ended the grant, so that there is nothing to revoke; `tried`: revoking it
   * has failed before.
   */
  z.object({
    state: z.literal('disconnecting'),
    ended: z.boolean(),
    tried: z.boolean(),
    ...place,
  }),
  z.object({ state: z.literal('disconnected') }),
]);

/** The sign-in and generation that count, and whether they may be used. Only compare-and-set moves it. */
export type Pointer = z.infer<typeof pointerSchema>;
export type HeldPointer = Exclude<Pointer, { state: 'disconnected' }>;

const storedSchema = z.object({
  service: z.string(),
  clientId: z.string(),
  user: z.string(),
  since: z.string(),
  pointer: pointerSchema,
});

/** The pointer as it was read; moving it succeeds only while it is unchanged. */
export interface StoredPointer<P extends Pointer = Pointer> {
  readonly pointer: P;
  readonly version: number;
}

/**
 * Reads the pointer; null where there was no sign-in under this key yet.
 * @throws store_unreadable where it can't be parsed, which is never taken for "not connected"
 */
export async function readPointer(io: Io): Promise<StoredPointer | null> {
  const entry = await io.atomic.get(io.key.pointer);
  if (entry === null) return null;
  const { service, clientId, user, pointer } = readStored(storedSchema, entry.value);
  if (service !== io.key.service || clientId !== io.key.clientId || user !== io.key.user)
    throw damagedPointer();
  return { pointer, version: entry.version };
}

/** The pointer of a connection that there is; null: none was made yet, or it was disconnected. Throws as `readPointer`. */
export async function readHeldPointer(io: Io): Promise<StoredPointer<HeldPointer> | null> {
  const stored = await readPointer(io);
  if (stored === null || stored.pointer.state === 'disconnected') return null;
  return { pointer: stored.pointer, version: stored.version };
}

/** Moves the pointer by compare-and-set. Answers whether this call moved it. */
export async function movePointer(io: Io, from: StoredPointer | null, pointer: Pointer): Promise<boolean> {
  const { service, clientId, user, pointer: name } = io.key;
  const since = new Date(io.clock.now()).toISOString();
  const value = JSON.stringify({ service, clientId, user, since, pointer });
  if (from === null) return (await io.atomic.putIfAbsent(name, value)).won;
  return (await io.atomic.compareAndSet(name, from.version, value)).outcome === 'swapped';
}

/** Whether the pointer names this generation. */
export function isPointerAt(pointer: Pointer, { connection, generation }: GrantPosition): boolean {
  return (
    pointer.state !== 'disconnected' && pointer.connection === connection && pointer.generation === generation
  );
}

/** Whether the service has surely ended the grant, so that there is nothing to revoke. */
export function hasGrantEnded(pointer: HeldPointer): boolean {
  if (pointer.state === 'disconnecting') return pointer.ended;
  return pointer.state === 'reconnect_required' && pointer.reason === 'refused';
}

/**
 * What is stored of a connection, read by its schema.
 * @throws store_unreadable
 */
export function readStored<Value>(schema: z.ZodType<Value>, text: string): Value {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) throw damagedPointer();
  return parsed.data;
}

/** The error of a stored pointer that can't be read. */
export function damagedPointer() {
  return storeError(
    'store_unreadable',
    'What is stored of the connection is damaged: restore the whole data folder from a backup.',
  );
}

const recordSchema = z.object({
  pointer: z.string(),
  connection: connectionId,
  generation: z.number().int().positive(),
  sealed: z.string(),
});

/** Token records in Keyv. The seal binds each to its key, its sign-in and its generation. */
export function createTokenRecords(records: Keyv, seal: Seal): TokenRecords {
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
      const record = { pointer: key.pointer, connection, generation, sealed };
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
      const found: GrantPosition[] = [];
      if (records.iterator === undefined) throw new TypeError('The record store lists nothing.');
      for await (const [, value] of records.iterator(undefined)) {
        const parsed = recordSchema.safeParse(value);
        // A damaged record does not tell its key. Where a pointer names it, reading it fails with the store's error.
        if (!parsed.success) continue;
        const { pointer, connection, generation } = parsed.data;
        if (pointer === key.pointer) found.push({ connection, generation });
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
