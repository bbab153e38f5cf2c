import type { Settings } from '../settings.ts';

/** What a command gets: the checked settings, its own words and flags. */
export interface CommandCall {
  readonly settings: Settings;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean>>;
}

export interface Command {
  readonly summary: string;
  readonly usage: string;
  /** Flags of this command alone, beside those of every command. */
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
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
