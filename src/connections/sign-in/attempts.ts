import type { ArtworkError } from '../../errors.ts';
import type { Callback } from './callback.ts';
import { signInCancelledError, signInExpiredError, stateRefusedError } from './failures.ts';

/** One sign-in that waits for its callback. It is known by its `state`, and its callback counts once. */
export interface Attempt {
  readonly state: string;
  /**
   * Takes the one callback, and answers its outcome. Never rejects.
   * @param canAsk whether there is a page on which a person can be asked
   */
  take(callback: Callback, canAsk: boolean): Promise<Decided | Question>;
  /** Ends the attempt without a callback. */
  fail(error: ArtworkError): void;
}

/** What a callback led to. */
export type Decided =
  | {
      readonly outcome: 'connected';
      readonly account: string | null;
      /** Scopes that were asked for and not granted. */
      readonly withheld: readonly string[];
    }
  | { readonly outcome: 'failed'; readonly error: ArtworkError };

/** The person has to decide whether the present connection is replaced. `decide` never rejects. */
export interface Question {
  readonly outcome: 'question';
  readonly decide: (replace: boolean) => Promise<Decided>;
}

/** `refused`: the callback is for no waiting attempt, and changed none. */
export type Answered = Decided | { readonly outcome: 'refused'; readonly error: ArtworkError };

/** The waiting sign-ins of this process. Each gets only its own callback. */
export interface Attempts {
  add(attempt: Attempt): void;
  /** Gives a callback to the attempt it is for. */
  answer(callback: Callback, canAsk: boolean): Promise<Answered | Question>;
  /** Ends an attempt that still waits. */
  cancel(state: string, error: ArtworkError): void;
  /** Ends the attempts that wait; resolves once those with a callback have ended too. */
  close(): Promise<void>;
}

/** How many ended attempts are remembered, so that a late callback gets the reason. */
const remembered = 100;

/** How long a question waits for the person; without an answer the connection is kept. ms */
const questionMs = 90_000;

/**
 * Keeps the sign-ins that wait for their callback, and ends each once.
 * @param lifetimeMs how long an attempt waits
 * @param onIdle called when none waits any more
 */
export function createAttempts(lifetimeMs: number, onIdle: () => void): Attempts {
  const waiting = new Map<string, { readonly attempt: Attempt; readonly timer: NodeJS.Timeout }>();
  const running = new Set<Promise<unknown>>();
  const asking = new Set<Question['decide']>();
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
    if (waiting.size === 0 && asking.size === 0) onIdle();
  };
  const cancel = (state: string, error: ArtworkError) => {
    end(state, 'expired')?.fail(error);
    idle();
  };

  /** The first answer counts, and every caller gets its outcome. */
  const ask = ({ decide }: Question): Question => {
    let decided: Promise<Decided> | null = null;
    const once = (replace: boolean): Promise<Decided> => {
      if (decided !== null) return decided;
      clearTimeout(timer);
      asking.delete(once);
      decided = track(decide(replace));
      void decided.then(idle);
      return decided;
    };
    const timer = setTimeout(() => void once(false), questionMs);
    asking.add(once);
    return { outcome: 'question', decide: once };
  };
  const track = async <Value>(work: Promise<Value>): Promise<Value> => {
    running.add(work);
    const result = await work;
    running.delete(work);
    return result;
  };

  return {
    add(attempt) {
      const timer = setTimeout(() => cancel(attempt.state, signInExpiredError()), lifetimeMs);
      waiting.set(attempt.state, { attempt, timer });
    },
    async answer(callback, canAsk) {
      const { state } = callback;
      // Ended before the first await, so that a second callback finds it used.
      const attempt = state === null ? null : end(state, 'used');
      if (attempt === null) {
        const error = stateRefusedError((state === null ? undefined : ended.get(state)) ?? 'unknown');
        return { outcome: 'refused', error };
      }
      const result = await track(attempt.take(callback, canAsk));
      if (result.outcome === 'question') return ask(result);
      idle();
      return result;
    },
    cancel,
    async close() {
      for (const state of [...waiting.keys()]) end(state, 'expired')?.fail(signInCancelledError());
      for (const decide of [...asking]) void decide(false);
      await Promise.all(running);
    },
  };
}
