import { open, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../sandbox-error.ts';

const mostBytes = 1_048_576;

/** What a detached catalogue prints goes here, mode 0600. Readiness never depends on it. */
export function logFile(dataDir: string): string {
  return path.join(dataDir, 'log');
}

/** How long the log is now, in bytes; 0 when there is none. */
export async function logLength(dataDir: string): Promise<number> {
  try {
    return (await stat(logFile(dataDir))).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Empties a log that has grown past 1 MiB. Its writers append, so that they go on at the start. */
export async function limitLog(dataDir: string): Promise<void> {
  if ((await logLength(dataDir)) > mostBytes) await truncate(logFile(dataDir), 0);
}

/** One line as a catalogue writes it; the process id tells the lines of simultaneous starters apart. */
export function logLine(message: string): string {
  return `${new Date().toISOString()} [${process.pid}] ${printable(message)}\n`;
}

/**
 * The last thing a process wrote to the log after the given length: its own last line, else the last line
 * of all (what Node prints when a program can't even be loaded). Null when nothing was written.
 */
export async function lastWords(
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
    return last === undefined ? null : printable(last).slice(0, 500);
  } finally {
    await handle.close();
  }
}

function printable(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals obey control characters
  return message.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
