import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import type { AtomicStore } from '../../storage/atomic-store.ts';
import {
  createLeaseJudge,
  heartbeatEvery,
  type Holder,
  holderSchema,
  identifyProcess,
  type LeaseJudge,
  processMayRun,
} from '../../storage/lease.ts';
import { jsonOf } from '../../text.ts';

const note = z.object({
  holder: holderSchema.nullable(),
  /** The newest change of each feed that the last whole run has heeded, as the service wrote it. */
  newest: z.object({ assets: z.string().nullable(), sets: z.string().nullable() }),
});
export type UpdateNote = Readonly<z.output<typeof note>>;

const empty: UpdateNote = { holder: null, newest: { assets: null, sets: null } };

/** What one run of an update holds. */
export interface UpdateLease {
  /** Aborted once another process has it. */
  readonly lost: AbortSignal;
  readonly newest: UpdateNote['newest'];
  /** Notes how far the feeds were heeded. */
  heed(newest: UpdateNote['newest']): Promise<void>;
  release(): Promise<void>;
}

let judging: LeaseJudge | null = null;

/** Kept for the process: what it has seen of other processes counts. */
function judgeOfProcess(): LeaseJudge {
  const self = identifyProcess();
  judging ??= createLeaseJudge({ clock: systemClock, self, mayRun: processMayRun(self) });
  return judging;
}

/**
 * Takes the right to update what lies below a root: one process at a time has it, and keeps it as long as it lives.
 * @returns null where another one has it
 */
export async function takeUpdateLease(
  store: Pick<AtomicStore, 'get' | 'putIfAbsent' | 'compareAndSet'>,
  name: string,
): Promise<UpdateLease | null> {
  const key = `${name.replace('downloads/', 'downloads-update/')}`;
  const judge = judgeOfProcess();
  const first = await store.putIfAbsent(key, JSON.stringify(empty));
  let { version, value } = first.current;
  let mine: UpdateNote = readNote(value);
  if (await judge.isLive(mine.holder)) return null;
  let holder: Holder = judge.startHolding();
  const lost = new AbortController();
  const write = async (next: UpdateNote): Promise<boolean> => {
    const swap = await store.compareAndSet(key, version, JSON.stringify(next));
    if (swap.outcome !== 'swapped') return false;
    version = swap.current.version;
    value = swap.current.value;
    mine = next;
    return true;
  };
  if (!(await write({ ...mine, holder }))) {
    judge.endHolding(holder);
    return null;
  }
  // One write after the other: each goes by the version of the one before.
  let writing: Promise<void> = Promise.resolve();
  const inTurn = (next: () => UpdateNote): Promise<void> => {
    writing = writing.then(async () => {
      if (!lost.signal.aborted && !(await write(next()))) lost.abort();
    });
    return writing;
  };
  const beat = () => {
    inTurn(() => {
      holder = { ...holder, beat: holder.beat + 1 };
      return { ...mine, holder };
      // What can't be kept is lost: others take it for that too.
    }).catch(() => lost.abort());
  };
  const timer = setInterval(beat, heartbeatEvery);
  timer.unref();
  return {
    lost: lost.signal,
    newest: mine.newest,
    heed: (newest) => inTurn(() => ({ ...mine, newest })),
    async release() {
      clearInterval(timer);
      try {
        await inTurn(() => ({ ...mine, holder: null }));
      } finally {
        judge.endHolding(holder);
      }
    },
  };
}

/** What can't be read holds nothing, and has heeded nothing. */
function readNote(value: string): UpdateNote {
  return note.safeParse(jsonOf(value)).data ?? empty;
}
