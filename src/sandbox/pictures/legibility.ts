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

/** The colours that make the words on a picture readable. */
interface Inks {
  readonly title: Colour;
  readonly small: Colour;
  /** Under all the words. */
  readonly veil: Cover;
  /** Under the small line in addition, where it needs more. */
  readonly plate: (Cover & { readonly place: Box }) | null;
}

interface Cover {
  readonly colour: Colour;
  /** 0–1 */
  readonly strength: number;
}

/** The positions of the words. */
export interface Lettered {
  readonly title: Box | null;
  readonly small: Box | null;
  /** Antialiased thin strokes never reach their full colour. */
  readonly thin: boolean;
}

/** The contrast that WCAG 2 requires of large text, and the enhanced one of body text. */
const large = 4.5;
const fine = 7;
/** The share of pixels under a line that may have less contrast. */
const outlierShare = 0.01;

/**
 * Chooses dark letters for the title on a bright ground and pale ones on any other, over a scrim that is just
 * strong enough. The small line, which often has another ground, gets the same letters, or the opposite ones
 * where they need a much weaker backing.
 */
export function inksFor(picture: Pixels, { title, small, thin }: Lettered, { pale, deep }: Palette): Inks {
  const dark = { ink: deep, under: pale };
  const light = { ink: pale, under: deep };
  const ground = title === null ? [] : byLuminance(picture, title);
  const median = ground[Math.floor(ground.length / 2)];
  const chosen = median !== undefined && luminance(median) > 0.38 ? dark : light;
  const strength = coverFor(ground, chosen, thin ? fine : large);
  const veil = { colour: chosen.under, strength };
  if (small === null) return { title: chosen.ink, small: chosen.ink, veil, plate: null };
  const veiled = byLuminance(picture, small).map((pixel) => blended(pixel, rgb(chosen.under), strength));
  const covered = (pair: typeof dark) => ({ ...pair, strength: coverFor(veiled, pair, fine) });
  const [same, other] = [covered(chosen), covered(chosen === dark ? light : dark)];
  const better = other.strength < same.strength - 0.25 ? other : same;
  const plate =
    better.strength > 0 ? { place: small, colour: better.under, strength: better.strength } : null;
  return { title: chosen.ink, small: better.ink, veil, plate };
}

/** A sample of the pixels in a box, the darkest first. */
function byLuminance({ data, width, height }: Pixels, place: Box): readonly Rgb[] {
  const found: { readonly pixel: Rgb; readonly light: number }[] = [];
  const bottom = Math.min(height, Math.ceil(place.y + place.height));
  const right = Math.min(width, Math.ceil(place.x + place.width));
  const step = Math.max(1, Math.round(Math.sqrt((place.width * place.height) / 4_000)));
  for (let y = Math.max(0, Math.floor(place.y)); y < bottom; y += step) {
    for (let x = Math.max(0, Math.floor(place.x)); x < right; x += step) {
      const at = (y * width + x) * 3;
      const pixel: Rgb = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      found.push({ pixel, light: luminance(pixel) });
    }
  }
  return found.sort((first, second) => first.light - second.light).map(({ pixel }) => pixel);
}

/** How strongly a ground must be covered so that letters contrast with nearly all of it. */
function coverFor(
  ground: readonly Rgb[],
  { ink, under }: { readonly ink: Colour; readonly under: Colour },
  enough: number,
): number {
  const worst = ground[Math.floor(ground.length * (ink.l < under.l ? outlierShare : 1 - outlierShare))];
  if (worst === undefined) return 0;
  const lettered = luminance(rgb(ink));
  const above = rgb(under);
  for (let strength = 0; strength < 1; strength += 0.02) {
    if (contrast(lettered, luminance(blended(worst, above, strength))) >= enough) return strength;
  }
  return 1;
}

function blended(below: Rgb, above: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2): number => below[index] + (above[index] - below[index]) * share;
  return [part(0), part(1), part(2)];
}

/** The backing as SVG: full strength under the letters, fading around them. */
export function backing(found: Inks['plate']): string {
  if (found === null) return '';
  const { place, colour, strength } = found;
  const soft = place.height * 0.4;
  // A blur has its full strength at twice its deviation.
  const grown = grow(place, soft * 2);
  return `<filter id="soft" filterUnits="userSpaceOnUse" ${attributes(grow(grown, soft * 3))}><feGaussianBlur stdDeviation="${n(soft)}"/></filter>
    <rect ${attributes(grown)} rx="${n(soft)}" fill="${css(colour)}" fill-opacity="${strength.toFixed(3)}" filter="url(#soft)"/>`;
}

function grow({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + by * 2, height: height + by * 2 };
}

function attributes({ x, y, width, height }: Box): string {
  return `x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"`;
}

/**
 * The scrim as SVG: full strength under the words, fading towards the middle of the picture. Words in the
 * middle have it over the whole picture.
 */
export function scrim({ colour, strength }: Cover, bounds: Box, layout: Layout, size: Size): string {
  const { width, height } = size;
  if (layout.anchor === 'middle' && layout.align === 'centre') {
    return `<rect width="${width}" height="${height}" fill="${css(colour)}" fill-opacity="${strength.toFixed(3)}"/>`;
  }
  const stops = scrimStops(strength, layout.anchor, bounds, size).map(
    ([at, opacity]) =>
      `<stop offset="${at.toFixed(4)}" stop-color="${css(colour)}" stop-opacity="${opacity.toFixed(3)}"/>`,
  );
  const direction = layout.anchor === 'middle' ? 'x2="1"' : 'x2="0" y2="1"';
  return `<defs><linearGradient id="veil" ${direction}>${stops.join('')}</linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#veil)"/>`;
}

type Stop = readonly [at: number, opacity: number];

function scrimStops(strength: number, anchor: Layout['anchor'], bounds: Box, size: Size): readonly Stop[] {
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

/** The rule between title and subtitle, and the frame, where the layout has them. */
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
