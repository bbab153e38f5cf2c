/** What a shell completes behind one command. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** What its first word can be; an empty list: nothing that is known. */
  readonly firstWord: readonly string[] | 'folder';
}

export interface CompletedOption {
  readonly name: string;
  readonly about: string;
  /** null: it takes none; an empty list: one that no shell can know. */
  readonly value: readonly string[] | 'folder' | null;
}

/** The command that is meant where none is named. */
export const unnamedCommand = 'serve';
