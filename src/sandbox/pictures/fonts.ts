import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';

/** One face of a shipped font. */
export interface Face {
  /** As the text renderer names it: family, then style. */
  readonly font: string;
  readonly coverage: ReadonlySet<number>;
}

interface Source {
  readonly font: string;
  readonly package: string;
  /** Inside the package. */
  readonly path: string;
}

const dejavu = (font: string, name: string): Source => ({
  font,
  package: 'dejavu-fonts-ttf',
  path: `ttf/${name}.ttf`,
});

const latin = {
  sans: dejavu('DejaVu Sans Bold', 'DejaVuSans-Bold'),
  book: dejavu('DejaVu Sans', 'DejaVuSans'),
  condensed: dejavu('DejaVu Sans Bold Condensed', 'DejaVuSansCondensed-Bold'),
  slanted: dejavu('DejaVu Sans Bold Oblique', 'DejaVuSans-BoldOblique'),
  light: dejavu('DejaVu Sans ExtraLight', 'DejaVuSans-ExtraLight'),
  serif: dejavu('DejaVu Serif Bold', 'DejaVuSerif-Bold'),
  narrowSerif: dejavu('DejaVu Serif Bold Condensed', 'DejaVuSerifCondensed-Bold'),
  italic: dejavu('DejaVu Serif Italic', 'DejaVuSerif-Italic'),
  mono: dejavu('DejaVu Sans Mono Bold', 'DejaVuSansMono-Bold'),
} as const;

export type FaceName = keyof typeof latin;

/** Used for characters that the chosen face lacks, in this order. */
const fallbackFaces: readonly Source[] = [
  {
    font: 'Dela Gothic One',
    package: '@expo-google-fonts/dela-gothic-one',
    path: '400Regular/DelaGothicOne_400Regular.ttf',
  },
  {
    font: 'Black Han Sans',
    package: '@expo-google-fonts/black-han-sans',
    path: '400Regular/BlackHanSans_400Regular.ttf',
  },
  { font: 'Itim', package: '@expo-google-fonts/itim', path: '400Regular/Itim_400Regular.ttf' },
  { font: 'Modak', package: '@expo-google-fonts/modak', path: '400Regular/Modak_400Regular.ttf' },
];

const { resolve } = createRequire(import.meta.url);
const loadedFaces = new Map<string, Promise<Face>>();

/** The faces for a text: the named one first, then those that fill its gaps. */
export function facesFor(name: FaceName): Promise<readonly Face[]> {
  const sources = [latin[name], latin.sans, ...fallbackFaces];
  return Promise.all(sources.map(load));
}

function load(source: Source): Promise<Face> {
  const known = loadedFaces.get(source.font);
  if (known !== undefined) return known;
  const loading = register(source);
  loadedFaces.set(source.font, loading);
  return loading;
}

async function register(source: Source): Promise<Face> {
  const file = locate(source);
  // The renderer loads a font file only when it sets a text in it; from then on the whole process has it.
  await sharp({ text: { text: '.', font: source.font, fontfile: file } })
    .raw()
    .toBuffer();
  return { font: source.font, coverage: readCoverage(file) };
}

/** The build ships the fonts beside the program; run from its sources, the program reads them in their packages. */
function locate(source: Source): string {
  const shipped = path.join(import.meta.dirname, 'fonts', path.basename(source.path));
  if (existsSync(shipped)) return shipped;
  return path.join(path.dirname(resolve(`${source.package}/package.json`)), source.path);
}

/**
 * The code points that a TrueType file has glyphs for, from its `cmap` table (formats 4 and 12, which hold
 * Unicode). The text renderer draws a box for a missing glyph without reporting it.
 * @throws RangeError when the file is truncated.
 */
function readCoverage(file: string): ReadonlySet<number> {
  const font = readFileSync(file);
  const table = findTable(font, 'cmap');
  const covered = new Set<number>();
  for (let i = 0; i < font.readUInt16BE(table + 2); i++) {
    const subtable = table + font.readUInt32BE(table + 4 + i * 8 + 4);
    const format = font.readUInt16BE(subtable);
    if (format === 4) readSegments(font, subtable, covered);
    if (format === 12) readGroups(font, subtable, covered);
  }
  return covered;
}

function findTable(font: Buffer, tag: string): number {
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const record = 12 + i * 16;
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new RangeError(`The font has no ${tag} table.`);
}

function readSegments(font: Buffer, at: number, covered: Set<number>): void {
  const doubled = font.readUInt16BE(at + 6);
  for (let i = 0; i < doubled; i += 2) {
    const last = font.readUInt16BE(at + 14 + i);
    const first = font.readUInt16BE(at + 16 + doubled + i);
    const shift = font.readUInt16BE(at + 16 + doubled * 2 + i);
    const offsetAt = at + 16 + doubled * 3 + i;
    const offset = font.readUInt16BE(offsetAt);
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph =
        offset === 0 ? (code + shift) & 0xffff : font.readUInt16BE(offsetAt + offset + (code - first) * 2);
      if (glyph !== 0) covered.add(code);
    }
  }
}

function readGroups(font: Buffer, at: number, covered: Set<number>): void {
  for (let i = 0; i < font.readUInt32BE(at + 12); i++) {
    const group = at + 16 + i * 12;
    const last = font.readUInt32BE(group + 4);
    for (let code = font.readUInt32BE(group); code <= last; code++) covered.add(code);
  }
}
