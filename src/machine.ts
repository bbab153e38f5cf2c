/*
 * What Linux, macOS and Windows differ in: paths, modes and signals. No other file asks which system it is, so that the
 * rules of each can be tried on any.
 */
// Not from 'node:fs/promises', which is loaded at once: a start needs none of it.
import { constants, promises as fs } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from './errors.ts';

const { platform: here, arch } = process;

/** For people: the machine that a native package needs a build for. */
export const machineName = `${here} on ${arch}`;

/** How a system writes paths, and where it keeps data. */
export type Paths = ReturnType<typeof pathsOf>;

/** The paths of a system, by Node's name of it. */
export function pathsOf(platform: NodeJS.Platform) {
  const windows = platform === 'win32';
  const syntax = windows ? path.win32 : path.posix;
  /** Whether a path lies in a folder. Neither may have links. */
  const liesBelow = (folder: string, real: string): boolean => {
    const below = syntax.relative(folder, real);
    return below === '' || (!syntax.isAbsolute(below) && below.split(syntax.sep)[0] !== '..');
  };
  return {
    /** Node's own rules. */
    syntax,
    /** Where this program keeps its data unless ARTWORK_HOME says so; null for a person without a home folder. */
    dataFolder(environment: NodeJS.ProcessEnv, home = homeFolder()): string | null {
      const { variable, belowHome } = dataPlaceOf(platform);
      const given = environment[variable] ?? '';
      if (syntax.isAbsolute(given)) return syntax.join(given, 'artwork-mcp');
      return home === null ? null : syntax.join(home, ...belowHome, 'artwork-mcp');
    },
    /** The path that a `file:` URI names. @throws URIError, TypeError where it names none */
    ofUri: (uri: URL): string => fileURLToPath(uri, { windows }),
    /** Whether a path can name a folder of another machine, as \\nas\share does. Elsewhere a person mounts it first. */
    reachesOthers: windows,
    /**
     * Why an argument can't name a file that is read, in words that follow its name; null: it can.
     * @param open folders that a person has opened, without links; they may lie on another machine
     */
    unfit(argument: string, open: readonly string[]): string | null {
      if (!windows) return syntax.isAbsolute(argument) ? null : 'is not absolute';
      const isOpen = syntax.isAbsolute(argument) && open.some((folder) => liesBelow(folder, argument));
      return unfitOnWindows(argument, isOpen);
    },
    liesBelow,
    /** The names in a path, however they are separated. */
    namesIn: (given: string): string[] => given.split(windows ? /[\\/]/ : '/'),
    /** A word as the system's shells take it. */
    shellWord(word: string): string {
      const plain = windows ? /^[\w./:@%+=,\\-]+$/ : /^[\w./:@%+=,-]+$/;
      if (plain.test(word)) return word;
      return windows ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
    },
  };
}

function dataPlaceOf(platform: NodeJS.Platform) {
  if (platform === 'win32') return { variable: 'LOCALAPPDATA', belowHome: ['AppData', 'Local'] };
  if (platform === 'darwin') return { variable: '', belowHome: ['Library', 'Application Support'] };
  return { variable: 'XDG_DATA_HOME', belowHome: ['.local', 'share'] };
}

/**
 * The person's home folder, also where a host has emptied HOME or put a word into it. null where the system names none,
 * as for an unknown user of a container.
 */
export function homeFolder(): string | null {
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const folder = ask();
      if (path.isAbsolute(folder)) return folder;
    } catch (error) {
      if (codeOf(error) !== 'ERR_SYSTEM_ERROR') throw error;
    }
  }
  return null;
}

/**
 * Why Windows must not open a path for an upload: opening one of another machine hands over the person's credentials,
 * and devices, streams and names that Windows changes are not the file that was named. In an open folder another machine
 * is fine: the person chose it.
 */
function unfitOnWindows(given: string, isOpen: boolean): string | null {
  if (!isOpen && /^[\\/]{2}/.test(given)) return 'names another machine or a device';
  if (!isOpen && !/^[a-z]:[\\/]/i.test(given)) return 'does not start with a drive, as in C:\\';
  const names = given.slice(path.win32.parse(given).root.length).split(/[\\/]+/);
  if (names.some((name) => name.includes(':'))) return 'names a stream of a file';
  if (names.some((name) => deviceName.test(name))) return 'names a device';
  const isChanged = (name: string) => /[. ]$/.test(name) && name !== '.' && name !== '..';
  return names.some(isChanged) ? 'has a name that ends in a dot or a space' : null;
}

/** Windows takes these for devices, in every folder, with any extension and with spaces before it. */
export const deviceName =
  /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\s*(?:\.|$))/i;

/**
 * Equal for names that some system takes for one: Windows and macOS ignore case, and macOS how letters are composed.
 * A folder may lie on the disk of another system.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Whose files are, and who may use them. */
export interface Modes {
  /** Whether it belongs to another user. */
  isForeign(status: FileStatus): boolean;
  /** Takes this user's file or folder from all others. */
  makePrivate(file: string, status: FileStatus): Promise<void>;
  /** A new, renamed or removed name is on the disk only once its folder is synced. */
  syncFolder(folder: string): Promise<void>;
  /** Flags that open a file for reading, follow no link, and wait for no pipe. */
  readonly readSafely: number;
  /** A path to an open file, whatever lies at its own path now; null where the system has none. */
  pathOfDescriptor(fd: number): string | null;
}

export interface FileStatus {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

/** The modes of a system, by Node's name of it. */
export function modesOf(platform: NodeJS.Platform): Modes {
  const pathOfDescriptor = (fd: number) => (platform === 'linux' ? `/proc/self/fd/${fd}` : null);
  if (platform === 'win32') {
    // Folders inherit the access list of the profile, can't be opened, and need no sync. There are no pipes in them, and
    // no flag against links: who opens a file looks at its path again.
    return {
      isForeign: () => false,
      makePrivate: async () => {},
      syncFolder: async () => {},
      readSafely: constants.O_RDONLY,
      pathOfDescriptor,
    };
  }
  return {
    isForeign: ({ uid }) => process.getuid !== undefined && uid !== process.getuid(),
    async makePrivate(file, status) {
      if ((status.mode & 0o077) !== 0) await fs.chmod(file, status.isDirectory() ? 0o700 : 0o600);
    },
    async syncFolder(folder) {
      const handle = await fs.open(folder, 'r');
      await handle.sync().finally(() => handle.close());
    },
    readSafely: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    pathOfDescriptor,
  };
}

/** How programs of a system, by Node's name of it, end and are told to. */
export function signalsOf(platform: NodeJS.Platform) {
  return {
    /** A person or a host asks for the end by these. On Windows SIGTERM ends a program unasked, Ctrl+Break asks. */
    ending: ['SIGINT', platform === 'win32' ? 'SIGBREAK' : 'SIGTERM', 'SIGHUP'] as const,
    /**
     * Ends this program as if its terminal was closed. A signal to itself would leave it no time on Windows.
     * @returns false where no part of it waits to tidy up
     */
    askForEnd: (): boolean => process.emit('SIGHUP', 'SIGHUP'),
    /** Ends another process as a crash does. */
    endAtOnce: (pid: number): void => void process.kill(pid, 'SIGKILL'),
    /** Whether a process may run. One of another user can't be asked, but runs. */
    mayRun(pid: number): boolean {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        return codeOf(error) !== 'ESRCH';
      }
    },
  };
}

export const paths = pathsOf(here);
export const modes = modesOf(here);
export const signals = signalsOf(here);
