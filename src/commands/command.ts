import type { SettingName, Settings } from '../settings.ts';

/** What a command gets: the checked settings, its own words and flags. */
export interface CommandCall {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
}

export type NamedCommand = readonly [name: string, command: Command];

export interface Option {
  /** What stands for its value in the help. Left out: it takes none. */
  readonly value?: string;
  readonly about: string;
  /** Written out, with a value where it takes one: the flag of a setting, or a whole command line. */
  readonly example: string;
}

export interface Command {
  readonly summary: string;
  /** What it does, where the summary does not tell all that a person wants to know before it is run. */
  readonly about?: readonly string[];
  readonly usage: string;
  /** Flags of this command alone, beside those of every command. */
  readonly options: Readonly<Record<string, Option>>;
  /** The settings that matter for it, which its help explains; it takes every other one too. */
  readonly settings: readonly SettingName[];
  /** Whole command lines, to copy. */
  readonly examples: readonly string[];
  /** Most words after the command's name. */
  readonly words: number;
  /** What the first word can be: one of these, or a folder. Left out: it has none, or anything. */
  readonly firstWord?: readonly string[] | 'folder';
  /** What its exit code says beyond what that of every command says. */
  readonly exit?: string;
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
