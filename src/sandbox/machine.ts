import { chmod } from 'node:fs/promises';

/** What Linux, macOS and Windows differ in. No other file of the embedded catalogue asks which system it is. */
export interface Machine {
  /** By which a person or another program asks for the end. Windows has no SIGTERM, but Ctrl+Break. */
  readonly endingSignals: readonly NodeJS.Signals[];
  /** Whether a file belongs to another user than this process's. */
  isForeign(status: { readonly uid: number }): boolean;
  /** Takes a file or a folder from all other users. On Windows the access list of the folder above does that. */
  makePrivate(file: string, mode: 0o600 | 0o700): Promise<void>;
  /** A word as the shells of the system take it. */
  shellWord(word: string): string;
}

/** The machine of a system, by Node's name of it. */
export function machineOf(platform: NodeJS.Platform): Machine {
  if (platform === 'win32') {
    return {
      endingSignals: ['SIGBREAK', 'SIGINT', 'SIGHUP'],
      isForeign: () => false,
      makePrivate: () => Promise.resolve(),
      shellWord: (word) => (/^[\w./:@%+=,\\-]+$/.test(word) ? word : `"${word}"`),
    };
  }
  return {
    endingSignals: ['SIGTERM', 'SIGINT', 'SIGHUP'],
    isForeign: ({ uid }) => process.getuid !== undefined && uid !== process.getuid(),
    makePrivate: chmod,
    shellWord: (word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`),
  };
}

export const machine = machineOf(process.platform);
