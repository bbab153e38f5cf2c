import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFileArgument } from '../../src/files/file-argument.ts';
import { folderOfRoot } from '../../src/files/upload-roots.ts';
import { pathsOf } from '../../src/machine.ts';

const windows = pathsOf('win32');

const refused = {
  category: 'invalid_arguments',
  message: expect.stringMatching(/^`file` .+ Give an absolute/),
};

function outcome(file: string, platform: NodeJS.Platform): unknown {
  try {
    return parseFileArgument(file, 'file', [], pathsOf(platform));
  } catch (error) {
    return error;
  }
}

describe.each(['linux', 'darwin'] as const)('a `file` argument on %s', (platform) => {
  it.each([
    ['/pictures/poster.png', '/pictures/poster.png'],
    ['/pictures/100%25.png', '/pictures/100%25.png'],
    ['/pictures/a:b.png', '/pictures/a:b.png'],
    ['/pictures/../other/a.png', '/pictures/../other/a.png'],
    ['file:///pictures/a%20b%23%3F.png', '/pictures/a b#?.png'],
    ['FILE:///pictures/a.png', '/pictures/a.png'],
    ['file://localhost/pictures/a.png', '/pictures/a.png'],
    ['file:/pictures/a.png', '/pictures/a.png'],
    ['file:///pictures/%E2%98%83.png', '/pictures/☃.png'],
    ['file:///pictures/☃.png', '/pictures/☃.png'],
  ])('%s is a path', (file, expected) => {
    expect(parseFileArgument(file, 'file', [], pathsOf(platform))).toBe(expected);
  });

  it.each([
    '',
    'poster.png',
    './poster.png',
    '~/poster.png',
    'C:\\pictures\\a.png',
    'https://example.org/a.png',
    'data:image/png;base64,AAAA',
    '/pictures/a\0.png',
    'file://server/share/a.png',
    'file://127.0.0.1/a.png',
    'file:///pictures/a.png?x',
    'file:///pictures/a.png#x',
    'file:///pictures/a%2Fb.png',
    'file:///pictures/a%00.png',
    'file:///pictures/%ff.png',
    'file:///pictures/%zz.png',
    'file://[bad/a.png',
    `/${'a'.repeat(40_000)}`,
  ])('%j is refused', (file) => {
    expect(outcome(file, platform)).toMatchObject(refused);
  });
});

describe('a `file` argument on Windows', () => {
  it.each([
    ['C:\\pictures\\poster.png', 'C:\\pictures\\poster.png'],
    ['c:/pictures/poster.png', 'c:/pictures/poster.png'],
    ['C:\\pictures\\..\\a.png', 'C:\\pictures\\..\\a.png'],
    ['file:///C:/pictures/a%20b.png', 'C:\\pictures\\a b.png'],
    ['C:\\console\\nullable.png', 'C:\\console\\nullable.png'],
  ])('%s is a path', (file, expected) => {
    expect(parseFileArgument(file, 'file', [], windows)).toBe(expected);
  });

  it.each([
    '\\\\server\\share\\a.png',
    '//server/share/a.png',
    '\\\\?\\C:\\a.png',
    '\\\\.\\PhysicalDrive0',
    '\\a.png',
    '/pictures/a.png',
    'C:a.png',
    'C:',
    'a.png',
    'C:\\a.png:stream',
    'C:\\a.png::$DATA',
    'C:\\con',
    'C:\\pictures\\NUL.png',
    'C:\\aux .png',
    'C:\\com1.tar.png',
    'C:\\lpt\u00b9',
    'C:\\CONIN$',
    'C:\\pictures.\\a.png',
    'C:\\a.png ',
    'file://server/share/a.png',
    'file:////server/share/a.png',
    'file:///C:/a%5Cb.png',
    'file:///C:/a.png:stream',
  ])('%j is refused', (file) => {
    expect(outcome(file, 'win32')).toMatchObject(refused);
  });

  // Without links, a path on a drive of the network names the machine that the drive is of.
  it.each([
    ['\\\\nas\\art\\Show\\a.png', null],
    ['//NAS/Art/a.png', null],
    ['\\\\nas\\art\\..\\..\\art\\a.png', null],
    ['\\\\nas\\artwork\\a.png', refused],
    ['\\\\nas.example\\art\\a.png', refused],
    ['\\\\?\\UNC\\nas\\art\\a.png', refused],
    ['\\\\nas\\art\\nul.png', refused],
    ['\\\\nas\\art\\a.png:hidden', refused],
    ['a.png', refused],
  ])('%s names another machine only where a person has opened a folder of it', (file, error) => {
    const open = ['D:\\pictures', '\\\\nas\\art'];
    if (error === null) expect(parseFileArgument(file, 'file', open, windows)).toBe(file);
    else expect(() => parseFileArgument(file, 'file', open, windows)).toThrow(expect.objectContaining(error));
    expect(outcome(file, 'win32')).toMatchObject(refused);
  });

  it('never leads past the drive that it names', () => {
    const part = fc.oneof(
      fc.constantFrom('\\', '/', ':', '.', ' ', '?', 'C:', 'con', 'nul', '..', '$', '\u00b2'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        if (windows.unfit(text, []) !== null) return;
        const resolved = path.win32.resolve(text);
        expect(resolved.slice(0, 2).toLowerCase()).toBe(text.slice(0, 2).toLowerCase());
        expect(resolved.slice(2)).toMatch(/^\\[^:]*$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a root of the host', () => {
  it.each([
    ['file:///C:/pictures', 'C:\\pictures'],
    ['file://nas/share', '\\\\nas\\share'],
    ['FILE://NAS/Art%20work/x', '\\\\nas\\Art work\\x'],
    ['file://nas.example/share', '\\\\nas.example\\share'],
  ])('%s names a folder on Windows', (uri, folder) => {
    expect(folderOfRoot(uri, windows)).toBe(folder);
  });

  it.each([
    'file://./PhysicalDrive0',
    'file://%3F/C:/pictures',
    'file://[::1]/share',
    'file://nas/share/nul',
    'file://nas/share/a:hidden',
    'file://nas/share?x',
    'file:///pictures',
    'https://nas/share',
  ])('%s names none on Windows', (uri) => {
    expect(folderOfRoot(uri, windows)).toBeNull();
  });

  it('opens another machine for what lies in it alone', () => {
    const open = [folderOfRoot('file://nas/share', windows) ?? ''];
    const named = (uri: string) => parseFileArgument(uri, 'file', open, windows);
    expect(named('file://nas/share/a%20b.png')).toBe('\\\\nas\\share\\a b.png');
    expect(() => named('file://nas/others/a.png')).toThrow('names another machine or a device');
    expect(() => named('file://./share/a.png')).toThrow('names another machine or a device');
  });

  it.each(['linux', 'darwin'] as const)('names a folder of this machine alone on %s', (platform) => {
    expect(folderOfRoot('file:///pictures/a%20b', pathsOf(platform))).toBe('/pictures/a b');
    expect(folderOfRoot('file://nas/share', pathsOf(platform))).toBeNull();
  });
});
