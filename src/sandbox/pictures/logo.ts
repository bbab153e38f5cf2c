import sharp, { type OverlayOptions } from 'sharp';
import { colour, css, mix, rgb } from './colour.ts';
import { drawEmblem, type Letters, renderText, tinted } from './lettering.ts';
import { cleanTitle } from './line-breaks.ts';
import { n } from './scenes/canvas.ts';
import type { Style } from './style.ts';

/**
 * A title as large lettering on a transparent ground: raw RGBA of the given size. An empty title gets an
 * emblem.
 */
export async function drawLogo(title: string, style: Style, width: number, height: number): Promise<Buffer> {
  const boxed = style.turn < 0.3;
  const margin = boxed ? { x: width * 0.075, y: height * 0.17 } : { x: width * 0.02, y: height * 0.05 };
  const room = { width: width - margin.x * 2, height: height - margin.y * 2 };
  const letters =
    (await renderText(title, 60, style.lettering, {
      ...room,
      lines: 3,
      largest: height * 0.62,
      align: 'centre',
    })) ?? (await drawEmblem(cleanTitle(title, 60), Math.min(room.height, room.width)));
  const left = Math.round((width - letters.width) / 2);
  const top = Math.round((height - letters.height) / 2);
  const layers: OverlayOptions[] = boxed ? [{ input: plate(style, letters, margin, width, height) }] : [];
  layers.push({ ...(await coloured(letters, style)), left, top });
  return sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite(layers)
    .raw()
    .toBuffer();
}

/** Bright enough for a dark screen, deep enough for a pale one. */
function coloursOf({ palette, turn }: Style) {
  const first = colour(0.86, Math.min(0.14, palette.accent.c), palette.accent.h);
  const second = colour(0.66, Math.max(0.12, palette.accent.c), palette.second.h);
  return turn > 0.8 ? { first: palette.pale, second: palette.pale } : { first, second };
}

function plate(
  style: Style,
  letters: Letters,
  margin: { x: number; y: number },
  width: number,
  height: number,
): Buffer {
  const wide = letters.width + margin.x * 1.7;
  const tall = letters.height + margin.y * 1.6;
  const solid = style.turn < 0.15;
  const { second } = coloursOf(style);
  const line = height * 0.022;
  const paint = solid
    ? `fill="${css(mix(style.palette.deep, second, 0.25))}"`
    : `fill="none" stroke="${css(second)}" stroke-width="${n(line)}"`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect x="${n((width - wide) / 2)}" y="${n((height - tall) / 2)}" width="${n(wide)}" height="${n(tall)}" rx="${n(solid ? tall * 0.18 : line)}" ${paint}/></svg>`,
  );
}

async function coloured(letters: Letters, style: Style): Promise<OverlayOptions> {
  const { first, second } = coloursOf(style);
  const { pixels, width, height } = tinted(letters, rgb(first));
  const raw = { width, height, channels: 4 } as const;
  const gradient = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset=".1" stop-color="${css(first)}"/><stop offset=".95" stop-color="${css(second)}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  const { data } = await sharp(Buffer.from(gradient))
    .ensureAlpha()
    .composite([{ input: pixels, raw, blend: 'dest-in' }])
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { input: data, raw };
}
