import sharp, { type OverlayOptions } from 'sharp';
import { type Colour, css } from './colour.ts';
import { type FaceName, markupOf, showable } from './fonts.ts';
import type { Hand } from './hand.ts';
import type { SlotShape } from '../artwork/slots.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a picture says. */
export interface Wording {
  /** What tells it from its siblings, such as `S01E03`. */
  readonly mark: string;
  readonly title: string;
  /** The small print beneath. */
  readonly credit: string;
}

/** Letter sizes as shares of the picture's size, which is the side of a square of its area. */
const scale = {
  scene: { mark: 0.07, title: 0.105, credit: 0.028 },
  portrait: { mark: 0.05, title: 0.07, credit: 0.028 },
  wordless: { mark: 0.036, title: 0.045, credit: 0.022 },
  icon: { mark: 0, title: 0.38, credit: 0.05 },
  logo: { mark: 0.1, title: 0.4, credit: 0.045 },
} as const;

/** Arranges the words in their place, with the box around all of them. Null when there are none. */
export async function arrangeWords(wording: Wording, shape: SlotShape, hand: Hand) {
  const box = placeOf(shape, hand);
  const size = Math.sqrt(shape.width * shape.height);
  const letters = scale[shape.manner];
  const { ink, accent, bright } = hand.palette;
  const [plain, bold] = shape.manner === 'logo' && !hand.plain ? [bright, bright] : [ink, accent];
  const room = { width: box.width, height: box.height * 0.28, align: hand.align };
  const line = (text: string, face: FaceName, colour: Colour, share: number) =>
    render(text, face, css(colour), { ...room, size: size * share });
  const mark = await line(await showable(wording.mark, 30), 'display', bold, letters.mark);
  const credit = await line(await showable(wording.credit, 110), 'text', plain, letters.credit);
  const gap = size * 0.026;
  const free = [mark, credit].reduce((rest, one) => rest - (one ? one.height + gap : 0), box.height);
  const name = await showable(wording.title, 90);
  // A short title would fill its place with a few huge letters.
  const height = Math.min(free, size * letters.title * (0.9 + name.length / 9));
  const cased = hand.capitals && isLatin.test(name) ? name.toUpperCase() : name;
  const title = await render(cased, hand.face, css(plain), {
    ...room,
    height,
    // Initials fit as they are, and to try sizes takes a third of an icon's time.
    size: shape.manner === 'icon' ? size * letters.title : null,
  });
  const stack = [mark, title, credit].filter((one) => one !== null);
  return stack.length === 0 ? null : stacked(stack, box, gap, shape, hand);
}

/** The side of the picture that its words take. On a wide one, words at the foot would leave a strip of the scene. */
export function sideOf({ width, height, manner }: SlotShape, { place }: Hand): 'foot' | 'head' | 'side' {
  if (manner !== 'scene') return 'foot';
  return width > height * 1.2 ? 'side' : place;
}

function placeOf(shape: SlotShape, hand: Hand): Box {
  const { width, height, manner } = shape;
  const margin = manner === 'logo' ? height * (hand.plain ? 0.13 : 0.03) : Math.min(width, height) * 0.085;
  const whole = { x: margin, y: margin, width: width - margin * 2, height: height - margin * 2 };
  if (manner === 'logo') return whole;
  const side = sideOf(shape, hand);
  if (side === 'side') return { ...whole, width: width * 0.44 };
  const high = height * { scene: 0.42, portrait: 0.24, wordless: 0.25, icon: 0.5 }[manner];
  const wide = manner === 'wordless' ? width * 0.4 : whole.width;
  return { x: margin, y: side === 'head' ? margin : height - margin - high, width: wide, height: high };
}

interface Letters {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

interface Fit {
  readonly width: number;
  readonly height: number;
  /** Letter size in pixels, less where the room is too small; null: as large as the room allows. */
  readonly size: number | null;
  readonly align: Hand['align'];
}

/** Null for an empty text. */
async function render(text: string, face: FaceName, colour: string, fit: Fit): Promise<Letters | null> {
  const { size, align } = fit;
  const [width, height] = [Math.floor(fit.width), Math.floor(fit.height)];
  if (text === '') return null;
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}" line_height="0.8" fallback="false">${await markupOf(text, face)}</span>`,
      // The renderer tries sizes until one fits: from a large one it takes fewer.
      font: `DejaVu Sans ${(size ?? 96).toFixed(1)}`,
      width,
      rgba: true,
      align,
      wrap: 'word',
      ...(size === null ? { height } : { dpi: 72 }),
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.width <= width && info.height <= height) return { ...info, pixels: data };
  const smaller = sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
  const fitted = await smaller
    .resize({ width, height, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ...fitted.info, pixels: fitted.data };
}

function stacked(stack: readonly Letters[], box: Box, gap: number, shape: SlotShape, hand: Hand) {
  const height = stack.reduce((sum, one) => sum + one.height + gap, -gap);
  const width = Math.max(...stack.map((one) => one.width));
  const side = sideOf(shape, hand);
  const spare = box.height - height;
  const y = box.y + spare * (side === 'side' || shape.manner === 'logo' ? 0.5 : side === 'head' ? 0 : 1);
  const left = (wide: number) => box.x + (hand.align === 'left' ? 0 : (box.width - wide) / 2);
  let top = y;
  const pieces = stack.map((one): OverlayOptions => {
    const raw = { width: one.width, height: one.height, channels: 4 as const };
    const piece = { input: one.pixels, raw, left: Math.round(left(one.width)), top: Math.round(top) };
    top += one.height + gap;
    return piece;
  });
  return { pieces, bounds: { x: left(width), y, width, height } };
}

/** Other scripts have no capitals, lose their accents with them, or lack them in the fonts. */
const isLatin = /^[\p{sc=Latn}\p{sc=Zyyy}\p{sc=Zinh}]*$/u;
