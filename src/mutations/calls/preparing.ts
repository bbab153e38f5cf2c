import { ArtworkError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { nextStatus } from '../next-calls.ts';
import type { CallClock } from '../call-clock.ts';
import type { Service } from '../ports.ts';
import type { MutationResult } from '../result.ts';
import { nameOfService } from '../names.ts';

/** A submission whose files are looked at and kept: nothing of it is claimed or sent, and no ledger knows it. */
export interface Prepared {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly service: Service;
}

/**
 * What is prepared in this process longer than its call lasts. It ends with the process, and nothing is lost by
 * that: the same call begins it again.
 */
export interface Preparing {
  /** Remembers what is begun until others have taken its place. */
  begin(prepared: Prepared, work: Promise<MutationResult>): void;
  /** The answer for a call whose time is over. */
  underWay(prepared: Prepared): MutationResult;
  /** Null where nothing of this id was begun here; else its answer, once it has ended or time is over. */
  ask(clientMutationId: string, time: CallClock): Promise<MutationResult> | null;
}

/** How long one call waits for news, ms. */
const newsMs = 40_000;
const mostRemembered = 50;

interface Begun {
  readonly prepared: Prepared;
  readonly end: Promise<Ended>;
}

type Ended = { readonly result: MutationResult } | { readonly error: unknown };

/** Keeps calls whose files are still being read, so that their status can be told. */
export function createPreparing(clock: Clock): Preparing {
  const begun = new Map<string, Begun>();

  const underWay = ({ clientMutationId, operation, service }: Prepared): MutationResult => ({
    outcome: 'processing',
    clientMutationId,
    operation,
    service: nameOfService(service),
    target: {},
    warnings: [{ code: 'nothing_sent_yet', message: 'Its files are still being read and kept.' }],
    next: nextStatus(clientMutationId, 'It is being prepared: this waits for what follows.'),
  });

  return {
    underWay,
    begin(prepared, work) {
      const end = work.then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      );
      begun.delete(prepared.clientMutationId);
      begun.set(prepared.clientMutationId, { prepared, end });
      const [oldest] = begun.keys();
      if (begun.size > mostRemembered && oldest !== undefined) begun.delete(oldest);
    },
    ask(clientMutationId, time) {
      const found = begun.get(clientMutationId.toLowerCase());
      return found === undefined ? null : wait(found, time);
    },
  };

  async function wait({ prepared, end }: Begun, time: CallClock): Promise<MutationResult> {
    const enough = new AbortController();
    const stop = () => enough.abort();
    time.signal.addEventListener('abort', stop, { once: true });
    if (time.signal.aborted) stop();
    const backoff = clock.sleep(Math.min(newsMs, time.left()), enough.signal);
    const ended = await Promise.race([end, backoff.then(() => null)]);
    time.signal.removeEventListener('abort', stop);
    stop();
    time.check();
    if (ended === null) return underWay(prepared);
    if ('result' in ended) return ended.result;
    throw ended.error instanceof ArtworkError ? ended.error : new TypeError('a submission failed');
  }
}
