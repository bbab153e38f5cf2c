import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';
import type { Box, Raster } from '../../files/decode.ts';
import { mapLimit } from '../../map-limit.ts';
import { escapeText } from './html.ts';
import { type EncodedImage, encodeWithin } from './picture.ts';

interface SheetItem {
  /** Null for a place without a picture: it is outlined. */
  readonly raster: Raster | null;
  /** Width to height of a place without a picture. */
  readonly ratio?: number;
  /** In the middle of a place without a picture: `missing`. */
  readonly words?: string;
  /** It lacks its picture; else the picture is there, and can't be shown. */
  readonly isGap?: boolean;
  /** Beneath it. */
  readonly label: string;
  /** Beneath the label. */
  readonly note?: string | undefined;
  /** In its corner: its number, or which frame it is. */
  readonly badge: string;
}

export interface ContactSheet {
  readonly image: EncodedImage;
  /** The same without a loss, where that was asked for. */
  readonly png: Buffer | null;
}

/** Bytes, so that Base64 of all image blocks of an answer stays within 1 MB. */
export const imageBudget = 700_000;
/** Bytes of a sheet of the default size: some hosts hand it to the model as text. Larger ones have more. */
const sheetBudget = 250_000;
/** About how wide a picture of a sheet is, in pixels. */
const defaultSize = 256;

/**
 * What the pictures of a sheet are decoded to before their proportions are known: each as wide as its cell will be if it
 * has the usual ones, and as high as it may be.
 * @param usual width to height of each; null: it may have any
 * @param size about how wide a picture is, in pixels
 */
export function boxesFor(usual: readonly (number | null)[], size: number): Box[] {
  const { cells } = layOut(
    usual.map((one) => one ?? 1),
    size,
  );
  return cells.map(({ width }, at) => ({
    width: usual[at] == null ? Math.round(size * 1.5) : width,
    height: Math.round(size * highest),
  }));
}

/**
 * Several pictures on one, each with its number and its label; places without a picture are outlined. What is transparent
 * stands on grey, where both pale and dark logos show. All words are one overlay, and all is composed once.
 * @param size about how wide a picture is, in pixels; less where the sheet would grow too large
 */
export async function contactSheet(
  items: readonly SheetItem[],
  { size, png }: { readonly size: number; readonly png: boolean },
): Promise<ContactSheet> {
  const { width, height, letters, cells } = layOut(
    items.map(({ raster, ratio = 1 }) => (raster === null ? ratio : raster.width / raster.height)),
    size,
  );
  await registerFont();
  const placed = items.flatMap((item, at) => cells.slice(at, at + 1).map((cell) => ({ item, cell })));
  const pixels = await sharp({ create: { width, height, channels: 3, background } })
    .raw()
    .toBuffer();
  const sheet = { data: pixels, width };
  await mapLimit(placed, 2, async ({ item: { raster }, cell }) => {
    if (raster !== null) await paste(raster, cell, sheet);
  });
  const words = placed.map(({ item, cell }) => wordsOf(item, cell, letters)).join('');
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">${words}</svg>`;
  const data = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .composite([{ input: Buffer.from(overlay), left: 0, top: 0 }])
    .removeAlpha()
    .raw()
    .toBuffer();
  const whole: Raster = { data, width, height, channels: 3 };
  const maxBytes = Math.min(imageBudget, Math.round(sheetBudget * Math.max(1, (size / defaultSize) ** 2)));
  return {
    image: await encodeWithin(whole, maxBytes),
    png: png ? await sharp(data, { raw: whole }).png().toBuffer() : null,
  };
}

