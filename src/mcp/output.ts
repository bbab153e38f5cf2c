import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Where messages of the protocol go, one a line. */
export interface Output {
  /** Resolves once the stream can take more; it never rejects, since a stream's fault is an event of it. */
  send(message: object): Promise<void>;
  /** Hands the stream what it was not handed yet. */
  flush(): void;
}

/**
 * Writes messages to the host. Messages that come together, such as answers to calls that were made at once, are
 * written together.
 */
export function createOutput(stream: Writable): Output {
  let lines = '';
  let written: Promise<void> | null = null;
  let drained: Promise<unknown> | null = null;

  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') stream.write(text);
  };
  const write = async (): Promise<void> => {
    written = null;
    flush();
    if (!stream.writableNeedDrain) return;
    drained ??= once(stream, 'drain').catch(() => {
      // The stream has failed, which ends the server by itself.
    });
    await drained;
    drained = null;
  };
  return {
    flush,
    send(message) {
      lines += `${JSON.stringify(message)}\n`;
      // Behind all that has come to its end by now.
      written ??= new Promise((resolve) => process.nextTick(() => resolve(write())));
      return written;
    },
  };
}
