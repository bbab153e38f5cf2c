import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import anyAscii from 'any-ascii';
import sharp from 'sharp';

/** `display` has Latin, Greek, Cyrillic, Han and kana; `text` has no Han, but Arabic, Hebrew, Armenian and Georgian. */
const sources = {
  display: {
    font: 'Dela Gothic One',
    file: '@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf',
  },
  text: { font: 'DejaVu Sans', file: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' },
} as const;

export type FaceName = keyof typeof sources;

interface Face {
  /** As the text renderer names it. */
  readonly font: string;
  readonly coverage: ReadonlySet<number>;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const loaded = new Map<FaceName, Promise<Face>>();

/**
 * A text as it can be drawn: a letter that no face has is written in Latin letters, any other such character is left
 * out. No control and format characters except joiners, at most three combining marks in a row, single spaces, and at
 * most `most` characters as a reader counts them.
 */
export async function showable(text: string, most: number): Promise<string> {
  const faces = await Promise.all([load('display'), load('text')]);
  const tidy = text
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])\p{C}/gu, ' ')
    .replace(/(\p{Mn}{3})\p{Mn}+/gu, '$1');
  const shown = Array.from(graphemes.segment(tidy), ({ segment }) => {
    if (/^\s/u.test(segment) || faces.some((face) => has(face, segment))) return segment;
    return /[\p{L}\p{N}]/u.test(segment) ? anyAscii(segment) : '';
  }).join('');
  const characters = Array.from(graphemes.segment(shown.replace(/\s+/gu, ' ').trim()), (one) => one.segment);
  const kept = characters.length <= most ? characters : [...characters.slice(0, most - 1), '…'];
  // A dot that parts two names begins a line rather than ending one.
  return kept.join('').replace(/ · /g, ' ·\u00a0');
}

/** A showable text as markup of the text renderer, each character in the named face, or else in the other. */
export async function markupOf(text: string, first: FaceName): Promise<string> {
  const faces = await Promise.all([load(first), load(first === 'display' ? 'text' : 'display')]);
  const pieces: { face: Face; text: string }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = pieces.at(-1);
    const face = faces.find((one) => has(one, segment)) ?? faces[0];
    if (last !== undefined && (last.face === face || /^\s/u.test(segment))) last.text += segment;
    else pieces.push({ face, text: segment });
  }
  return pieces.map(({ face, text }) => `<span font_family="${face.font}">${escaped(text)}</span>`).join('');
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function has({ coverage }: Face, character: string): boolean {
  // Joiners and variation selectors shape their neighbours and need no glyph.
  const points = Array.from(character, (one) => one.codePointAt(0) ?? 0).filter(
    (point) => point !== 0x200c && point !== 0x200d && !(point >= 0xfe00 && point <= 0xfe0f),
  );
  return points.length > 0 && points.every((point) => coverage.has(point));
}

function load(name: FaceName): Promise<Face> {
  const loading = loaded.get(name) ?? register(sources[name]);
  loaded.set(name, loading);
  return loading;
}

async function register({ font, file }: { readonly font: string; readonly file: string }): Promise<Face> {
  const fontfile = locate(file);
  // The renderer loads a font file only when it sets a text in it; from then on the whole process has it.
  await sharp({ text: { text: '.', font, fontfile } })
    .raw()
    .toBuffer();
  return { font, coverage: readCoverage(readFileSync(fontfile)) };
}

/** The build ships the fonts beside the program; run from its sources, the program reads them in their packages. */
function locate(file: string): string {
  const shipped = path.join(import.meta.dirname, 'fonts', path.basename(file));
  return existsSync(shipped) ? shipped : createRequire(import.meta.url).resolve(file);
}

/**
 * The code points up to U+FFFF that a TrueType file has glyphs for, from its `cmap` table in format 4. The text
 * renderer draws a box for a missing glyph without reporting it.
 * @throws RangeError when the file is truncated.
 */
function readCoverage(font: Buffer): ReadonlySet<number> {
  const covered = new Set<number>();
  const records = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const cmap = records.find((record) => font.toString('latin1', record, record + 4) === 'cmap');
  if (cmap === undefined) throw new RangeError('The font has no cmap table.');
  const table = font.readUInt32BE(cmap + 8);
  for (let i = 0; i < font.readUInt16BE(table + 2); i++) {
    const at = table + font.readUInt32BE(table + 8 + i * 8);
    if (font.readUInt16BE(at) === 4) readSegments(font, at, covered);
  }
  return covered;
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
