import type { ArtworkError } from '../../errors.ts';
import type { Callback } from './callback.ts';
import { signInCancelled, signInExpired, stateRefused } from './failures.ts';

/** One sign-in that waits for its callback. It is known by its `state`, and its callback counts once. */
export interface Attempt {
  readonly state: string;
  /** Takes the one callback. Never rejects: what came of it is the attempt's to tell. */
  take(callback: Callback): Promise<Ended>;
  /** Ends it without one. */
  fail(error: ArtworkError): void;
}

/** What a callback led to. */
export type Ended =
  | { readonly outcome: 'connected'; readonly account: string | null }
  | { readonly outcome: 'failed'; readonly error: ArtworkError };

/** `refused`: it was for no attempt that waits, and changed none. */
export type Answered = Ended | { readonly outcome: 'refused'; readonly error: ArtworkError };

/** The sign-ins of this process. None ever sees another's answer. */
export interface Attempts {
  add(attempt: Attempt): void;
  /** Gives a callback to the attempt it is for. */
  answer(callback: Callback): Promise<Answered>;
  /** Ends one that still waits. */
  cancel(state: string, error: ArtworkError): void;
  /** Ends those that wait; resolves when those that have their callback have ended too. */
  close(): Promise<void>;
}

/** How many ended attempts are remembered, to say what became of them. */
const remembered = 100;

/** @param lifetimeMs how long an attempt waits @param onIdle called when none waits any more */
export function createAttempts(lifetimeMs: number, onIdle: () => void): Attempts {
  const waiting = new Map<string, { readonly attempt: Attempt; readonly timer: NodeJS.Timeout }>();
  const running = new Set<Promise<Ended>>();
  const ended = new Map<string, 'used' | 'expired'>();

  const end = (state: string, how: 'used' | 'expired'): Attempt | null => {
    const found = waiting.get(state);
    if (found === undefined) return null;
    clearTimeout(found.timer);
    waiting.delete(state);
    ended.set(state, how);
    for (const oldest of ended.keys()) {
      if (ended.size <= remembered) break;
      ended.delete(oldest);
    }
    return found.attempt;
  };
  const idle = () => {
    if (waiting.size === 0) onIdle();
  };
  const cancel = (state: string, error: ArtworkError) => {
    end(state, 'expired')?.fail(error);
    idle();
  };

  return {
    add(attempt) {
      const timer = setTimeout(() => cancel(attempt.state, signInExpired()), lifetimeMs);
      waiting.set(attempt.state, { attempt, timer });
    },
    async answer(callback) {
      const { state } = callback;
      // Taken away before anything is awaited, so that a second callback finds it used.
      const attempt = state === null ? null : end(state, 'used');
      if (attempt === null) {
        const error = stateRefused((state === null ? undefined : ended.get(state)) ?? 'unknown');
        return { outcome: 'refused', error };
      }
      const taking = attempt.take(callback);
      running.add(taking);
      const result = await taking;
      running.delete(taking);
      idle();
      return result;
    },
    cancel,
    async close() {
      for (const state of [...waiting.keys()]) end(state, 'expired')?.fail(signInCancelled());
      await Promise.all(running);
    },
  };
}
