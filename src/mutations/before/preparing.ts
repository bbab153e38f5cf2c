import { canonicalAnswer } from '../../canonical-json.ts';
import type { Clock } from '../../clock.ts';
import { unhurried } from '../../deadline.ts';
import { type AccountScope, compareAccounts } from '../../ledger/rows.ts';
import { type Caller, callCancelledError } from '../caller.ts';

/** A call that reads files before anything of it is claimed. */
interface Begun<Answer> {
  readonly account: AccountScope;
  /** Its arguments. A call with the same id and other arguments is another call. */
  readonly asked: string;
  readonly end: Promise<Answer>;
  hasEnded: boolean;
}

/**
 * The calls of this process that still read their files, also after they were answered: large files, or those of a slow
 * disk, take longer to read than a host waits. They end with the process, and nothing is lost by that: the same call
 * begins again. How a dry run ended, or a call that failed before its claim, is remembered until it was told once.
 */
export interface Preparing<Answer> {
  /**
   * Makes a call. Its answer, or null where it is not there in time; then it goes on.
   * @param work gets a caller without the call's time
   */
  perform(
    call: {
      readonly id: string;
      readonly account: AccountScope;
      readonly args: object;
      readonly caller: Caller;
    },
    work: (untimed: Caller) => Promise<Answer>,
  ): Promise<Answer | null>;
  /** What comes of the call of an id: waits for it. Undefined: none is at work here for this account; null: not yet. */
  ask(id: string, account: AccountScope, caller: Caller): Promise<Answer | null> | undefined;
  /** Stops what is under way, and waits for it. */
  close(): Promise<void>;
}

/** An answer leaves this much before the caller's time is over. ms */
const reserveMs = 2_000;
const mostRemembered = 50;

/** @param isKept whether an answer is remembered until it was told: of others the ledger knows */
export function createPreparing<Answer>(
  clock: Clock,
  isKept: (answer: Answer) => boolean,
): Preparing<Answer> {
  const calls = new Map<string, Begun<Answer>>();
  const closing = new AbortController();

  const wait = async (id: string, call: Begun<Answer>, { deadline }: Caller): Promise<Answer | null> => {
    const over = new AbortController();
    const cut = AbortSignal.any([over.signal, deadline.signal]);
    const late = clock.sleep(Math.max(0, deadline.left() - reserveMs), cut).then(() => null);
    try {
      const answer = await Promise.race([call.end, late]);
      if (answer === null && !call.hasEnded && deadline.signal.aborted) throw callCancelledError();
      if (answer !== null && calls.get(id) === call) calls.delete(id);
      return answer;
    } catch (error) {
      if (call.hasEnded && calls.get(id) === call) calls.delete(id);
      throw error;
    } finally {
      over.abort();
    }
  };

  return {
    async perform({ id, account, args, caller }, work) {
      const asked = canonicalAnswer(args);
      const before = calls.get(id);
      if (
        before !== undefined &&
        before.asked === asked &&
        compareAccounts(before.account, account) === 'same'
      )
        return wait(id, before, caller);
      const signal = AbortSignal.any([caller.deadline.signal, closing.signal]);
      const end = work({ deadline: unhurried(signal), progress: caller.progress });
      const call: Begun<Answer> = { account, asked, end, hasEnded: false };
      // Two at work under one id are told apart by the ledger, which takes one of them.
      if (before === undefined || before.hasEnded) calls.set(id, call);
      const ended = (isRemembered: boolean) => {
        call.hasEnded = true;
        if (!isRemembered && calls.get(id) === call) calls.delete(id);
        const [oldest] = [...calls].find(([, one]) => one.hasEnded) ?? [];
        if (calls.size > mostRemembered && oldest !== undefined) calls.delete(oldest);
      };
      end.then(
        (answer) => ended(isKept(answer)),
        () => ended(true),
      );
      return wait(id, call, caller);
    },
    ask(id, account, caller) {
      const call = calls.get(id);
      if (call === undefined || compareAccounts(call.account, account) !== 'same') return undefined;
      return wait(id, call, caller);
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...calls.values()].map(({ end }) => end));
    },
  };
}
