import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { ArtworkError } from '../../errors.ts';

import { type Cell, layOut, type Size } from './sheet-layout.ts';
import { type EncodedImage, encodeWithin, openImage, type Raster, rasterOf } from './thumbnail.ts';

interface SheetItem {
  /** Null for a place without a picture: it is outlined. */
  readonly image: Buffer | null;
  /** Of a place without a picture: its usual proportions, what stands in it, and whether it lacks its picture. */
  readonly outline?: { readonly shape: Size; readonly words: string; readonly isGap: boolean } | undefined;
  /** Written beneath the picture. */
  readonly label: string;
  /** Creator and language, beneath the label. */
  readonly credit?: string | undefined;
  /** Written on the picture; default: its place in the list, from 1. */
  readonly number?: number;
  /** Pictures for one place have the same: they stand side by side. */
  readonly rival?: string | undefined;
}

export interface ContactSheet extends EncodedImage {
  /** The same without a loss, where that was asked for. */
  readonly png: Buffer | null;
}

const mostItems = 24;
const paper = { r: 38, g: 38, b: 42 };
const badge = { r: 0, g: 0, b: 0, alpha: 0.78 };
const square: Size = { width: 1, height: 1 };

/**
 * Several pictures on one, in rows that fill, each with its number, label and credit; places without a picture are
 * outlined. What is transparent stands on a grey chequer, where both pale and dark logos show.
 * @param options.cellWidth about how wide a picture is, in pixels; less where the sheet would grow too large
 * @param options.maxBytes of the encoded sheet
 * @throws ArtworkError `bad_response`, with the item's number in `details.item`, when a picture can't be decoded;
 *   `invalid_arguments` for none or more than 24
 */
export async function contactSheet(
  items: readonly SheetItem[],
  options: { readonly cellWidth: number; readonly maxBytes: number; readonly png?: boolean },
): Promise<ContactSheet> {
  if (items.length === 0 || items.length > mostItems) {
    throw new ArtworkError('invalid_arguments', `A contact sheet shows 1 to ${mostItems} pictures.`);
  }
  const letters = Math.max(11, Math.round(options.cellWidth / 18));
  const opened = await Promise.all(
    items.map(async (item, index) => {
      const { image } = item;
      return image === null ? null : numbered(item, index, () => openImage(image));
    }),
  );
  const sizes = items.map(({ outline, rival }, index) => ({
    ...(opened[index]?.original ?? outline?.shape ?? square),
    rival,
  }));
  const layout = layOut(sizes, options.cellWidth, 2 * lineHeight(letters));
  const overlays: OverlayOptions[] = [];
  for (const [index, item] of items.entries()) {
    const [source, cell] = [opened[index], layout.cells[index]];
    if (cell === undefined) continue;
    if (source === null || source === undefined) overlays.push(...(await outlineAt(item, cell, letters)));
    else {
      const raster = await numbered(item, index, () => rasterOf(source, cell.width, cell.height));
      overlays.push(...(await pictureAt(raster, cell)));
    }
    overlays.push(...(await numberAt(numberOf(item, index), cell, letters)));
    overlays.push(...(await labelAt(item, cell, letters)));
  }
  const { width, height } = layout;
  const data = await sharp({ create: { width, height, channels: 3, background: paper } })
    .composite(overlays)
    .removeAlpha()
    .raw()
    .toBuffer();
  const raster: Raster = { data, width, height, channels: 3 };
  const png = options.png === true ? await sharp(data, { raw: raster }).png().toBuffer() : null;
  return { ...(await encodeWithin(raster, options.maxBytes)), png };
}

function numberOf({ number }: SheetItem, index: number): number {
  return number ?? index + 1;
}

async function numbered<T>(item: SheetItem, index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const details = { ...error.details, item: numberOf(item, index) };
    throw new ArtworkError(error.category, error.message, { details, cause: error });
  }
}

