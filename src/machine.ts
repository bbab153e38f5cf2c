/*
 * What Linux, macOS and Windows differ in: paths, modes and signals, behind one interface each. No other file asks
 * which system it is, so that the rules of each can be tried on any.
 */
import { constants } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const { platform: here, arch } = process;

/** For which machines a native package has to have a build. */
export const machineName = `${here} on ${arch}`;

/** How paths are written on a system, and where it wants data to be. */
export type Paths = ReturnType<typeof pathsOf>;

/** The paths of a system, by Node's name of it. */
export function pathsOf(platform: NodeJS.Platform) {
  const windows = platform === 'win32';
  const syntax = windows ? path.win32 : path.posix;
  /** Whether a path without links lies in a folder without links. */
  const liesBelow = (folder: string, real: string): boolean => {
    const below = syntax.relative(folder, real);
    return below === '' || (!syntax.isAbsolute(below) && below.split(syntax.sep)[0] !== '..');
  };
  return {
    /** Node's own rules for them. */
    syntax,
    /** Where this program's data is unless ARTWORK_HOME says so; null where the person has no home folder. */
    dataFolder(environment: NodeJS.ProcessEnv, home = homeFolder()): string | null {
      const given = environment[dataVariable(platform)] ?? '';
      if (syntax.isAbsolute(given)) return syntax.join(given, 'artwork-mcp');
      return home === null ? null : syntax.join(home, ...dataBelowHome(platform), 'artwork-mcp');
    },
    /**
     * The path that a `file:` URI names.
     * @throws URIError, TypeError where its percent-encoding names none
     */
    ofUri: (uri: URL): string => fileURLToPath(uri, { windows }),
    /** Whether a path can name a folder of another machine, as \\nas\share does: elsewhere a person mounts it first. */
    reachesOthers: windows,
    /**
     * Why an argument can't name a file that is read, in words that go on after its name; null: it can.
     * @param open folders that a person has opened, without links: they may lie on another machine
     */
    unfit(argument: string, open: readonly string[]): string | null {
      if (!windows) return syntax.isAbsolute(argument) ? null : 'is not absolute';
      const isOpen = syntax.isAbsolute(argument) && open.some((folder) => liesBelow(folder, argument));
      return unfitOnWindows(argument, isOpen);
    },
    liesBelow,
    /** The names in a path, whichever separators it is written with. */
    namesIn: (given: string): string[] => given.split(windows ? /[\\/]/ : '/'),
    /** A word as the shells of the system take it. */
    shellWord(word: string): string {
      const plain = windows ? /^[\w./:@%+=,\\-]+$/ : /^[\w./:@%+=,-]+$/;
      if (plain.test(word)) return word;
      return windows ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
    },
  };
}

function dataVariable(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'LOCALAPPDATA' : platform === 'darwin' ? '' : 'XDG_DATA_HOME';
}

function dataBelowHome(platform: NodeJS.Platform): string[] {
  switch (platform) {
    case 'win32':
      return ['AppData', 'Local'];
    case 'darwin':
      return ['Library', 'Application Support'];
    default:
      return ['.local', 'share'];
  }
}

/**
 * Finds the home folder of the person, also where a host has emptied HOME or put a word into it. Null where the
 * system names none, as for a user of a container that it does not know.
 */
export function homeFolder(): string | null {
  return [homedir, () => userInfo().homedir].map(told).find((folder) => path.isAbsolute(folder)) ?? null;
}

function told(by: () => string): string {
  try {
    return by();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR') return '';
    throw error;
  }
}

/**
 * What makes a Windows path unfit as a file to upload, or null: paths to other machines (opening one hands
 * the user's credentials to them), devices, streams of files, and names that Windows silently changes, so
 * that the file that is opened is not the one that was named. In an open folder another machine is one that the
 * person chose, such as the one behind a drive of the network: without links a path there names it.
 */
