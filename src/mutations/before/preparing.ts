import type { Clock } from '../../clock.ts';
import { unhurried } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { isUnsent } from '../../ledger/ledger.ts';
import { requireOwnEntry, type Session } from '../account.ts';
import { describeMutation } from '../answer/describe-mutation.ts';
import { nextIn } from '../answer/table.ts';
import { requireNotCancelled, type TellProgress } from '../caller.ts';
import { nameOfService } from '../names.ts';
import type { Service } from '../ports.ts';
import { MutationError, type MutationResult } from '../result.ts';
import { isOpenAndIdle } from './perform.ts';
import type { StopSignals } from '../run/background.ts';

/** A call that sends files. */
interface CallWithFiles {
  readonly clientMutationId: string;
  readonly operation: string;
  readonly dryRun: boolean;
  /** Its answer is asked for again, page by page. */
  readonly paged: boolean;
}

/** One that was begun. While its files are read nothing of it is claimed or sent, and no ledger knows it. */
interface Begun extends CallWithFiles {
  readonly service: Service;
  /** The last progress, as a sentence; empty if there was none. */
  far: string;
  hasEnded: boolean;
}

/**
 * The calls of this process that still read their files, also after they were answered. They end with the process, and
 * nothing is lost by that: the same call begins again.
 */
export interface Preparing {
  /**
   * Makes a call that reads files before it claims its id. All of it goes on after the call has answered: large files, or
   * those of a slow disk, take longer to read than a host waits.
   * @param work gets the session without the call's time
   */
  perform(
    session: Session,
    call: CallWithFiles,
    work: (untimed: Session, signals: StopSignals) => Promise<MutationResult>,
  ): Promise<MutationResult>;
  /** Whether a call of this id is at work here. */
  isAtWork(clientMutationId: string): boolean;
  /** Null where nothing of this id was begun here; else its answer, once it has ended or time is over. */
  ask(session: Session, clientMutationId: string): Promise<MutationResult> | null;
}

const dryRunGoesOn = 'This dry run takes longer than a call may: it goes on, and sends nothing.';
const filesAreRead = 'Its files are still being read; none of them was sent so far.';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
const mostRemembered = 50;

type Ended = { readonly result: MutationResult } | { readonly error: unknown };

/** Keeps calls whose files are still being read, so that their status can be told. */
export function createPreparing(clock: Clock): Preparing {
  const remembered = new Map<string, { readonly begun: Begun; readonly end: Promise<Ended> }>();

  const underWay = ({ clientMutationId, operation, service, dryRun, far }: Begun): MutationResult => ({
    outcome: 'processing',
    clientMutationId,
    operation,
    service: nameOfService(service),
    target: {},
    warnings: [{ code: 'nothing_sent_yet', message: (dryRun ? dryRunGoesOn : filesAreRead) + far }],
    next: nextIn({ is: dryRun ? 'dry run prepared' : 'being prepared', clientMutationId }),
  });

  const remember = (begun: Begun, work: Promise<MutationResult>): void => {
    const end = work
      .then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      )
      .finally(() => {
        begun.hasEnded = true;
      });
    remembered.delete(begun.clientMutationId);
    remembered.set(begun.clientMutationId, { begun, end });
    const [oldest] = remembered.keys();
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
  };

  /** Once an answer without pages was told, the ledger and the service know better how it stands. */
  const forgetTold = (begun: Begun): void => {
    const { clientMutationId, paged } = begun;
    if (!paged && remembered.get(clientMutationId)?.begun === begun) remembered.delete(clientMutationId);
  };

  return {
    async perform(session, call, work) {
      const { service, ledger, scope, deadline, background } = session;
      const { clientMutationId } = call;
      const begun: Begun = { ...call, service, far: '', hasEnded: false };
      const running = background.run(session, (signals, progress) => {
        const tell: TellProgress = (done, total, message) => {
          if (done > 0)
            begun.far = ` So far ${done}${total === null ? '' : ` of ${total}`} bytes: ${message}.`;
          progress(done, total, message);
        };
        // The call may have answered by then: only giving it up ends the work.
        const untimed = { ...session, deadline: unhurried(signals.cancelled), progress: tell };
        const working = work(untimed, signals);
        remember(begun, working);
        return working;
      });
      const result = await running.catch((error: unknown) => {
        forgetTold(begun);
        throw error;
      });
      if (result.ended) {
        forgetTold(begun);
        return result.value;
      }
      if (deadline.signal.aborted) {
        const view = await ledger.read(scope, clientMutationId);
        throw new MutationError('cancelled', 'The call was cancelled; what was sent before is recorded.', {
          clientMutationId,
          ...(view === null
            ? { outcome: 'not_sent' as const }
            : { next: nextIn({ is: 'call cancelled', clientMutationId }) }),
        });
      }
      return answerFor(session, begun);
    },
    isAtWork(clientMutationId) {
      return remembered.get(clientMutationId.toLowerCase())?.begun.hasEnded === false;
    },
    ask(session, clientMutationId) {
      const found = remembered.get(clientMutationId.toLowerCase());
      return found === undefined ? null : wait(session, found.begun, found.end);
    },
  };

  /** It may have claimed its id by now, and begun to send. */
  async function answerFor(session: Session, begun: Begun): Promise<MutationResult> {
    const view = await session.ledger.read(session.scope, begun.clientMutationId);
    if (view === null || isUnsent(view)) return underWay(begun);
    // The run that is resumed has not begun so far: what the ledger has of the last one would lead elsewhere.
    const { clientMutationId } = begun;
    const next = isOpenAndIdle(view) ? nextIn({ is: 'being prepared', clientMutationId }) : undefined;
    return describeMutation(session, view, { next });
  }

  async function wait(session: Session, begun: Begun, end: Promise<Ended>): Promise<MutationResult> {
    const { deadline } = session;
    const enough = new AbortController();
    const over = clock.sleep(
      Math.min(newsMs, deadline.left()),
      AbortSignal.any([deadline.signal, enough.signal]),
    );
    const ended = await Promise.race([end, over.then(() => null)]);
    enough.abort();
    requireNotCancelled(deadline);
    if (ended === null) return answerFor(session, begun);
    if ('result' in ended) return ended.result;
    const { error } = ended;
    if (error instanceof MutationError && error.outcome === 'not_sent') {
      // That is as old as the work's last look: another process may have sent the same since.
      const { ledger, scope } = session;
      const view = await ledger.read(scope, begun.clientMutationId);
      if (view !== null) requireOwnEntry(view, scope);
      if (view !== null && !isUnsent(view)) return describeMutation(session, view);
    }
    throw error instanceof ArtworkError ? error : new TypeError('a call failed');
  }
}
