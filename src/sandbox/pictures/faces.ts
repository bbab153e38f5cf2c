import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';
import { readCoverage } from './coverage.ts';

/** One cut of a shipped font. */
export interface Face {
  /** As the text renderer finds it: family, then style. */
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

/** For what the chosen face lacks, in this order. Where a package isn't installed, its scripts stay uncovered. */
const further: readonly Source[] = [
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
const loaded = new Map<string, Promise<Face>>();

/** The faces to set a text in: the named one first, then those that fill its gaps. */
export function facesFor(name: FaceName): Promise<readonly Face[]> {
  const sources = [latin[name], latin.sans, ...further.filter(isInstalled)];
  return Promise.all(sources.map(load));
}

function load(source: Source): Promise<Face> {
  const known = loaded.get(source.font);
  if (known !== undefined) return known;
  const loading = register(source);
  loaded.set(source.font, loading);
  return loading;
}

async function register(source: Source): Promise<Face> {
  const file = locate(source);
  // The renderer learns of a font file only by setting a text in it; afterwards the whole process has it.
  await sharp({ text: { text: '.', font: source.font, fontfile: file } })
    .raw()
    .toBuffer();
  return { font: source.font, coverage: readCoverage(file) };
}

function locate(source: Source): string {
  return path.join(path.dirname(resolve(`${source.package}/package.json`)), source.path);
}

function isInstalled(source: Source): boolean {
  try {
    return locate(source) !== '';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
