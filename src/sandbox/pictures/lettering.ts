import sharp from 'sharp';
import type { Rgb } from './colour.ts';
import { type Face, type FaceName, facesFor } from './fonts.ts';
import { assignFaces, breakLines, cleanTitle, type Line, showable } from './line-breaks.ts';
import { createRandom } from './random.ts';
import { n } from './scenes/canvas.ts';

/** How words look. */
export interface Lettering {
  readonly face: FaceName;
  readonly capitals: boolean;
  /** Space between letters as a share of the letter size; joined scripts get none. */
  readonly tracking: number;
}

/** The room for a text, in pixels. */
interface Room {
  readonly width: number;
  readonly height: number;
  readonly lines: number;
  /** Largest letter size, in pixels. */
  readonly largest: number;
  readonly align: 'left' | 'centre';
}

/** Letters, or an emblem in their place, white on a transparent ground: raw RGBA. */
export interface Letters {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Letter size of the trial in pixels: large enough that rounding hardly matters. */
const trial = 96;

/**
 * Renders a text as large as its room allows. Null for a text that is empty or that no shipped face can show.
 * @param most characters kept; an ellipsis replaces the rest
 */
export async function renderText(
  text: string,
  most: number,
  lettering: Lettering,
  room: Room,
): Promise<Letters | null> {
  const faces = await facesFor(lettering.face);
  const wording = cleanTitle(text, most);
  const shown = showable(lettering.capitals && isSpaced(wording) ? wording.toUpperCase() : wording, faces);
  if (shown === null) return null;
  let best: { lines: readonly Line[]; size: number } | null = null;
  for (const lines of breakings(shown, room.lines)) {
    const set = lines.map((line) => assignFaces(line, faces));
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
    const lines = breakLines(text, count);
    if (lines.length <= most) found.set(lines.length, lines);
  }
  // A word that had to be cut may need more lines than requested.
  return found.size === 0 ? [breakLines(text, most)] : [...found.values()];
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

/** The size comes from a trial; hinting at the full size may have added pixels. */
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
export function tinted({ pixels, width, height }: Letters, [red, green, blue]: Rgb): Letters {
  const coloured = Buffer.from(pixels);
  for (let at = 0; at < coloured.length; at += 4) {
    coloured[at] = red;
    coloured[at + 1] = green;
    coloured[at + 2] = blue;
  }
  return { pixels: coloured, width, height };
}

/** Both in one row, vertically centred. */
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

/**
 * An emblem for a text that no shipped face can show: the same text always gets the same one.
 * @param room pixels, both ways
 */
export async function drawEmblem(text: string, room: number): Promise<Letters> {
  const size = Math.floor(room);
  const random = createRandom(`emblem ${text}`);
  const half = size / 2;
  const folds = random.whole(5, 10);
  const petal = random.pick([
    `M0 ${n(-half * 0.16)}C${n(half * 0.26)} ${n(-half * 0.36)} ${n(half * 0.14)} ${n(-half * 0.62)} 0 ${n(-half * 0.74)}C${n(-half * 0.14)} ${n(-half * 0.62)} ${n(-half * 0.26)} ${n(-half * 0.36)} 0 ${n(-half * 0.16)}z`,
    `M0 ${n(-half * 0.2)}L${n(half * 0.15)} ${n(-half * 0.5)}L0 ${n(-half * 0.76)}L${n(-half * 0.15)} ${n(-half * 0.5)}z`,
    `M${n(-half * 0.09)} ${n(-half * 0.2)}H${n(half * 0.09)}L${n(half * 0.04)} ${n(-half * 0.74)}H${n(-half * 0.04)}z`,
    `M0 ${n(-half * 0.3)}m${n(-half * 0.13)} ${n(-half * 0.2)}a${n(half * 0.13)} ${n(half * 0.13)} 0 1 1 ${n(half * 0.26)} 0a${n(half * 0.13)} ${n(half * 0.13)} 0 1 1 ${n(-half * 0.26)} 0z`,
  ]);
  const dots = random.chance(0.5);
  let shapes = '';
  for (let i = 0; i < folds; i++) {
    shapes += `<path d="${petal}" transform="rotate(${n((360 / folds) * i)})"/>`;
    if (dots)
      shapes += `<circle cy="${n(-half * 0.7)}" r="${n(half * 0.05)}" transform="rotate(${n((360 / folds) * (i + 0.5))})"/>`;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><g transform="translate(${n(half)} ${n(half)})" fill="#fff">
    <circle r="${n(half * 0.93)}" fill="none" stroke="#fff" stroke-width="${n(half * 0.05)}"/>
    <circle r="${n(half * 0.83)}" fill="none" stroke="#fff" stroke-width="${n(half * 0.018)}"/>
    ${shapes}<circle r="${n(half * random.between(0.07, 0.13))}"/></g></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}
