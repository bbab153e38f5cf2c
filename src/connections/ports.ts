import type { Log } from '../log.ts';
import type { AtomicStore } from '../storage/atomic-store.ts';
import type { Grant, GrantPosition } from './grant.ts';
import type { ConnectionKey } from './key.ts';
import type { TokenService } from './token-service.ts';

export interface Clock {
  /** Milliseconds since 1970; people and time servers set it. */
  now(): number;
  /** Milliseconds that only ever grow, for waits. */
  monotonic(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface StoredPosition extends GrantPosition {
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** The sealed records of tokens. Rejections are the store's errors. */
export interface TokenRecords {
  write(key: ConnectionKey, place: GrantPosition, grant: Grant): Promise<void>;
  read(key: ConnectionKey, place: GrantPosition): Promise<Grant | null>;
  remove(key: ConnectionKey, place: GrantPosition): Promise<void>;
  /** Every record of this key, unopened, in no particular order. */
  list(key: ConnectionKey): Promise<readonly StoredPosition[]>;
}

/**
 * All that the engine (bearer, renewal, disconnecting, adopting) touches of the world, so that it can be run
 * under another clock, another scheduler and another service.
 */
export interface Io {
  readonly atomic: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet' | 'scan'>;
  readonly records: TokenRecords;
  readonly service: TokenService;
  readonly clock: Clock;
  /** 128 random bits as 32 hexadecimal digits. */
  random(): string;
  readonly log: Log;
}
