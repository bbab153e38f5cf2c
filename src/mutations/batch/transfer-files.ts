import type { TransferTracker } from './transfer-tracker.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import { requireNotStopped, type SubmissionSession } from './session.ts';
import { transferFile } from './transfer-file.ts';
import type { TransferProgress } from './transfer-progress.ts';

/** The interface document names no limit; a slow line is full with few. */
export const transfersAtOnce = 3;

export interface TransferRound {
  /** How many files have arrived in it. */
  readonly arrived: number;
  /** How long the service asks to be left alone, ms. */
  readonly waitMs: number;
}

/**
 * Sends what the service lacks, a few files at a time. Once one transfer has not gone well none is begun any
 * more: first the service is asked again.
 * @throws LeaseLost; ArtworkError where nothing can be sent any more
 */
export async function transferFiles(
  session: SubmissionSession,
  tracker: TransferTracker,
  transferProgress: TransferProgress,
): Promise<TransferRound> {
  const { files, checkpoints } = session;
  const marks = keepMarks(session, tracker);
  let arrived = 0;
  let waitMs = 0;
  let trouble = false;
  await mapLimit(tracker.lacking(), transfersAtOnce, async (item) => {
    const file = files[item];
    if (trouble || file === undefined) return;
    requireNotStopped(session);
    await marks.pass(item);
    tracker.begun(item);
    const transfer = await transferFile(session, item, file, transferProgress);
    switch (transfer.state) {
      case 'arrived':
        tracker.became(item, 'arrived');
        arrived += 1;
        return;
      case 'refused': {
        const { error } = transfer;
        tracker.became(item, 'refused', error);
        const { code, message } = error;
        await checkpoints.write({
          refused: [...checkpoints.current.refused, { item, code, message: message.slice(0, 300) }],
        });
        return;
      }
      case 'absent':
        waitMs = Math.max(waitMs, transfer.waitMs);
        break;
      case 'doubtful':
        break;
    }
    tracker.became(item, transfer.state, transfer.error);
    trouble = true;
  });
  return { arrived, waitMs };
}

interface Marks {
  /** Resolves once it is in the ledger that this file may have been sent. */
  pass(item: number): Promise<void>;
}

/**
 * A process that resumes the submission later must know which files were never sent. Writing that before each of them
 * would write the whole entry as often; a mark that is moved on by several at a time is enough.
 */
function keepMarks({ files, checkpoints }: SubmissionSession, tracker: TransferTracker): Marks {
  const several = Math.max(transfersAtOnce, Math.ceil(files.length / 40));
  let moving: Promise<void> = Promise.resolve();
  const move = async (item: number): Promise<void> => {
    if (item < checkpoints.current.mark) return;
    const mark = Math.min(files.length, item + several);
    await checkpoints.write({ mark, open: tracker.open(mark) });
  };
  return {
    pass(item) {
      // In turn: a transfer that begins while the mark is moved must not be sent before the mark is written.
      moving = moving.then(() => move(item));
      return moving;
    },
  };
}
