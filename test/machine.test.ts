import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { foldersIn } from '../src/curation/download/root.ts';
import { ArtworkError } from '../src/errors.ts';
import { machineName, modesOf, pathsOf, signalsOf } from '../src/machine.ts';
import { readSettings, SettingsError } from '../src/settings.ts';
import { temporaryFolder } from './support/temporary.ts';

const [linux, macos, windows] = [pathsOf('linux'), pathsOf('darwin'), pathsOf('win32')];

describe('the data folder', () => {
  it.each([
    [linux, {}, '/home/ada', '/home/ada/.local/share/artwork-mcp'],
    [linux, { XDG_DATA_HOME: '/data' }, '/home/ada', '/data/artwork-mcp'],
    [linux, { XDG_DATA_HOME: '', LOCALAPPDATA: '/x' }, '/home/ada', '/home/ada/.local/share/artwork-mcp'],
    [macos, { XDG_DATA_HOME: '/x' }, '/Users/ada', '/Users/ada/Library/Application Support/artwork-mcp'],
    [windows, {}, 'C:\\Users\\Ada', 'C:\\Users\\Ada\\AppData\\Local\\artwork-mcp'],
    [windows, { LOCALAPPDATA: 'D:\\Local', XDG_DATA_HOME: '/x' }, 'C:\\Users\\Ada', 'D:\\Local\\artwork-mcp'],
  ])('%#: is where the system wants it', (paths, environment, home, expected) => {
    expect(paths.dataFolder(environment, home)).toBe(expected);
  });

  it('is what the settings have, unless they name another', () => {
    const given = { LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local' };
    expect(readSettings(given, {}, windows).home).toBe('C:\\Users\\Ada\\AppData\\Local\\artwork-mcp');
    expect(readSettings({ ...given, ARTWORK_HOME: 'D:/artwork/' }, {}, windows).home).toBe('D:\\artwork');
    expect(readSettings({ ...given, ARTWORK_HOME: '/artwork/' }, {}, macos).home).toBe('/artwork');
  });
});

describe('folders in settings', () => {
  it.each([
    [linux, '/art:/more art/', ['/art', '/more art']],
    [macos, '/Volumes/NAS/art:', ['/Volumes/NAS/art']],
    [windows, 'C:\\art;d:/more art/;\\\\nas\\art', ['C:\\art', 'd:\\more art', '\\\\nas\\art\\']],
  ])('%#: are written as in PATH', (paths, value, expected) => {
    expect(readSettings({ ARTWORK_UPLOAD_ROOTS: value }, {}, paths).uploadRoots).toEqual(expected);
  });

  it.each([
    [linux, 'C:\\art'],
    [macos, '~/art'],
    [windows, 'art'],
    [windows, 'C:art'],
    [windows, 'C:\\art:D:\\more;more'],
  ])('%#: %s is not absolute', (paths, value) => {
    for (const name of ['ARTWORK_UPLOAD_ROOTS', 'ARTWORK_DOWNLOAD_ROOT'])
      expect(() => readSettings({ [name]: value.split(';').at(-1) }, {}, paths)).toThrow(SettingsError);
  });
});

describe('a folder below the one for downloads', () => {
  it.each([
    [linux, '/art', 'Show/Season 01', ['Show', 'Season 01']],
    [macos, '/art', '/art/Show', ['Show']],
    [windows, 'C:\\Art', 'Show\\Season 01/./Extras', ['Show', 'Season 01', 'Extras']],
    [windows, 'C:\\Art', 'c:/ART/Show', ['Show']],
  ])('%#: is named relative or absolute', (paths, root, folder, expected) => {
    expect(foldersIn({ path: root }, folder, paths)).toEqual(expected);
  });

  it.each([
    [linux, '/art', '/Art/Show'],
    [linux, '/art', 'Show\\Season 01'],
    [macos, '/art', '/artwork'],
    [windows, 'C:\\Art', '..\\Show'],
    [windows, 'C:\\Art', 'D:\\Art\\Show'],
    [windows, 'C:\\Art', '\\\\server\\share'],
    [windows, 'C:\\Art', 'C:Show'],
    [windows, 'C:\\Art', 'Show\\nul.png'],
    [linux, '/art', 'Show/nul.png'],
  ])('%#: and nothing else', (paths, root, folder) => {
    expect(() => foldersIn({ path: root }, folder, paths)).toThrow(ArtworkError);
  });

  it('is told from one beside it', () => {
    expect(windows.liesBelow('C:\\Art', 'c:\\art\\Show')).toBe(true);
    expect(windows.liesBelow('C:\\Art', 'C:\\Artwork')).toBe(false);
    expect(windows.liesBelow('C:\\Art', 'D:\\Art')).toBe(false);
    expect(linux.liesBelow('/art', '/art/..show')).toBe(true);
    expect(linux.liesBelow('/art', '/Art/show')).toBe(false);
  });
});

describe('a word for a shell', () => {
  it('is quoted where the system’s shells would change it', () => {
    const words = ['/usr/bin/node', 'C:\\node\\node.exe', 'my art', "Ada's"];
    const quoted = ['/usr/bin/node', "'C:\\node\\node.exe'", "'my art'", "'Ada'\\''s'"];
    expect(words.map(pathsOf('linux').shellWord)).toEqual(quoted);
    expect(words.map(pathsOf('darwin').shellWord)).toEqual(quoted);
    expect(words.map(pathsOf('win32').shellWord)).toEqual([words[0], words[1], '"my art"', '"Ada\'s"']);
  });
});

describe('modes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let inner: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = path.join(folder.path, 'file');
    inner = path.join(folder.path, 'inner');
    await writeFile(file, 'x');
    await mkdir(inner);
    await chmod(file, 0o664);
    await chmod(inner, 0o755);
  });
  afterEach(() => folder.remove());

  const modeOf = async (at: string) => (await stat(at)).mode & 0o777;
  const gone = () => path.join(folder.path, 'gone');

  it.runIf(process.platform !== 'win32').each(['linux', 'darwin'] as const)(
    'on %s say whose a file is, and take it from others',
    async (platform) => {
      const modes = modesOf(platform);
      const status = await stat(file);
      expect(modes.isForeign(status)).toBe(false);
      expect(modes.isForeign({ ...status, uid: status.uid + 1, isDirectory: () => false })).toBe(true);
      await modes.makePrivate(file, status);
      await modes.makePrivate(inner, await stat(inner));
      expect([await modeOf(file), await modeOf(inner)]).toEqual([0o600, 0o700]);
      await modes.syncFolder(inner);
      await expect(modes.syncFolder(gone())).rejects.toMatchObject({ code: 'ENOENT' });
      expect(modes.readSafely & constants.O_NOFOLLOW).not.toBe(0);
      const opened = platform === 'linux' ? '/proc/self/fd/7' : null;
      expect(modes.pathOfDescriptor(7)).toBe(opened);
    },
  );

  it('on Windows are nothing: a folder there has the access list of the one above it', async () => {
    const modes = modesOf('win32');
    const status = await stat(file);
    const before = [await modeOf(file), await modeOf(inner)];
    expect(modes.isForeign({ ...status, uid: status.uid + 1, isDirectory: () => false })).toBe(false);
    await modes.makePrivate(file, status);
    await modes.makePrivate(inner, await stat(inner));
    expect([await modeOf(file), await modeOf(inner)]).toEqual(before);
    // No folder can be opened there, so none is.
    await modes.syncFolder(gone());
    expect(modes.readSafely).toBe(constants.O_RDONLY);
    expect(modes.pathOfDescriptor(7)).toBeNull();
  });
});

describe('signals', () => {
  it('that ask for the end are those that the system has', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      expect(signalsOf(platform).ending).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
    }
    expect(signalsOf('win32').ending).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP']);
  });

  it.each(['linux', 'darwin', 'win32'] as const)(
    'on %s are heard within the process, end another one, and tell whether one runs',
    async (platform) => {
      const signals = signalsOf(platform);
      const heard: string[] = [];
      expect(signals.askForEnd()).toBe(false);
      process.once('SIGHUP', (signal) => heard.push(signal));
      expect([signals.askForEnd(), signals.askForEnd()]).toEqual([true, false]);
      expect(heard).toEqual(['SIGHUP']);

      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      const { pid = 0 } = child;
      onTestFinished(() => void child.kill('SIGKILL'));
      expect([signals.mayRun(process.pid), signals.mayRun(pid)]).toEqual([true, true]);
      const ended = once(child, 'exit');
      signals.endAtOnce(pid);
      await ended;
      expect(signals.mayRun(pid)).toBe(false);
      // No id of a process: what it is can't be asked.
      expect(signals.mayRun(2 ** 40)).toBe(true);
    },
  );
});

it('native packages are named for the machine that this is', () => {
  expect(machineName).toBe(`${process.platform} on ${process.arch}`);
});
