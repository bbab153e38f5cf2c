import { type Colour, contrast, css, luminance, mix, type Rgb, rgb } from './colour.ts';
import type { Box, Layout } from './layout.ts';
import type { Palette } from './palette.ts';
import { n } from './scenes/canvas.ts';

/** RGB pixels, three bytes each. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How to letter a place so that it can be read. */
export interface Ink {
  readonly ink: Colour;
  /** Laid under the words, as strong as `veil` 0–1. */
  readonly under: Colour;
  readonly veil: number;
}

/** What WCAG 2 asks of body text; titles need less, but they stand on pictures. */
const enough = 4.5;

/**
 * Dark letters for a bright place, pale ones for any other, and a veil just strong enough that nearly
 * every pixel under them contrasts with them by `enough`.
 */
export function inkFor(picture: Pixels, place: Box, palette: Palette): Ink {
  const found = luminances(picture, place);
  const at = (share: number): number => found[Math.floor(found.length * share)] ?? 0;
  const { pale, deep } = palette;
  return at(0.5) > 0.38
    ? { ink: deep, under: pale, veil: veilFor(at(0.02), deep, pale) }
    : { ink: pale, under: deep, veil: veilFor(at(0.98), pale, deep) };
}

function luminances({ data, width, height }: Pixels, place: Box): readonly number[] {
  const found: number[] = [];
  const bottom = Math.min(height, Math.ceil(place.y + place.height));
  const right = Math.min(width, Math.ceil(place.x + place.width));
  for (let y = Math.max(0, Math.floor(place.y)); y < bottom; y += 5) {
    for (let x = Math.max(0, Math.floor(place.x)); x < right; x += 5) {
      const at = (y * width + x) * 3;
      found.push(luminance([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]));
    }
  }
  return found.sort((first, second) => first - second);
}

function veilFor(ground: number, ink: Colour, under: Colour): number {
  const lettered = luminance(rgb(ink));
  const grey = greyOf(ground);
  const cover = rgb(under);
  for (let veil = 0; veil < 1; veil += 0.02) {
    const blended: Rgb = [
      blend(grey, cover[0], veil),
      blend(grey, cover[1], veil),
      blend(grey, cover[2], veil),
    ];
    if (contrast(lettered, luminance(blended)) >= enough) return veil;
  }
  return 1;
}

function blend(below: number, above: number, share: number): number {
  return below + (above - below) * share;
}

function greyOf(target: number): number {
  return 255 * (target <= 0.0031308 ? target * 12.92 : 1.055 * target ** (1 / 2.4) - 0.055);
}

/**
 * The veil as SVG: full under the words. From there it runs out towards the middle of the picture, but for
 * words in the middle themselves: those have it all over.
 */
export function veil({ under, veil: strength }: Ink, bounds: Box, layout: Layout, size: Size): string {
  const { width, height } = size;
  if (layout.anchor === 'middle' && layout.align === 'centre') {
    return `<rect width="${width}" height="${height}" fill="${css(under)}" fill-opacity="${strength.toFixed(3)}"/>`;
  }
  const stops = veilStops(strength, layout.anchor, bounds, size).map(
    ([at, opacity]) =>
      `<stop offset="${at.toFixed(4)}" stop-color="${css(under)}" stop-opacity="${opacity.toFixed(3)}"/>`,
  );
  const direction = layout.anchor === 'middle' ? 'x2="1"' : 'x2="0" y2="1"';
  return `<defs><linearGradient id="veil" ${direction}>${stops.join('')}</linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#veil)"/>`;
}

type Stop = readonly [at: number, opacity: number];

function veilStops(strength: number, anchor: Layout['anchor'], bounds: Box, size: Size): readonly Stop[] {
  const pad = 0.02;
  const run = 0.16;
  const top = bounds.y / size.height - pad;
  const foot = (bounds.y + bounds.height) / size.height + pad;
  const right = (bounds.x + bounds.width) / size.width + pad;
  switch (anchor) {
    case 'top':
      return [
        [0, strength],
        [foot, strength],
        [foot + run, 0],
      ];
    case 'bottom':
      return [
        [top - run, 0],
        [top, strength],
        [1, strength],
      ];
    case 'middle':
      return [
        [0, strength],
        [right, strength],
        [right + run * 1.6, 0],
      ];
  }
}

/** The stroke between title and subtitle, and the frame, where the layout has them. */
export function strokes(rule: Box | null, layout: Layout, ink: Colour, palette: Palette, size: Size): string {
  const { width, height } = size;
  const inset = Math.min(width, height) * 0.045;
  const frame = layout.frame
    ? `<rect x="${n(inset)}" y="${n(inset)}" width="${n(width - inset * 2)}" height="${n(height - inset * 2)}" fill="none" stroke="${css(ink)}" stroke-opacity=".75" stroke-width="${n(Math.min(width, height) * 0.004)}"/>`
    : '';
  const line =
    rule === null
      ? ''
      : `<rect x="${n(rule.x)}" y="${n(rule.y)}" width="${n(rule.width)}" height="${n(rule.height)}" fill="${css(mix(palette.accent, ink, 0.25))}"/>`;
  return frame + line;
}
