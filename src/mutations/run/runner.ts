import { ArtworkError } from '../../errors.ts';
import type { Lease, Ledger } from '../../ledger/ledger.ts';
import type { MutationBody, MutationRow } from '../../ledger/rows.ts';
import type { Caller } from '../caller.ts';
import type { Change } from '../change.ts';
import type { MutationPorts, UploadSource } from '../ports.ts';
import { lookUp } from './look-up.ts';
import { type Run, signalsOf, underLease } from './run.ts';
import { runSingle } from './single.ts';
import { runSubmission } from './submission.ts';

/** A change that this process holds the lease of, from a claim or from a takeover. */
export interface Work {
  readonly change: Change;
  readonly lease: Lease;
  readonly row: MutationRow;
  readonly body: MutationBody;
  /** Of an upload: its open file, which the run closes. Null: there is none, or it can't be read any more. */
  readonly source: UploadSource | null;
}

/** How a change stands when a call has to answer. */
export interface Seen {
  /** As it was read last. */
  readonly row: MutationRow;
  /** Why it stands there, with the call that leads on; the row keeps it without. Null: nothing went wrong here. */
  readonly error: ArtworkError | null;
}

/** Carries changes out. Each call answers by its caller's deadline; what is not done then goes on in the background. */
export interface Runner {
  /** Carries out what was claimed, or goes on with what was taken over. Rejections are the store's alone. */
  carryOut(work: Work, caller: Caller): Promise<Seen>;
  /**
   * Looks what became of a change that is not settled, again and again until there is news of it, and records what is
   * proven. Waits for the process that works on it. It needs no lease and sends nothing. Rejections are the store's alone.
   */
  lookUp(change: Change, row: MutationRow, body: MutationBody, caller: Caller): Promise<Seen>;
  /** Lets no request begin any more, and waits for what is under way. */
  close(): Promise<void>;
}

/** What an answer still needs once the work of a call is not waited for any more. ms */
const answerMs = 1_000;

export function createRunner(ports: MutationPorts): Runner {
  const closing = new AbortController();
  const atWork = new Set<Promise<void>>();

  const begin = <Of extends Change>(
    ledger: Ledger,
    change: Of,
    work: Work,
    caller: Caller,
    story: (run: Run<Of>) => Promise<void>,
  ) => {
    const { lease, row, body } = work;
    const run: Run<Of> = {
      ports,
      ledger,
      lease,
      change,
      body,
      row,
      error: null,
      isNews: false,
      ownConnection: null,
      isResumed: row.state === 'accepted' || row.doubt !== 'none',
      progress: caller.progress,
      ...signalsOf(caller.deadline.signal, closing.signal),
    };
    const done = underLease(run, () => story(run)).finally(() => work.source?.close());
    const tracked: Promise<void> = done
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'an unknown failure';
        ports.log.warn(`The run of the mutation ${lease.id} broke off: ${why}`);
      })
      .finally(() => atWork.delete(tracked));
    atWork.add(tracked);
    return { run, done };
  };

  /** Until when the caller waits for the work; then it goes on without. */
  const waitFor = async (work: Promise<void>, { deadline }: Caller): Promise<void> => {
    const ended = new AbortController();
    const given = work.finally(() => ended.abort());
    const waited = ports.clock.sleep(Math.max(0, deadline.left() - answerMs), ended.signal);
    await Promise.race([given, waited]);
  };

  return {
    async carryOut(work, caller) {
      const ledger = await ports.ledger();
      const { change, source } = work;
      const { run, done } =
        change.by === 'single'
          ? begin(ledger, change, work, caller, (run) => runSingle(run, source))
          : begin(ledger, change, work, caller, runSubmission);
      await waitFor(done, caller);
      const row = (await ledger.row(work.lease, work.lease.id)) ?? run.row;
      return { row, error: run.error };
    },

    async lookUp(change, row, body, caller) {
      return lookUp(ports, await ports.ledger(), change, row, body, caller, closing.signal);
    },

    async close() {
      closing.abort(new ArtworkError('cancelled', 'The server is closing.'));
      await Promise.all(atWork);
    },
  };
}
