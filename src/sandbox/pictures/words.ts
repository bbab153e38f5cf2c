import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import anyAscii from 'any-ascii';
import sharp, { type OutputInfo, type OverlayOptions } from 'sharp';
import { css, type Colour } from './palette.ts';
import type { Box } from './scene.ts';

const faces = {
  display: ['Dela Gothic One', '@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf'],
  text: ['DejaVu Sans', 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf'],
} as const;

export interface Line {
  readonly text: string;
  readonly face: keyof typeof faces;
  readonly colour: Colour;
  /** Of its letters, in pixels, where there is room. */
  readonly size: number;
}

let fonts: Promise<unknown> | null = null;

/** Sets lines one below the other into a box, at its start, middle or end. */
export async function setWords(
  lines: readonly [mark: Line, title: Line, credit: Line],
  box: Box,
  isCentred: boolean,
  place: 0 | 0.5 | 1,
) {
  // A renderer that has read a font file once knows the font from then on, and takes letters that another lacks.
  fonts ??= Promise.all(Object.values(faces).map(([font, file]) => load(font, locate(file))));
  await fonts;
  const gap = Math.max(4, lines[1].size * 0.2);
  const set: { readonly data: Buffer; readonly info: OutputInfo }[] = [];
  let room = box.height;
  // The last line first: the title gets what is left.
  for (const line of [...lines].sort(
    (one, other) => one.text.length * one.size - other.text.length * other.size,
  )) {
    const text = showable(line.text);
    if (text === '' || line.size === 0) continue;
    const rendered = await render({ ...line, text }, { ...box, height: room }, isCentred);
    room -= rendered.info.height + gap;
    set[lines.indexOf(line)] = rendered;
  }
  const stack = set.filter((one) => one !== undefined);
  const height = stack.reduce((sum, { info }) => sum + info.height + gap, -gap);
  const start = box.y + (box.height - height) * place;
  let top = start;
  const pieces = stack.map(({ data, info }): OverlayOptions => {
    const left = box.x + (isCentred ? (box.width - info.width) / 2 : 0);
    const raw = { width: info.width, height: info.height, channels: 4 } as const;
    const piece = { input: data, raw, left: Math.round(left), top: Math.round(top) };
    top += info.height + gap;
    return piece;
  });
  const right = box.x + (isCentred ? box.width : Math.max(0, ...stack.map(({ info }) => info.width)));
  return { pieces, top: start, right };
}

async function render({ text, face, colour, size }: Line, box: Box, isCentred: boolean) {
  const [width, height] = [Math.floor(box.width), Math.max(8, Math.floor(box.height))];
  const em = fitting(text, size, width, height);
  const markup = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const letters = sharp({
    text: {
      text: `<span foreground="${css(colour)}" line_height="0.85">${markup}</span>`,
      font: `${faces[face][0]}, DejaVu Sans, Dela Gothic One ${em.toFixed(1)}`,
      width,
      dpi: 72,
      rgba: true,
      align: isCentred ? 'centre' : 'left',
      wrap: 'word',
    },
  }).raw();
  const set = await letters.toBuffer({ resolveWithObject: true });
  if (set.info.width <= width && set.info.height <= height) return set;
  const raw = { width: set.info.width, height: set.info.height, channels: 4 } as const;
  const smaller = sharp(set.data, { raw })
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .raw();
  return smaller.toBuffer({ resolveWithObject: true });
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

/** No control characters, at most three combining marks on a letter, at most 90 letters, and foreign ones in Latin. */
function showable(text: string): string {
  const tidy = text
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])\p{C}/gu, ' ')
    .replace(/(\p{Mn}{3})\p{Mn}+/gu, '$1')
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
