import { ArtworkError } from '../../errors.ts';
import { fillIndex } from './filler.ts';
import type { FillerPorts } from './ports.ts';

/** Reads the catalogue while the host is open, without anybody waiting for it. */
export interface BackgroundFiller {
  /** From now on, where it does not do so already. Throws nothing, and takes no time. */
  begin(): void;
  /** Whether the last reading failed, and none has begun since. */
  hasFailed(): boolean;
  /** Ends at once, in the middle of what is being read. */
  close(): Promise<void>;
}

/** How long it takes until it is looked again what has grown old, or been named by others, ms. */
const pauses = {
  done: 10 * 60_000,
  full: 60 * 60_000,
  busy: 20_000,
  lost: 20_000,
  failed: 60_000,
  stopped: 0,
} as const;
/** After the store has failed, ms: a full disk is not full for a second. */
const brokenPauseMs = 15 * 60_000;

/** ms */
const firstPauseMs = 250;

/**
 * Runs the filler in the background, again and again, while the server is open.
 * @param connect opens the way to the catalogue, and closes it again; asked for each reading
 */
export function createBackgroundFiller(
  connect: () => Promise<{ readonly ports: FillerPorts; close(): Promise<void> }>,
  { log, clock }: Pick<FillerPorts, 'log' | 'clock'>,
): BackgroundFiller {
  const closing = new AbortController();
  const { signal } = closing;
  let running: Promise<void> | null = null;
  let told: string | null = null;
  let failed = false;

  const once = async (): Promise<number> => {
    const { ports, close } = await connect();
    try {
      failed = false;
      const { end } = await fillIndex(ports, { signal, isByHand: false });
      failed = end === 'failed';
      return pauses[end];
    } finally {
      await close();
    }
  };
  const run = async (): Promise<void> => {
    // The call at hand is answered first.
    await clock.sleep(firstPauseMs, signal);
    while (!signal.aborted) {
      let pause = brokenPauseMs;
      try {
        pause = await once();
      } catch (error) {
        if (signal.aborted) return;
        failed = true;
        // No caller's call fails by it: the log says it once, and find_titles goes on with what there is.
        const why = error instanceof ArtworkError ? error.message : 'a defect';
        if (why !== told) log.warn(`The catalogue could not be read for the index of titles: ${why}`);
        told = why;
      }
      await clock.sleep(pause, signal);
    }
  };
  return {
    begin() {
      if (!signal.aborted) running ??= run();
    },
    hasFailed: () => failed,
    async close() {
      closing.abort();
      await running;
    },
  };
}
