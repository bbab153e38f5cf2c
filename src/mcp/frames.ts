import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Bytes that one line of the protocol may have. A Set of 300 files with all its words needs a tenth of that. */
export const longestFrame = 10 * 1024 * 1024;

/** A line that was too long to be read. */
export interface LongFrame {
  readonly bytes: number;
  /** The request that it was, where that can be known: it waits for an answer. */
  readonly id: string | number | null;
}

/** What is kept of a frame that is too long: enough to know which request it was. */
const keptBytes = 4096;
const newline = 0x0a;

/** Cuts the input into lines; the same for each piece of it as it comes, and once more where it ends. */
interface Frames {
  take(chunk: Buffer): void;
  end(): void;
}

/**
 * Hands on the lines that can be read, each as one Buffer: a blank one is skipped, a longer one is left out and told,
 * and the next one counts again. However long a line is, no more than `longestFrame` of it is held.
 */
export function createFrames(line: (frame: Buffer) => void, tooLong: (frame: LongFrame) => void): Frames {
  let parts: Buffer[] = [];
  let bytes = 0;
  let ends: { readonly head: Buffer; tail: Buffer } | null = null;

  const keep = (part: Buffer): void => {
    bytes += part.length;
    if (ends !== null) {
      ends.tail = Buffer.concat([ends.tail, part]).subarray(-keptBytes);
    } else if (bytes <= longestFrame) {
      parts.push(part);
    } else {
      const all = Buffer.concat([...parts, part]);
      // Copies, so that the frame itself can be freed.
      ends = { head: Buffer.from(all.subarray(0, keptBytes)), tail: Buffer.from(all.subarray(-keptBytes)) };
      parts = [];
    }
  };
  const finish = (): void => {
    const [kept, long, length] = [parts, ends, bytes];
    parts = [];
    bytes = 0;
    ends = null;
    if (long !== null) {
      tooLong({ bytes: length, id: idOfRequest(long.head.toString(), long.tail.toString()) });
      return;
    }
    const [only] = kept;
    const whole = only !== undefined && kept.length === 1 ? only : Buffer.concat(kept);
    if (!isBlank(whole)) line(whole);
  };
  return {
    take(chunk) {
      for (let from = 0; from < chunk.length; ) {
        const at = chunk.indexOf(newline, from);
        const until = at < 0 ? chunk.length : at + 1;
        keep(chunk.subarray(from, until));
        if (at >= 0) finish();
        from = until;
      }
    },
    end() {
      // What lacks its line end is no message; one that was too long is told all the same.
      if (ends !== null) finish();
    },
  };
}

/** Most lines begin with their message, so that the first byte tells. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => blanks.has(byte));
}

/** Space, tab, carriage return, line feed: what JSON has for blank. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, newline]);

const text = '"(?:[^"\\\\]|\\\\.)*"';
const id = `${text}|-?\\d+`;
const firstMember = new RegExp(`(${text})\\s*:\\s*(${text}|-?\\d+|null)\\s*,\\s*`, 'y');
/** Behind it only the message itself ends, so that it is a member of nothing else. */
const lastMember = new RegExp(`[,{]\\s*"id"\\s*:\\s*(${id})\\s*\\}\\s*$`);

/**
 * The id of a request, read from both ends of its text: clients write it before the parameters or behind them. Null
 * for what wants no answer (a notification, an answer), or does not tell.
 */
function idOfRequest(head: string, tail: string): string | number | null {
  const opening = /^\s*\{\s*/.exec(head);
  if (opening === null) return null;
  const first = new Map<unknown, string>();
  firstMember.lastIndex = opening[0].length;
  for (;;) {
    const [, name, value] = firstMember.exec(head) ?? [];
    if (name === undefined || value === undefined) break;
    first.set(parse(name), value);
  }
  const found = first.has('method') ? (first.get('id') ?? lastMember.exec(tail)?.[1]) : undefined;
  const value = found === undefined ? null : parse(found);
  // A larger number has lost its digits here, and might be the id of another request.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  return typeof value === 'string' ? value : null;
}

/** A text that is no JSON after all names nothing. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Where messages of the protocol go, one a line. */
export interface Output {
  send(message: object): void;
  /** Hands the stream what it was not handed yet. */
  flush(): void;
  /** Bytes that the host has not read yet, nearly: what the system holds for it is not known. */
  waiting(): number;
  /** Resolves once the host has read all of that, or is gone; never rejects, since a stream's fault is an event of it. */
  read(): Promise<void>;
}

/**
 * Writes messages to the host. Messages that come together, such as answers to calls that were made at once, are
 * written together.
 */
export function createOutput(stream: Writable): Output {
  let lines = '';
  let drained: Promise<unknown> | null = null;

  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text !== '') stream.write(text);
  };
  return {
    flush,
    waiting: () => lines.length + stream.writableLength,
    async read() {
      flush();
      if (!stream.writableNeedDrain) return;
      drained ??= once(stream, 'drain').catch(() => {
        // The stream has failed, which ends the server by itself.
      });
      await drained;
      drained = null;
    },
    send(message) {
      // Behind all that has come to its end by now.
      if (lines === '') process.nextTick(flush);
      lines += `${JSON.stringify(message)}\n`;
    },
  };
}
