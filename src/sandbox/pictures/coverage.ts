import { readFileSync } from 'node:fs';

/**
 * The code points that a TrueType file has glyphs for, from its `cmap` table (formats 4 and 12, which
 * hold Unicode). Read here because the text renderer draws a box for what is missing and doesn't tell.
 * @throws RangeError when the file is cut short.
 */
export function readCoverage(file: string): ReadonlySet<number> {
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
