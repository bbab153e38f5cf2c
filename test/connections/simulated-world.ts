import { connectionKey } from '../../src/connections/grant.ts';

/** What the engine, or the store below it, may get wrong. The first is how it must be. */
export const mistakes = [
  'none',
  /** A claim is read and then written. */
  'claim_not_atomic',
  /** The pointer moves whatever it is. */
  'pointer_not_compared',
  /** A lost answer is called a failure that consumed nothing. */
  'lost_called_unsent',
  /** A revocation that failed is called done. */
  'unrevoked_called_revoked',
  /** The record is stored after the pointer names it. */
  'record_late',
] as const;
export type Mistake = (typeof mistakes)[number];

/** What the parts of one simulated run share. */
export interface World {
  readonly mistake: Mistake;
  /** Some schedules lose nothing and kill no process: in those no connection may be lost. */
  readonly gentle: boolean;
  /** No more faults. */
  calm: boolean;
  /** An answer was lost, or a process killed. */
  harmed: boolean;
  /** Milliseconds since 1970. */
  now: number;
  /** What was wrong. */
  readonly wrong: string[];
  below(limit: number): number;
  /** Ends when the scheduler says so, at `at` at the earliest; never for a process that was killed. */
  turn(process: number, at?: number): Promise<void>;
}

export const key = connectionKey('https://service.example', 'app', 'default');
/** Of an access token, in milliseconds. */
export const lifetime = 60_000;

/** mulberry32: small, fast, and the same everywhere. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
