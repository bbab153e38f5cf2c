import type { Settings } from '../settings.ts';

/** What a command gets: the checked settings, its own words and flags. */
export interface CommandCall {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
}

export interface Option {
  readonly type: 'string' | 'boolean';
  /** What stands for its value in the help, where it takes one. */
  readonly value?: string;
  readonly about: string;
}

export interface Command {
  readonly summary: string;
  readonly usage: string;
  /** Flags of this command alone, beside those of every command. */
  readonly options: Readonly<Record<string, Option>>;
  /** Whole command lines, to copy. */
  readonly examples: readonly string[];
  /** Most words after the command's name. */
  readonly words: number;
  run(call: CommandCall): Promise<void>;
}

/** A command's own failure, in words for the person who runs it: exit code 1 and one line. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Wrong usage: exit code 2 and one line. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}
