import type { Json } from '../../canonical-json.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView, Step as LedgerStep } from '../../ledger/ledger.ts';
import { createBackoff } from '../../clock.ts';
import { nextIn } from '../answer/table.ts';
import { MutationError } from '../result.ts';
import type { Run } from './run.ts';
import type { Journal } from './way.ts';

/** Another process holds the lease now, or a person gave the mutation up: nothing may be sent for it any more. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the run was lost');
  }
}

/** The journal of a run, as its process writes it to the ledger. */
export interface JournalWriter<Progress> {
  readonly current: Journal<Progress>;
  /** The entry as it was written last. */
  readonly view: EntryView;
  /**
   * Notes what has changed: at once for those who ask, on the disk when it resolves. Writes that come together leave
   * in turn, each with all that is known by then. @throws LeaseLost; why it could not be written
   */
  note(progress: Progress): Promise<void>;
  /** Resolves once all that was noted is on the disk. @throws as `note` */
  settled(): Promise<void>;
  /** One transition of the entry that goes on, after all that was noted. @throws as `note` */
  move(transition: () => Promise<LedgerStep>): Promise<void>;
  /** The last transition: the ledger itself judges what it takes from a process that has lost the lease. */
  end(transition: () => Promise<LedgerStep>): Promise<void>;
}

const pauses = { firstMs: 100, longestMs: 6_400 };
/** Some 13 seconds together. */
const mostPauses = 7;

/** Opens the journal of a run at its beginning. */
export function openJournal<Progress extends Json>(run: Run, first: Progress): JournalWriter<Progress> {
  const { ledger, ports } = run.account;
  let { view } = run;
  let progress = first;
  let written = first;
  let last: Promise<void> = Promise.resolve();

  /** A disk that is full for a moment must not lose what the service said: it exists nowhere else. */
  const persist = async (write: () => Promise<LedgerStep>): Promise<boolean> => {
    const { closing } = run.signals;
    const backoff = createBackoff(ports.clock, pauses);
    for (let paused = 0; ; paused += 1) {
      try {
        const step = await write();
        view = step.view;
        return step.isHolder;
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        if (paused === mostPauses || closing.aborted) throw unrecorded(run, error);
        await backoff.pause(closing);
      }
    }
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const flush = async (): Promise<void> => {
    if (written === progress) return;
    const now = progress;
    if (!(await persist(() => ledger.checkpoint(run.lease, now)))) throw new LeaseLost();
    written = now;
  };

  return {
    get current() {
      const { state, doubt } = view.entry;
      return { state, doubt, progress };
    },
    get view() {
      return view;
    },
    note(changed) {
      progress = changed;
      return inTurn(flush);
    },
    settled: () => inTurn(flush),
    move: (transition) =>
      inTurn(async () => {
        await flush();
        if (!(await persist(transition))) throw new LeaseLost();
      }),
    end: (transition) =>
      inTurn(async () => {
        await persist(transition);
      }),
  };
}

function unrecorded({ prepared: { mutation } }: Run, error: ArtworkError): MutationError {
  const { clientMutationId } = mutation;
  const message = `What became of the mutation could not be recorded. ${error.message}`;
  return new MutationError(error.category, message, {
    code: error.code,
    clientMutationId,
    next: nextIn({ is: 'not recorded', clientMutationId }),
    cause: error,
  });
}
