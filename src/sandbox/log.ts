import { open, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { systemCode } from './sandbox-error.ts';

const maxBytes = 1_048_576;

/** The output of a detached catalogue (mode 0600). Readiness never depends on it. */
export function logFile(dataDir: string): string {
  return path.join(dataDir, 'log');
}

/** The length of the log in bytes; 0 when there is none. */
export async function logLength(dataDir: string): Promise<number> {
  try {
    return (await stat(logFile(dataDir))).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Truncates a log of more than 1 MiB. Writers append, so they continue at the start. */
export async function limitLog(dataDir: string): Promise<void> {
  if ((await logLength(dataDir)) > maxBytes) await truncate(logFile(dataDir), 0);
}

/** Writes one line; the process id distinguishes processes that start at the same time. */
export function writeLog(message: string): void {
  process.stderr.write(`${new Date().toISOString()} [${process.pid}] ${cleanLine(message)}\n`);
}

/** Writes the stack of a defect, of which the client sees only a failure. The stack may quote the client. */
export function logDefect(defect: unknown): void {
  const stack =
    defect instanceof Error ? (defect.stack ?? defect.message) : 'A value that is no Error was thrown.';
  // Indented, so that a line end in the message can't imitate a line of the log.
  process.stderr.write(`embedded catalogue: ${stack.split('\n').map(cleanLine).join('\n    ')}\n`);
}

/**
 * The last line that a process wrote to the log after the given length: its own last line, else the very last
 * line (what Node prints when a program can't be loaded). Null when nothing was written.
 */
export async function lastLogLine(
  dataDir: string,
  pid: number | undefined,
  after: number,
): Promise<string | null> {
  const length = await logLength(dataDir);
  const from = Math.max(after <= length ? after : 0, length - 16_384);
  const handle = await open(logFile(dataDir), 'r');
  try {
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

/**
 * Removes what a terminal would act on: escape sequences, control characters, changes of reading direction.
 */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}
