import { z } from 'zod';
import { systemClock } from '../../clock.ts';
import type { Marks } from '../../store/kv.ts';
import { createLeaseJudge, heartbeatEveryMs, holdersOfMachine, type LeaseJudge } from '../../store/lease.ts';
import { jsonOf } from '../../text.ts';

const note = z.object({
  holder: z.string().nullable(),
  /** Moves with each heartbeat of the holder. */
  beat: z.number(),
  /** The newest change of each feed that the last whole run has heeded, as the service wrote it. */
  newest: z.object({ assets: z.string().nullable(), sets: z.string().nullable() }),
});
export type UpdateNote = Readonly<z.output<typeof note>>;

const empty: UpdateNote = { holder: null, beat: 0, newest: { assets: null, sets: null } };

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
  judging ??= createLeaseJudge(systemClock, holdersOfMachine());
  return judging;
}

/**
 * Takes the right to update what lies below a root: one process at a time has it, and keeps it as long as it lives.
 * @returns null where another one has it
 */
export async function takeUpdateLease(
  store: Pick<Marks, 'get' | 'putIfAbsent' | 'compareAndSet'>,
  name: string,
): Promise<UpdateLease | null> {
  const key = `${name.replace('downloads/', 'downloads-update/')}`;
  const judge = judgeOfProcess();
  const first = await store.putIfAbsent(key, JSON.stringify(empty));
  let { version, value } = first.current;
  let mine: UpdateNote = readNote(value);
  if (judge.isLive(mine.holder, mine.beat)) return null;
  const holder = judge.start();
  const lost = new AbortController();
  const write = async (next: UpdateNote): Promise<boolean> => {
    const swap = await store.compareAndSet(key, version, JSON.stringify(next));
    if (swap.outcome !== 'swapped') return false;
    version = swap.current.version;
    value = swap.current.value;
    mine = next;
    return true;
  };
  if (!(await write({ ...mine, holder, beat: mine.beat + 1 }))) {
    judge.end(holder);
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
    // What can't be kept is lost: others take it for that too.
    inTurn(() => ({ ...mine, holder, beat: mine.beat + 1 })).catch(() => lost.abort());
  };
  const timer = setInterval(beat, heartbeatEveryMs);
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
        judge.end(holder);
      }
    },
  };
}

/** What can't be read holds nothing, and has heeded nothing. */
function readNote(value: string): UpdateNote {
  return note.safeParse(jsonOf(value)).data ?? empty;
}
