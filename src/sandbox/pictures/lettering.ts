import sharp from 'sharp';
import type { Rgb } from './colour.ts';
import { type Face, type FaceName, facesFor } from './faces.ts';
import { broken, clean, faced, type Line, showable } from './wording.ts';

/** How words look. */
export interface Lettering {
  readonly face: FaceName;
  readonly capitals: boolean;
  /** Space between letters, in parts of the letter size; scripts that join their letters get none. */
  readonly tracking: number;
}

/** The room for a text, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly lines: number;
  /** Largest letter size, in pixels. */
  readonly largest: number;
  readonly align: 'left' | 'centre';
}

/** Letters, or an ornament in their stead, white on a transparent ground: raw RGBA. */
export interface Letters {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Letter size of the trial, in pixels: large enough that rounding to pixels hardly tells. */
const trial = 96;

/**
 * Sets a text as large as its room allows, and never larger. Null for a text that is empty or that no
 * shipped face can show.
 * @param most characters kept; the rest gives way to an ellipsis
 */
export async function letter(
  text: string,
  most: number,
  lettering: Lettering,
  room: Room,
): Promise<Letters | null> {
  const faces = await facesFor(lettering.face);
  const wording = clean(text, most);
  const shown = showable(lettering.capitals && isSpaced(wording) ? wording.toUpperCase() : wording, faces);
  if (shown === null) return null;
  let best: { lines: readonly Line[]; size: number } | null = null;
  for (const lines of breakings(shown, room.lines)) {
    const set = lines.map((line) => faced(line, faces));
    const { width, height } = await render(set, lettering, trial, room.align);
    const size = Math.min(room.largest, trial * Math.min(room.width / width, room.height / height));
    if (best === null || size > best.size * 1.06) best = { lines: set, size };
  }
  if (best === null) return null;
  return within(await render(best.lines, lettering, Math.max(1, best.size), room.align), room);
}

function breakings(text: string, most: number): readonly (readonly string[])[] {
  const found = new Map<number, readonly string[]>();
  for (let count = 1; count <= most; count++) {
    const lines = broken(text, count);
    if (lines.length <= most) found.set(lines.length, lines);
  }
  // A word that had to be cut may need more lines than asked for.
  return found.size === 0 ? [broken(text, most)] : [...found.values()];
}

async function render(
  lines: readonly Line[],
  lettering: Lettering,
  size: number,
  align: 'left' | 'centre',
): Promise<Letters> {
  const spacing = lines.flat().every((piece) => isSpaced(piece.text)) ? lettering.tracking * size : 0;
  const attributes = `foreground="#fff" letter_spacing="${Math.round(spacing * 1024)}" line_height="0.86" fallback="false"`;
  const text = lines
    .map((line) => line.map((piece) => span(piece.face, piece.text, size)).join(''))
    .join('\n');
  const { data, info } = await sharp({
    text: { text: `<span ${attributes}>${text}</span>`, dpi: 72, rgba: true, align, wrap: 'none' },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

function span(face: Face, text: string, size: number): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return `<span font="${face.font} ${size.toFixed(1)}">${escaped}</span>`;
}

function isSpaced(text: string): boolean {
  return /^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Zyyy}\p{sc=Zinh}]*$/u.test(text);
}

/** The size was worked out from a trial; what hinting added at the full size is taken off again. */
async function within(letters: Letters, room: Room): Promise<Letters> {
  if (letters.width <= room.width && letters.height <= room.height) return letters;
  const { data, info } = await sharp(letters.pixels, {
    raw: { width: letters.width, height: letters.height, channels: 4 },
  })
    .resize({ width: Math.floor(room.width), height: Math.floor(room.height), fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The same letters in another colour. */
export function inked({ pixels, width, height }: Letters, [red, green, blue]: Rgb): Letters {
  const coloured = Buffer.from(pixels);
  for (let at = 0; at < coloured.length; at += 4) {
    coloured[at] = red;
    coloured[at + 1] = green;
    coloured[at + 2] = blue;
  }
  return { pixels: coloured, width, height };
}

/** Both in one row, each in the middle of its height. */
export async function beside(first: Letters, second: Letters, gap: number): Promise<Letters> {
  const width = first.width + gap + second.width;
  const height = Math.max(first.height, second.height);
  const placed = ({ pixels, ...size }: Letters, left: number) => ({
    input: pixels,
    raw: { ...size, channels: 4 as const },
    left,
    top: Math.floor((height - size.height) / 2),
  });
  const pixels = await sharp({
    create: { width, height, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 0 } },
  })
    .composite([placed(first, 0), placed(second, first.width + gap)])
    .raw()
    .toBuffer();
  return { pixels, width, height };
}
