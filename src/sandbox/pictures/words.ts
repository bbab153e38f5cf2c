import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import anyAscii from 'any-ascii';
import sharp, { type OverlayOptions } from 'sharp';

const fonts = {
  display: ['Dela Gothic One', '@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf'],
  text: ['DejaVu Sans', 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf'],
} as const;

export interface Line {
  readonly text: string;
  readonly font: keyof typeof fonts;
  readonly colour: string;
  /** Of its letters, in pixels, where there is room; 0: the line is left out. */
  readonly size: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

let loaded: Promise<unknown> | null = null;

/** Sets lines one below the other into a box: `piece` lies on a picture, `top` is where they begin. */
export async function setWords(
  lines: readonly Line[],
  box: Box,
  place: 'centre' | 'foot' | 'foot-centre',
): Promise<{ readonly piece: OverlayOptions | []; readonly top: number }> {
  // A renderer that has read a font file once knows the font from then on, and takes letters that another lacks.
  loaded ??= Promise.all(Object.values(fonts).map(([font, file]) => load(font, locate(file))));
  await loaded;
  const [width, height] = [Math.floor(box.width), Math.floor(box.height)];
  const spans = lines.flatMap((line) => {
    const text = line.size === 0 ? '' : showable(line.text);
    return text === '' ? [] : [spanOf(text, line, width, height)];
  });
  if (spans.length === 0) return { piece: [], top: box.y + height };
  const isCentred = place !== 'foot';
  const letters = sharp({
    text: {
      text: spans.join('\n'),
      width,
      dpi: 72,
      rgba: true,
      align: isCentred ? 'centre' : 'left',
      wrap: 'word',
    },
  });
  // A line that has no place to break may be wider than it was meant to be.
  const set = await letters
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const free = { across: box.width - set.info.width, down: box.height - set.info.height };
  const left = box.x + (isCentred ? free.across / 2 : 0);
  const top = box.y + (place === 'centre' ? free.down / 2 : free.down);
  const raw = { width: set.info.width, height: set.info.height, channels: 4 } as const;
  return { piece: { input: set.data, raw, left: Math.round(left), top: Math.round(top) }, top };
}

/** One line in Pango's markup. */
function spanOf(text: string, { font, colour, size }: Line, width: number, height: number): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const em = fitting(text, size, width, height * 0.8).toFixed(1);
  const family = `${fonts[font][0]}, DejaVu Sans, Dela Gothic One ${em}`;
  return `<span font="${family}" foreground="${colour}" line_height="${font === 'text' ? 1.6 : 0.9}">${escaped}</span>`;
}

/** The largest size up to `size` in which the text is likely to fit the box. */
function fitting(text: string, size: number, width: number, height: number): number {
  const wide = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
  const ems = (part: string) =>
    Array.from(part).reduce(
      (sum, one) => sum + (wide.test(one) ? 1 : /\p{Lu}|\p{N}/u.test(one) ? 0.88 : 0.68),
      0,
    );
  const words =
    text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu) ?? [];
  const longest = Math.max(1, ...words.map(ems));
  const byArea = Math.sqrt((width * height) / (ems(text) * 1.3));
  return Math.max(8, Math.min(size, byArea, width / longest, height / 1.2));
}

/** What neither font has letters for; a renderer would draw boxes. */
const foreign =
  /[^\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Geor}\p{sc=Hebr}\p{sc=Arab}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Zyyy}\p{sc=Zinh}]+/gu;

/** No control characters, at most 90 letters, and foreign ones in Latin. */
function showable(text: string): string {
  const tidy = text
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])\p{C}/gu, ' ')
    .replace(foreign, (letters) => anyAscii(letters))
    .replace(/[\p{Emoji_Presentation}\u{1f000}-\u{1faff}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  // What is left of an emoji may join nothing to nothing, which the renderer refuses.
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(tidy)) return '';
  const letters = Array.from(tidy);
  return letters.length <= 90 ? tidy : `${letters.slice(0, 89).join('')}…`;
}

function load(font: string, fontfile: string): Promise<Buffer> {
  return sharp({ text: { text: '.', font, fontfile } })
    .raw()
    .toBuffer();
}

/** The build ships the fonts beside the program; run from its sources, the program reads them in their packages. */
function locate(file: string): string {
  const shipped = path.join(import.meta.dirname, 'fonts', path.basename(file));
  return existsSync(shipped) ? shipped : createRequire(import.meta.url).resolve(file);
}