/** As large as its cell; a small one at most twice its size, in the middle. */
async function pictureAt(raster: Raster, cell: Cell): Promise<OverlayOptions[]> {
  const { data, width, height, channels } = raster;
  const scale = Math.min(2, cell.width / width, cell.height / height);
  const isWhole = scale < 2 && width * scale > cell.width * 0.96 && height * scale > cell.height * 0.96;
  const drawn = isWhole
    ? { width: cell.width, height: cell.height }
    : { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const input = await sharp(data, { raw: { width, height, channels } })
    .resize({ ...drawn, fit: 'fill' })
    .raw()
    .toBuffer();
  const left = cell.left + Math.floor((cell.width - drawn.width) / 2);
  const top = cell.top + Math.floor((cell.height - drawn.height) / 2);
  const picture = { input, raw: { ...drawn, channels }, left, top };
  return channels === 3 ? [picture] : [{ ...chequer(drawn.width, drawn.height), left, top }, picture];
}

/** The label on two lines, or on one with its credit beneath it. */
async function labelAt(
  { label, credit = '' }: SheetItem,
  cell: Cell,
  size: number,
): Promise<OverlayOptions[]> {
  const { left, labelTop: top, width } = cell;
  const whole = await caption(label, { size, width, lines: credit === '' ? 2 : 1 });
  const second = await caption(credit, { size, width, lines: 1, colour: '#b3b3bb' });
  return [
    ...(whole === null ? [] : [{ ...whole, left, top }]),
    ...(second === null ? [] : [{ ...second, left, top: top + lineHeight(size) }]),
  ];
}

/** A frame, dashed where a picture is missing, with what it is for in its middle. */
async function outlineAt({ outline }: SheetItem, cell: Cell, letters: number): Promise<OverlayOptions[]> {
  const { left, top, width, height } = cell;
  const line = outline?.isGap === false ? 'stroke="#6d6d75"' : 'stroke="#c9974f" stroke-dasharray="7 6"';
  const frame = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect x="1.5" y="1.5" width="${Math.max(1, width - 3)}" height="${Math.max(1, height - 3)}" rx="3" fill="#2c2c31" ${line} stroke-width="2"/></svg>`,
  );
  const words = await caption(outline?.words ?? '', { size: letters, width: Math.max(1, width - 8) });
  if (words === null || words.raw.height > height) return [{ input: frame, left, top }];
  const middle = {
    left: left + Math.floor((width - words.raw.width) / 2),
    top: top + Math.floor((height - words.raw.height) / 2),
  };
  return [
    { input: frame, left, top },
    { ...words, ...middle },
  ];
}

const check = 8;

function chequer(width: number, height: number): OverlayOptions {
  const input = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = (Math.floor(x / check) + Math.floor(y / check)) % 2 === 0;
      input.fill(light ? 138 : 118, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { input, raw: { width, height, channels: 3 } };
}

/** The number in a box at the picture's top left corner. */
async function numberAt(number: number, cell: Cell, letters: number): Promise<OverlayOptions[]> {
  const text = await caption(String(number), { size: letters, width: letters * 4 });
  if (text === null) return [];
  const pad = Math.ceil(letters * 0.35);
  const width = text.raw.width + pad * 2;
  const height = text.raw.height + pad * 2;
  return [
    { input: { create: { width, height, channels: 4, background: badge } }, left: cell.left, top: cell.top },
    { ...text, left: cell.left + pad, top: cell.top + pad },
  ];
}

const { resolve } = createRequire(import.meta.url);

/** Lines that a label may take, its credit included. */
const mostLines = 2;

/** Pixels that a line of this letter size takes. */
function lineHeight(size: number): number {
  return Math.ceil(size * 1.3);
}

/** Drawn words, ready to be laid on a picture. */
interface Caption extends OverlayOptions {
  readonly input: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

interface CaptionStyle {
  /** Of the letters, in pixels. */
  readonly size: number;
  /** At most so wide, in pixels. */
  readonly width: number;
  /** At most so many; default 2. */
  readonly lines?: 1 | 2;
  readonly colour?: '#fff' | '#b3b3bb';
}

/**
 * Words drawn, never wider than `width` and never on more lines than were asked for; where they are cut that shows.
 * Null where nothing can be read. The font is shipped, so that a machine without fonts draws the same.
 */
export async function caption(words: string, style: CaptionStyle): Promise<Caption | null> {
  const { size, width, lines = mostLines } = style;
  const height = lineHeight(size) * lines;
  let room = Math.floor((width / (size * 0.56)) * lines);
  let drawn: Drawn | null = null;
  // Letters differ in width: what came out larger than it may be loses as many as that is too much.
  for (let excess = 2, tries = 0; excess > 1 && tries < 3; tries += 1) {
    const text = shortened(words, room);
    if (text === '') return null;
    drawn = await draw(text, style);
    excess = lines === 1 ? drawn.info.width / width : drawn.info.height / height;
    room = Math.floor([...text].length / excess);
  }
  if (drawn === null) return null;
  const { data, info } = drawn;
  const kept = {
    left: 0,
    top: 0,
    width: Math.min(info.width, width),
    height: Math.min(info.height, height),
  };
  const cut = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .extract(kept)
    .raw()
    .toBuffer();
  return { input: cut, raw: { width: kept.width, height: kept.height, channels: 4 } };
}

/** The build ships it beside the program; run from its sources, the program reads it in its package. */
function fontFile(): string {
  const shipped = path.join(import.meta.dirname, 'fonts', 'DejaVuSans.ttf');
  return existsSync(shipped) ? shipped : resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
}

type Drawn = Awaited<ReturnType<typeof draw>>;

function draw(text: string, { size, width, lines, colour = '#fff' }: CaptionStyle) {
  return sharp({
    text: {
      text: `<span foreground="${colour}">${escaped(text)}</span>`,
      font: `DejaVu Sans ${size}`,
      fontfile: fontFile(),
      ...(lines === 1 ? {} : { width, wrap: 'word-char' as const }),
      dpi: 72,
      rgba: true,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** Cut in the middle: names of files and of pictures differ at their end as often as at their beginning. */
function shortened(words: string, most: number): string {
  const tidy = words
    .replace(/\p{C}+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...tidy];
  if (characters.length <= most) return tidy;
  const left = Math.max(0, most - 1);
  const end = Math.floor(left / 3);
  const [head, tail] = [characters.slice(0, left - end), end === 0 ? [] : characters.slice(-end)];
  return `${head.join('').trimEnd()}…${tail.join('').trimStart()}`;
}

/** The renderer reads markup. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