/** Where one picture stands, in pixels; its words stand beneath it, as wide as it is. */
interface Cell {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface SheetLayout {
  readonly width: number;
  readonly height: number;
  /** Pixels of the letters. */
  readonly letters: number;
  readonly cells: readonly Cell[];
}

/** Longest side of a sheet, in pixels: some services refuse a whole conversation for a larger picture. */
const longest = 2_000;
const gap = 12;
const background = '#26262a';
/** Width to height: about a screen's. */
const wanted = 1.35;
/** Strips and towers, width to height: beyond these a picture stands in a part of its cell. */
const [tallest, widest] = [0.4, 4.5];
/** Of the asked width. */
const highest = 1.6;

/** Pictures in rows of one height, in their order, as many rows as bring the sheet nearest to a screen's proportions. */
function layOut(given: readonly number[], size: number): SheetLayout {
  const ratios = given.map((ratio) => Math.min(widest, Math.max(tallest, ratio)));
  const letters = Math.max(11, Math.round(size / 18));
  const labels = 4 + 2 * lineHeight(letters);
  const total = ratios.reduce((sum, one) => sum + one, 0);
  const height = Math.max(1, Math.round(Math.min(size * highest, (size * ratios.length) / total)));
  const widths = ratios.map((ratio) => Math.max(1, Math.round(ratio * height)));
  const length = widths.reduce((sum, one) => sum + one + gap, 0);
  const rowCount = Math.max(1, Math.round(Math.sqrt(length / (wanted * (height + labels + gap)))));
  const cells: Cell[] = [];
  let [left, top, width] = [gap, gap, 0];
  for (const cell of widths) {
    // A row ends where the next picture would stand beyond it by more than half.
    if (left > gap && left + cell / 2 > length / rowCount) [left, top] = [gap, top + height + labels + gap];
    cells.push({ left, top, width: cell, height });
    left += cell + gap;
    width = Math.max(width, left);
  }
  const bottom = top + height + labels + gap;
  const excess = Math.max(width, bottom) / longest;
  return excess <= 1
    ? { width, height: bottom, letters, cells }
    : layOut(given, Math.floor(size / Math.max(excess, 1.01)));
}

/**
 * Writes a picture into the pixels of a sheet: as large as its cell, in its middle; a small one at most twice its size.
 * A layer for each would take several times as long.
 */
async function paste(raster: Raster, cell: Cell, sheet: Pick<Raster, 'data' | 'width'>): Promise<void> {
  const scale = Math.min(2, cell.width / raster.width, cell.height / raster.height);
  const width = Math.min(cell.width, Math.max(1, Math.round(raster.width * scale)));
  const height = Math.min(cell.height, Math.max(1, Math.round(raster.height * scale)));
  const isFitting = width === raster.width && height === raster.height && raster.channels === 3;
  const resized = sharp(raster.data, { raw: raster }).resize({ width, height, fit: 'fill' });
  const pixels = isFitting ? raster.data : await resized.flatten({ background: '#808080' }).raw().toBuffer();
  const left = cell.left + Math.floor((cell.width - width) / 2);
  const top = cell.top + Math.floor((cell.height - height) / 2);
  for (let row = 0; row < height; row += 1) {
    pixels.copy(sheet.data, ((top + row) * sheet.width + left) * 3, row * width * 3, (row + 1) * width * 3);
  }
}

/** The number, the label and the note of an item, and the outline of a place without a picture, as SVG. */
function wordsOf(item: SheetItem, cell: Cell, letters: number): string {
  const { raster, words = '', isGap, label, note = '', badge } = item;
  const { left, top, width, height } = cell;
  const line = lineHeight(letters);
  const stroke = isGap === true ? 'stroke="#c9974f" stroke-dasharray="7 6"' : 'stroke="#6d6d75"';
  const outline = `<rect x="${left + 1.5}" y="${top + 1.5}" width="${Math.max(1, width - 3)}" height="${Math.max(1, height - 3)}" rx="3" fill="#2c2c31" stroke-width="2" ${stroke}/>`;
  const badgeWidth = Math.round(letters * (0.9 + 0.65 * badge.length));
  return [
    raster === null ? outline : '',
    raster === null ? textIn(words, { ...cell, top: top + (height - line) / 2 }, letters, '#fff', true) : '',
    `<rect x="${left}" y="${top}" width="${badgeWidth}" height="${line + 4}" fill="#000" fill-opacity="0.78"/>`,
    textIn(badge, { ...cell, top: top + 2, width: badgeWidth }, letters, '#fff', true),
    textIn(label, { ...cell, top: top + height + 4 }, letters, '#fff'),
    textIn(note, { ...cell, top: top + height + 4 + line }, letters, '#b3b3bb'),
  ].join('');
}

function lineHeight(letters: number): number {
  return Math.ceil(letters * 1.3);
}

/** Words on one line, in a box that cuts whatever reaches over it. */
function textIn(
  words: string,
  { left, top, width }: Omit<Cell, 'height'>,
  letters: number,
  fill: string,
  isCentred = false,
): string {
  const at = isCentred ? `x="${width / 2}" text-anchor="middle"` : 'x="0"';
  const text = `<text ${at} y="${letters}">${escapeText(fitting(words, width / letters))}</text>`;
  return `<svg x="${left}" y="${top}" width="${width}" height="${lineHeight(letters)}" font-size="${letters}" fill="${fill}">${text}</svg>`;
}

const longestLabel = 200;

/**
 * Words about so wide. Of a label with parts the first give way: Sets have them in common, and pictures differ behind
 * them. Other words are cut in the middle, between characters: names of files differ at either end.
 * @param width in letter sizes
 */
export function fitting(words: string, width: number): string {
  const tidy = words.replace(/[\p{C}\s]+/gu, ' ').trim();
  const parts = tidy.split(' · ');
  const fits = parts.map((_, at) => parts.slice(at).join(' · ')).find((some) => widthOf(some) <= width);
  if (fits !== undefined) return fits;
  const all = [...tidy];
  for (let kept = Math.min(all.length, longestLabel) - 1; kept > 0; kept -= 1) {
    const end = Math.floor(kept / 3);
    const [head, tail] = [all.slice(0, kept - end), all.slice(all.length - end)];
    const text = `${head.join('').trimEnd()}…${tail.join('').trimStart()}`;
    if (widthOf(text) <= width) return text;
  }
  return '';
}

/** About how wide a text of the shipped font is, in letter sizes. */
function widthOf(text: string): number {
  return [...text].reduce((width, letter) => width + (letter < '\u0530' ? 0.6 : 1.05), 0);
}

let registered: Promise<unknown> | null = null;

/**
 * Makes the shipped font known to the renderer, once for the process, so that a machine without fonts draws the same:
 * SVG names fonts by family alone, and one that was drawn with is known from then on.
 */
function registerFont(): Promise<unknown> {
  registered ??= sharp({ text: { text: '1', font: 'DejaVu Sans 12', fontfile: fontFile() } })
    .raw()
    .toBuffer();
  return registered;
}

/** The build ships it beside the program; run from its sources, the program reads it in its package. */
function fontFile(): string {
  const shipped = path.join(import.meta.dirname, 'fonts', 'DejaVuSans.ttf');
  const { resolve } = createRequire(import.meta.url);
  return existsSync(shipped) ? shipped : resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
}
