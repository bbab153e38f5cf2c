import { open, truncate } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const maxBytes = 1_048_576;

/** What a catalogue that was started in the background writes (mode 0600). */
export function logFile(dataDir: string): string {
  return path.join(dataDir, 'log');
}

/** Opens the log for a new process, which appends. One of more than 1 MiB begins anew. */
export async function openLog(dataDir: string) {
  const file = logFile(dataDir);
  const handle = await open(file, 'a', 0o600);
  if ((await handle.stat()).size > maxBytes) await truncate(file, 0);
  return { handle, length: (await handle.stat()).size };
}

/** The last line that was written after the given length: that of the process if it wrote one, else any. */
export async function lastLogLine(
  dataDir: string,
  pid: number | undefined,
  after: number,
): Promise<string | null> {
  const handle = await open(logFile(dataDir), 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(after, size - 16_384);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16_384), 0, 16_384, from);
    const lines = buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .filter((line) => line.trim() !== '');
    const own = lines.findLast((line) => line.includes(` [${pid}] `));
    const last = own?.slice(own.indexOf('] ') + 2) ?? lines.at(-1);
    return last === undefined ? null : cleanLine(last).slice(0, 500);
  } finally {
    await handle.close();
  }
}

/** Writes one line; the process id distinguishes processes that start at the same time. */
export function writeLog(message: string): void {
  process.stderr.write(`${new Date().toISOString()} [${process.pid}] ${cleanLine(message)}\n`);
}

/** Writes the stack of a defect, of which a client sees only that it failed. */
export function logDefect(defect: unknown): void {
  const stack =
    defect instanceof Error ? (defect.stack ?? defect.message) : `No Error was thrown: ${typeof defect}`;
  // Indented, so that a line end in the message can't imitate a line of the log.
  process.stderr.write(`embedded catalogue: ${stack.split('\n').map(cleanLine).join('\n    ')}\n`);
}

/** Takes out what a terminal would act on: escape sequences, control characters, changes of reading direction. */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}