function unfitOnWindows(given: string, isOpen: boolean): string | null {
  if (!isOpen && /^[\\/]{2}/.test(given)) return 'names another machine or a device';
  if (!isOpen && !/^[a-z]:[\\/]/i.test(given)) return 'does not start with a drive, as in C:\\';
  const names = given.slice(path.win32.parse(given).root.length).split(/[\\/]+/);
  if (names.some((name) => name.includes(':'))) return 'names a stream of a file';
  if (names.some((name) => deviceName.test(name))) return 'names a device';
  if (names.some((name) => /[. ]$/.test(name) && name !== '.' && name !== '..')) {
    return 'has a name that ends in a dot or a space';
  }
  return null;
}

/** Windows takes these for devices in every folder, with any extension, and with spaces before it. */
export const deviceName =
  /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=\s*(?:\.|$))/i;

/**
 * What two names have in common that the disk of some system takes for one: letters of another case (Windows, macOS),
 * or otherwise composed (macOS). Not this system's alone: a folder may lie on another's disk.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Whose files are, and who may look at them. */
export interface Modes {
  /** Whether it belongs to another user than this process's. */
  isForeign(status: FileStatus): boolean;
  /** Whether others than its user may write to it. */
  isOpenToWriters(status: FileStatus): boolean;
  /** Takes a file or a folder of this user's from all others. */
  makePrivate(file: string, status: FileStatus): Promise<void>;
  /** What was named, renamed or removed in a folder is on the disk only once the folder is. */
  syncFolder(folder: string): Promise<void>;
  /** Flags that open a file to read it, without following a link and without waiting for a pipe's other end. */
  readonly readSafely: number;
  /** A path that leads to what is open, whatever lies at its own path by now; null where the system has none. */
  pathOfDescriptor(fd: number): string | null;
}

/** What the system tells of a file. */
export interface FileStatus {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

/** The modes of a system, by Node's name of it. */
export function modesOf(platform: NodeJS.Platform): Modes {
  const pathOfDescriptor = (fd: number) => (platform === 'linux' ? `/proc/self/fd/${fd}` : null);
  // A folder inherits its access list from the profile folder; it can't be opened, and needs no sync. There are no pipes
  // in folders, and no flag against links: who opens a file looks at its path again.
  if (platform === 'win32') {
    return {
      isForeign: () => false,
      isOpenToWriters: () => false,
      makePrivate: () => Promise.resolve(),
      syncFolder: () => Promise.resolve(),
      readSafely: constants.O_RDONLY,
      pathOfDescriptor,
    };
  }
  return {
    isForeign: ({ uid }) => process.getuid !== undefined && uid !== process.getuid(),
    isOpenToWriters: ({ mode }) => (mode & 0o022) !== 0,
    async makePrivate(file, status) {
      if ((status.mode & 0o077) !== 0) await chmod(file, status.isDirectory() ? 0o700 : 0o600);
    },
    async syncFolder(folder) {
      const handle = await open(folder, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    readSafely: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    pathOfDescriptor,
  };
}

/** What file systems without hard links answer (FAT, some network shares), or those that have no room for one more. */
export const withoutLinks: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
  'EMLINK',
]);

/** How programs of a system, by Node's name of it, end and are told to. */
export function signalsOf(platform: NodeJS.Platform) {
  return {
    /**
     * Those by which a person or a host asks for the end: Ctrl+C; the end that a service manager or another program asks
     * for, on Windows Ctrl+Break, since SIGTERM ends a program there unasked; a terminal that is closed.
     */
    ending: ['SIGINT', platform === 'win32' ? 'SIGBREAK' : 'SIGTERM', 'SIGHUP'] as const,
    /**
     * Has this program end as if its terminal was closed. Not by a signal to itself: Windows has none that leaves it time.
     * @returns false where no part of it waits to tidy up
     */
    askForEnd: (): boolean => process.emit('SIGHUP', 'SIGHUP'),
    /** Ends another process as a crash does, without a chance to tidy up. */
    endAtOnce: (pid: number): void => void process.kill(pid, 'SIGKILL'),
    /** Whether a process of this id may run: one that can't be asked, since it is another user's, does. */
    mayRun(pid: number): boolean {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
      }
    },
  };
}

export const paths = pathsOf(here);
export const modes = modesOf(here);
export const signals = signalsOf(here);
