import { jsonOf } from '../text.ts';

/** Bytes that one line of the protocol may have. A Set of 300 files with all its words needs a tenth of that. */
export const longestLine = 10 * 1024 * 1024;

/** A line that was too long to be read. */
export interface LongLine {
  readonly bytes: number;
  /** The request that it was, where that can be known: it waits for an answer. */
  readonly id: string | number | null;
}

/** What is kept of a line that is too long: enough to know which request it was. */
interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
}
const keptBytes = 4096;
const newline = 0x0a;

/**
 * The lines of the input, each as one Buffer with its end. A blank one is skipped. One that is too long is left out
 * and told, where the SDK would end the conversation: no more than `longestLine` of it is ever held.
 */
export async function* readLines(
  input: AsyncIterable<Buffer>,
  tooLong: (line: LongLine) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let ends: Ends | null = null;
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(newline, from);
      const until = at < 0 ? chunk.length : at + 1;
      const part = chunk.subarray(from, until);
      from = until;
      bytes += part.length;
      parts.push(part);
      if (bytes > longestLine) {
        ends = endsOf(ends, Buffer.concat(parts));
        parts = [];
      }
      if (at < 0) break;
      if (ends !== null) tooLong({ bytes, id: idOfRequest(ends) });
      const line = parts.length === 1 ? part : Buffer.concat(parts);
      parts = [];
      bytes = 0;
      ends = null;
      if (!isBlank(line)) yield withoutMark(line);
    }
  }
  // What lacks its end is no message; one that was too long is told all the same.
  if (ends !== null) tooLong({ bytes, id: idOfRequest(ends) });
}

/** Copies, so that the line itself can be freed. */
function endsOf(before: Ends | null, more: Buffer): Ends {
  const tail = before === null ? more : Buffer.concat([before.tail, more]);
  return {
    head: before?.head ?? Buffer.from(more.subarray(0, keptBytes)),
    tail: Buffer.from(tail.subarray(-keptBytes)),
  };
}

/** Most lines tell by their first byte. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => blanks.has(byte));
}

/** Space, tab, carriage return, line feed: what JSON has for blank. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, newline]);

/** Some shells put a byte order mark before the first line that they pipe. */
function withoutMark(line: Buffer): Buffer {
  return line.readUIntBE(0, Math.min(3, line.length)) === 0xefbbbf ? line.subarray(3) : line;
}

/**
 * The id of a request, read from both ends of its text: clients write it before the parameters or behind them. Null
 * for what wants no answer (a notification, an answer), or does not tell.
 */
function idOfRequest({ head, tail }: Ends): string | number | null {
  // Whatever holds more than the members before the parameters is no JSON by itself.
  const [, before = ''] = /^\s*\{(.*?)"params"\s*:/s.exec(head.toString()) ?? [];
  const members = jsonOf(`{${before}"params":0}`);
  if (typeof members !== 'object' || members === null || !('method' in members)) return null;
  // Behind it only the message itself ends, so that it is a member of nothing else.
  const [, last = 'null'] = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/.exec(tail.toString()) ?? [];
  const id = 'id' in members ? members.id : jsonOf(last);
  // A larger number has lost its digits here, and might be the id of another request.
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
