import type { ArtworkError } from '../errors.ts';
import { signals } from '../machine.ts';
import type { Settings } from '../settings.ts';

/** What a command is run with: checked settings, and its own words and options. */
export interface CommandCall {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
}

export interface Option {
  /** The name of its value in the help. Left out: the option takes no value. */
  readonly value?: string;
  readonly about: string;
}

/** A command: what its help shows, what it takes, and what it does. */
export interface Command {
  readonly summary: string;
  /** Lines that explain what the summary leaves open. */
  readonly about?: readonly string[];
  readonly usage: string;
  /** Options of this command alone. Every command takes the settings as options too. */
  readonly options: Readonly<Record<string, Option>>;
  /** The most words that may follow the command's name. */
  readonly words: number;
  /** What its exit code tells beyond the usual. */
  readonly exit?: string;
  /** @throws CommandError, UsageError, SettingsError, ArtworkError, SandboxError: all have words for a person */
  run(call: CommandCall): Promise<void>;
}

export type NamedCommand = readonly [name: string, command: Command];

/** A failure in words for the person at the terminal: exit code 1 and one line. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Wrong usage: exit code 2 and one line. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** Does work whose signal is aborted when a person interrupts it. A second interruption ends the process. */
export async function interruptible<Done>(work: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of signals.ending) process.once(signal, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of signals.ending) process.off(signal, interrupt);
  }
}

/** Names and values in two columns. A row without a value is left out. */
export function inColumns(rows: readonly (readonly [name: string, value: string | null])[]): string[] {
  return rows.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(13)} ${value}`]));
}

/** A number with its noun: `1 change`, `2,000 changes`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a person does about an error; null if no person has to act. */
export function nextForPerson({ next }: ArtworkError): string | null {
  if (next === undefined || next.tool !== undefined) return null;
  const words = next.why
    .replace(/A person does what the message says\.|Then make the same call again\./g, '')
    .replace(/^(?:A person acts|Only a person can change this): (.)/, (_, first: string) =>
      first.toUpperCase(),
    )
    .trim();
  return words === '' ? null : words;
}
