import { createRequire } from 'node:module';
import path from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

const { resolve } = createRequire(import.meta.url);

/** Lines that a label may take. */
const lines = 2;

/** Pixels that `lines` of this letter size take. */
export function captionHeight(size: number): number {
  return Math.ceil(size * 1.3 * lines);
}

/**
 * Words in white, ready to be laid on a picture: at most two lines, never wider than `width`. Null where
 * nothing can be read. The font is shipped, so that a machine without fonts draws the same.
 */
export async function caption(words: string, size: number, width: number): Promise<OverlayOptions | null> {
  const text = shortened(words, Math.floor((width / (size * 0.56)) * lines));
  if (text === '') return null;
  const folder = path.dirname(resolve('dejavu-fonts-ttf/package.json'));
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="#fff">${escaped(text)}</span>`,
      font: `DejaVu Sans ${size}`,
      fontfile: path.join(folder, 'ttf', 'DejaVuSans.ttf'),
      width,
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const height = Math.min(info.height, captionHeight(size));
  const kept = { left: 0, top: 0, width: Math.min(info.width, width), height };
  const raw = { width: kept.width, height, channels: 4 } as const;
  const cut = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .extract(kept)
    .raw()
    .toBuffer();
  return { input: cut, raw };
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
