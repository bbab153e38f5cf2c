import { jsonOf } from '../text.ts';
import { isId, type RequestId } from './messages.ts';

/** Bytes that one line of the protocol may have. A Set of 300 files with all its words needs a tenth of that. */
export const longestLine = 10 * 1024 * 1024;

/** A line that was too long to be read. */
export interface LongLine {
  readonly bytes: number;
  /** Of the request that it was, where its ends tell: it waits for an answer. */
  readonly id: RequestId | null;
}

const keptBytes = 4096;
const newline = 0x0a;

/**
 * The lines of the input, each as one Buffer. Of one that is too long only its length and its id are given, where an SDK
 * would end the conversation: no more than `longestLine` of it is ever held.
 */
export async function* readLines(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer | LongLine, void, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  /** The beginning of a line that is too long. */
  let head: Buffer | null = null;
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(newline, from);
      const until = at < 0 ? chunk.length : at + 1;
      parts.push(chunk.subarray(from, until));
      bytes += until - from;
      from = until;
      if (bytes > longestLine) {
        // Copies, so that the line itself can be freed.
        const whole = Buffer.concat(parts);
        head ??= Buffer.from(whole.subarray(0, keptBytes));
        parts = [Buffer.from(whole.subarray(-keptBytes))];
      }
      if (at < 0) break;
      const line = Buffer.concat(parts);
      yield head === null ? line : { bytes, id: idOfRequest(head, line.subarray(-keptBytes)) };
      [parts, bytes, head] = [[], 0, null];
    }
  }
}

/**
 * The id of a request, which clients write before the parameters or behind them. Null for what wants no answer, or does
 * not tell.
 */
function idOfRequest(head: Buffer, tail: Buffer): RequestId | null {
  // Whatever holds more than the members before the parameters is no JSON by itself.
  const [, before = ''] = /^\s*\{(.*?)"params"\s*:/s.exec(head.toString()) ?? [];
  const members = jsonOf(`{${before}"params":0}`);
  if (typeof members !== 'object' || members === null || !('method' in members)) return null;
  // Behind it only the message itself ends, so that it is a member of nothing else.
  const [, last = 'null'] = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/.exec(tail.toString()) ?? [];
  const id = 'id' in members ? members.id : jsonOf(last);
  return isId(id) ? id : null;
}
