import { openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const maxBytes = 1_048_576;

/** What a catalogue that was started in the background writes (mode 0600). */
export function logFile(dataDir: string): string {
  return path.join(dataDir, 'log');
}

/** Opens the log for a new process, which appends. One of more than 1 MiB begins anew. The caller closes it. */
export function openLog(dataDir: string): number {
  const size = statSync(logFile(dataDir), { throwIfNoEntry: false })?.size ?? 0;
  return openSync(logFile(dataDir), size > maxBytes ? 'w' : 'a', 0o600);
}

/** Why a start has failed is what its process wrote last. */
export function lastLogLine(dataDir: string): string {
  const lines = readFileSync(logFile(dataDir), 'utf8').trimEnd().split('\n');
  return cleanLine(lines.at(-1) ?? '')
    .replace(/^\S+Z \[\d+\] /, '')
    .slice(0, 500);
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
