import sharp, { type OverlayOptions } from 'sharp';
import { ArtworkError } from '../errors.ts';
import { caption, captionHeight } from './caption.ts';
import { type EncodedImage, encodeWithin, type Raster } from './encode-within.ts';
import { openImage } from './open-image.ts';
import { type Cell, layOut } from './sheet-layout.ts';
import { rasterOf } from './thumbnail.ts';

export interface SheetItem {
  readonly image: Buffer;
  /** Written beneath the picture, two lines of it at most. */
  readonly label: string;
  /** Written on the picture; default: its place in the list, from 1. */
  readonly number?: number;
}

const mostItems = 24;
const paper = { r: 38, g: 38, b: 42 };
const badge = { r: 0, g: 0, b: 0, alpha: 0.78 };

/**
 * Several pictures on one, each with its number and label. What is transparent stands on a grey chequer, where
 * both pale and dark logos show.
 * @param options.cellWidth of each picture, in pixels; less where the sheet would grow too large
 * @param options.maxBytes of the encoded sheet
 * @throws ArtworkError `bad_response`, with the item's number in `details.item`, when a picture can't be decoded;
 *   `invalid_arguments` for none or more than 24
 */
export async function contactSheet(
  items: readonly SheetItem[],
  options: { readonly cellWidth: number; readonly maxBytes: number },
): Promise<EncodedImage> {
  if (items.length === 0 || items.length > mostItems) {
    throw new ArtworkError('invalid_arguments', `A contact sheet shows 1 to ${mostItems} pictures.`);
  }
  const letters = Math.max(11, Math.round(options.cellWidth / 17));
  const opened = await Promise.all(
    items.map((item, index) => numbered(item, index, () => openImage(item.image))),
  );
  const layout = layOut(
    opened.map(({ original }) => original),
    options.cellWidth,
    captionHeight(letters),
  );
  const overlays: OverlayOptions[] = [];
  for (const [index, item] of items.entries()) {
    const [source, cell] = [opened[index], layout.cells[index]];
    if (source === undefined || cell === undefined) continue;
    const raster = await numbered(item, index, () => rasterOf(source, cell.width, cell.height));
    overlays.push(...pictureAt(raster, cell));
    overlays.push(...(await numberAt(numberOf(item, index), cell, letters)));
    const label = await caption(item.label, letters, layout.cellWidth);
    if (label !== null) overlays.push({ ...label, left: cell.labelLeft, top: cell.labelTop });
  }
  const { width, height } = layout;
  const data = await sharp({ create: { width, height, channels: 3, background: paper } })
    .composite(overlays)
    .removeAlpha()
    .raw()
    .toBuffer();
  return encodeWithin({ data, width, height, channels: 3 }, options.maxBytes);
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

function pictureAt({ data, width, height, channels }: Raster, { left, top }: Cell): OverlayOptions[] {
  const picture = { input: data, raw: { width, height, channels }, left, top };
  return channels === 3 ? [picture] : [{ ...chequer(width, height), left, top }, picture];
}

const square = 8;

function chequer(width: number, height: number): OverlayOptions {
  const input = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = (Math.floor(x / square) + Math.floor(y / square)) % 2 === 0;
      input.fill(light ? 138 : 118, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { input, raw: { width, height, channels: 3 } };
}

/** The number in a box at the picture's top left corner. */
async function numberAt(number: number, cell: Cell, letters: number): Promise<OverlayOptions[]> {
  const text = await caption(String(number), letters, letters * 4);
  if (text?.raw === undefined) return [];
  const pad = Math.ceil(letters * 0.35);
  const width = text.raw.width + pad * 2;
  const height = text.raw.height + pad * 2;
  return [
    { input: { create: { width, height, channels: 4, background: badge } }, left: cell.left, top: cell.top },
    { ...text, left: cell.left + pad, top: cell.top + pad },
  ];
}
