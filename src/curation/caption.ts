import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

const { resolve } = createRequire(import.meta.url);

/** Lines that a label may take, its credit included. */
const mostLines = 2;

/** Pixels that a line of this letter size takes. */
export function lineHeight(size: number): number {
  return Math.ceil(size * 1.3);
}

/** Drawn words, ready to be laid on a picture. */
export interface Caption extends OverlayOptions {
  readonly input: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

export interface CaptionStyle {
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
  const text = shortened(words, Math.floor((width / (size * 0.56)) * lines));
  if (text === '') return null;
  const drawn = await draw(text, style);
  // Letters differ in width: a line that came out longer than it may be loses as many as that is too much.
  const excess = drawn.info.width / width;
  const { data, info } =
    lines === 1 && excess > 1
      ? await draw(shortened(words, Math.floor([...text].length / excess)), style)
      : drawn;
  const kept = {
    left: 0,
    top: 0,
    width: Math.min(info.width, width),
    height: Math.min(info.height, lineHeight(size) * lines),
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

function shortened(words: string, most: number): string {
  const tidy = words
    .replace(/\p{C}+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...tidy];
  return characters.length <= most
    ? tidy
    : `${characters
        .slice(0, Math.max(0, most - 1))
        .join('')
        .trimEnd()}…`;
}

/** The renderer reads markup. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
